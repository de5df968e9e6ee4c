// The kernels without intrinsics: for machines without AVX2, and where AVX2 gains nothing. They
// touch the elements of their steps only; there are no tails.
#include <algorithm>
#include <cstring>

#include "optimized/kernels/kernels.h"
#include "optimized/tuning.h"

namespace opconform::optimized {
namespace {

template <std::size_t W>
void copy_runs(std::byte* target, const std::byte* source, const Plane& plane) {
  const auto run_bytes = static_cast<std::size_t>(plane.inner.count) * W;
  for (std::ptrdiff_t row = 0; row < plane.outer.count; ++row)
    std::memcpy(target + row * plane.outer.target_stride, source + row * plane.outer.source_stride,
                run_bytes);
}

template <std::size_t W>
void copy_strided(std::byte* target, const std::byte* source, const Plane& plane) {
  for (std::ptrdiff_t row = 0; row < plane.outer.count; ++row) {
    std::byte* to = target + row * plane.outer.target_stride;
    const std::byte* from = source + row * plane.outer.source_stride;
    for (std::ptrdiff_t i = 0; i < plane.inner.count; ++i)
      std::memcpy(to + i * plane.inner.target_stride, from + i * plane.inner.source_stride, W);
  }
}

/// Block by block, so that neither side's lines leave the cache before they are used up.
template <std::size_t W>
void transpose(std::byte* target, const std::byte* source, const Plane& plane) {
  constexpr std::ptrdiff_t kOuterBlock = kBlockSourceBytes / std::ptrdiff_t{W};
  constexpr std::ptrdiff_t kInnerBlock = kBlockTargetBytes / std::ptrdiff_t{W};
  Plane block = plane;
  for (std::ptrdiff_t outer = 0; outer < plane.outer.count; outer += kOuterBlock) {
    block.outer.count = std::min(kOuterBlock, plane.outer.count - outer);
    for (std::ptrdiff_t inner = 0; inner < plane.inner.count; inner += kInnerBlock) {
      block.inner.count = std::min(kInnerBlock, plane.inner.count - inner);
      copy_strided<W>(
          target + outer * plane.outer.target_stride + inner * plane.inner.target_stride,
          source + outer * plane.outer.source_stride + inner * plane.inner.source_stride, block);
    }
  }
}

}  // namespace

#define OPCONFORM_PLANE_KERNEL(shape, scalar_function, avx2_function) \
  OPCONFORM_WIDTHS(scalar_function)
constexpr PlaneKernels kScalarPlaneKernels{{
#include "optimized/kernels/kernels.def"
}};

}  // namespace opconform::optimized
