// Affine copies without intrinsics: for machines without AVX2, and where AVX2 gains nothing. They
// touch the elements of their steps only; there are no tails.
#include <algorithm>
#include <cstring>
#include <span>

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
void copy_line(std::byte* target, const std::byte* source, const Loop& line) {
  const auto [count, from, to, _] = line;  // the stores could be to the original
  std::ptrdiff_t i = 0;
  for (; i + 4 <= count; i += 4, target += 4 * to, source += 4 * from) {
    std::memcpy(target, source, W);
    std::memcpy(target + to, source + from, W);
    std::memcpy(target + 2 * to, source + 2 * from, W);
    std::memcpy(target + 3 * to, source + 3 * from, W);
  }
  for (; i < count; ++i, target += to, source += from) std::memcpy(target, source, W);
}

template <std::size_t W>
void copy_strided(std::byte* target, const std::byte* source, const Plane& plane) {
  const auto [rows, line, _] = plane;  // the stores could be to the original
  for (std::ptrdiff_t row = 0; row < rows.count; ++row)
    copy_line<W>(target + row * rows.target_stride, source + row * rows.source_stride, line);
}

/// The tile step by step. It has N elements, or any number of them where N is 0.
template <std::size_t W, std::size_t N>
void copy_tiles(std::byte* target, const std::byte* source, const Loop& line,
                const std::vector<Move>& moves) {
  const auto [count, from, to, _] = line;
  Move few[std::max<std::size_t>(N, 1)];
  std::copy_n(moves.begin(), N, few);
  const std::span<const Move> all = N != 0 ? std::span<const Move>(few, N) : moves;
  for (std::ptrdiff_t i = 0; i < count; ++i, target += to, source += from)
    for (const Move& move : all) std::memcpy(target + move.target, source + move.source, W);
}

template <std::size_t W>
void copy_elements(std::byte* target, const std::byte* source, const Plane& plane) {
  static constexpr decltype(&copy_tiles<W, 0>) kByCount[] = {
      copy_tiles<W, 0>, copy_tiles<W, 1>, copy_tiles<W, 2>, copy_tiles<W, 3>, copy_tiles<W, 4>,
      copy_tiles<W, 5>, copy_tiles<W, 6>, copy_tiles<W, 7>, copy_tiles<W, 8>};
  const auto [rows, line, tile] = plane;  // the stores could be to the original
  const std::size_t few = tile->moves.size() < std::size(kByCount) ? tile->moves.size() : 0;
  for (std::ptrdiff_t row = 0; row < rows.count; ++row)
    kByCount[few](target + row * rows.target_stride, source + row * rows.source_stride, line,
                  tile->moves);
}

/// The tile once a row, then copies of what is there already, each twice as long as the one before.
template <std::size_t W>
void repeat(std::byte* target, const std::byte* source, const Plane& plane) {
  const std::ptrdiff_t row_bytes = plane.inner.count * plane.inner.target_stride;
  for (std::ptrdiff_t row = 0; row < plane.outer.count; ++row) {
    std::byte* const to = target + row * plane.outer.target_stride;
    const std::byte* const from = source + row * plane.outer.source_stride;
    for (const Move& move : plane.tile->moves) std::memcpy(to + move.target, from + move.source, W);
    std::ptrdiff_t copied = plane.inner.target_stride;
    for (std::ptrdiff_t done = copied; done < row_bytes; done += copied) {
      if (copied < kRepeatedBytes) copied = done;
      std::memcpy(to + done, to, static_cast<std::size_t>(std::min(copied, row_bytes - done)));
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
