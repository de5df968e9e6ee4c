// Indexed moves without intrinsics: for machines without AVX2, and where AVX2 gains nothing. They
// touch the rows and indices of their steps only; there are no tails.
#include <cstring>
#include <type_traits>

#include "optimized/kernels/kernels.h"

namespace opconform::optimized {
namespace {

/// Rows of W bytes; of any number where W is 0.
template <bool kGathers, std::size_t W>
void move_rows(std::byte* target, const std::byte* source, const IndexedRows& given) {
  const IndexedRows rows = given;  // the stores could be to the original
  const std::size_t size_bytes = W != 0 ? W : static_cast<std::size_t>(rows.row_bytes);
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i) {
      const std::ptrdiff_t place = rows.offsets[i];
      const std::ptrdiff_t other = i * rows.step_bytes;
      if constexpr (kGathers)
        std::memcpy(to + other, from + place, size_bytes);
      else if (place >= 0)
        std::memcpy(to + place, from + other, size_bytes);
    }
  }
}
template <std::size_t W>
constexpr IndexedKernel gather_elements = move_rows<true, W>;
template <std::size_t /*W*/>
constexpr IndexedKernel gather_rows = move_rows<true, 0>;
template <std::size_t /*W*/>
constexpr IndexedKernel scatter_rows = move_rows<false, 0>;

/// Where on the axis an index of any type points: axis.size or more where it lies outside.
template <class Index>
std::uint64_t axis_position(const std::byte* place, const IndexedAxis& axis) {
  Index index;
  std::memcpy(&index, place, sizeof index);
  const auto position = static_cast<std::uint64_t>(index);
  if constexpr (std::is_unsigned_v<Index>) return position;
  // A negative index is 2^64 - |index| here. Adding the size wraps to the place counted from the
  // end, or does not wrap and stays above the size. Without branches: signs come in any order.
  const auto sign = static_cast<std::uint64_t>(index >> (8 * sizeof index - 1));
  return axis.negative_counts_from_end ? position + (sign & axis.size) : position | sign;
}

template <class Index>
void resolve(const IndexLine& given_indices, const IndexedAxis& given_axis,
             std::ptrdiff_t* offsets) {
  const IndexLine indices = given_indices;  // the stores could be to the original
  const IndexedAxis axis = given_axis;
  for (std::ptrdiff_t i = 0; i < indices.count; ++i) {
    const std::uint64_t position =
        axis_position<Index>(indices.first + i * indices.stride_bytes, axis);
    *offsets++ =
        position < axis.size
            ? bytes(position, static_cast<std::size_t>(axis.stride_bytes)) + i * indices.step_bytes
            : -1;
  }
}

/// kPacked: the indices of a line are; kAlong: so are elements, which go along an axis without
/// gaps.
template <std::size_t W, class Index, bool kPacked, bool kAlong>
void scatter_lines(std::byte* target, const std::byte* source, const std::byte* indices,
                   IndexedAxis axis, Loop lines, Loop picks) {
  if constexpr (kPacked) picks.index_stride = sizeof(Index);
  if constexpr (kAlong) {
    picks.target_stride = 0;
    picks.source_stride = axis.stride_bytes = W;
  }
  for (std::ptrdiff_t line = 0; line < lines.count; ++line) {
    const std::byte* const first = indices + line * lines.index_stride;
    std::byte* to = target + line * lines.target_stride;
    const std::byte* from = source + line * lines.source_stride;
    for (std::ptrdiff_t i = 0; i < picks.count; ++i) {
      const std::uint64_t place = axis_position<Index>(first + i * picks.index_stride, axis);
      if (place < axis.size)
        std::memcpy(to + bytes(place, static_cast<std::size_t>(axis.stride_bytes)), from, W);
      to += picks.target_stride;
      from += picks.source_stride;
    }
  }
}
template <std::size_t W, class Index>
void scatter_once(std::byte* target, const std::byte* source, const std::byte* indices,
                  const IndexedAxis& axis, const Loop& lines, const Loop& picks) {
  constexpr std::ptrdiff_t kWidth = W;
  const bool is_packed = picks.index_stride == sizeof(Index);
  const bool is_along =
      picks.target_stride == 0 && axis.stride_bytes == kWidth && picks.source_stride == kWidth;
  const auto scatter = !is_packed ? scatter_lines<W, Index, false, false>
                       : is_along ? scatter_lines<W, Index, true, true>
                                  : scatter_lines<W, Index, true, false>;
  scatter(target, source, indices, axis, lines, picks);
}

template <class Index>
std::ptrdiff_t find_outside(const std::byte* first, std::ptrdiff_t count, const IndexedAxis& axis) {
  std::ptrdiff_t i = 0;
  while (i < count &&
         axis_position<Index>(first + i * std::ptrdiff_t{sizeof(Index)}, axis) < axis.size)
    ++i;
  return i;
}

}  // namespace

#define OPCONFORM_INDEXED_KERNEL(shape, scalar_function, avx2_function) \
  OPCONFORM_WIDTHS(scalar_function)
constexpr IndexedKernels kScalarIndexedKernels{{
#include "optimized/kernels/kernels.def"
}};

template <class Index>
constexpr IndexKernels kIndexKernels{
    .resolve = resolve<Index>,
    .find_outside = find_outside<Index>,
    .scatter_once = {scatter_once<1, Index>, scatter_once<2, Index>, scatter_once<4, Index>,
                     scatter_once<8, Index>, scatter_once<16, Index>}};
constexpr IndexKernelTable kScalarIndexKernels{
    {kIndexKernels<std::int32_t>, kIndexKernels<std::int64_t>, kIndexKernels<std::uint32_t>,
     kIndexKernels<std::uint64_t>}};

}  // namespace opconform::optimized
