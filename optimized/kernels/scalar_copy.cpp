// Affine copies without intrinsics: for machines without AVX2, and where AVX2 gains nothing. They
// touch the elements of their steps only; there are no tails.
#include <cstring>

#include "optimized/kernels/kernels.h"

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

/// The tile again and again.
template <std::size_t W>
void copy_elements(std::byte* target, const std::byte* source, const Plane& plane) {
  for (std::ptrdiff_t row = 0; row < plane.outer.count; ++row) {
    std::byte* to = target + row * plane.outer.target_stride;
    const std::byte* from = source + row * plane.outer.source_stride;
    for (std::ptrdiff_t i = 0; i < plane.inner.count; ++i) {
      for (const Move& move : plane.tile->moves())
        std::memcpy(to + move.target, from + move.source, W);
      to += plane.inner.target_stride;
      from += plane.inner.source_stride;
    }
  }
}

template <std::size_t W>
constexpr PlaneKernel plane_twin = nullptr;

}  // namespace

#define OPCONFORM_PLANE_KERNEL(shape, scalar_function, avx2_function) \
  OPCONFORM_WIDTHS(scalar_function)
constexpr PlaneKernels kScalarPlaneKernels{{
#include "optimized/kernels/kernels.def"
}};

}  // namespace opconform::optimized
