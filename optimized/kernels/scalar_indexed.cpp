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
    const std::ptrdiff_t* offset = rows.offsets;
    for (std::ptrdiff_t line = 0; line < rows.lines; ++line) {
      const std::ptrdiff_t* const end = offset + rows.count;
      for (std::ptrdiff_t other = line * rows.line_bytes; offset != end; other += rows.step_bytes) {
        const std::ptrdiff_t place = *offset++;
        if constexpr (kGathers)
          std::memcpy(to + other, from + place, size_bytes);
        else if (place >= 0)
          std::memcpy(to + place, from + other, size_bytes);
      }
    }
  }
}
template <std::size_t W>
constexpr IndexedKernel gather_elements = move_rows<true, W>;
template <std::size_t W>
constexpr IndexedKernel scatter_elements = move_rows<false, W>;
template <std::size_t /*W*/>
constexpr IndexedKernel gather_rows = move_rows<true, 0>;
template <std::size_t /*W*/>
constexpr IndexedKernel scatter_rows = move_rows<false, 0>;

/// Where on the axis an index of any type points: axis.size or more where it lies outside.
template <class Index>
std::uint64_t axis_position(const std::byte* place, const IndexedAxis& axis) {
  Index index;
  std::memcpy(&index, place, sizeof index);
  if constexpr (std::is_signed_v<Index>) {
    // As unsigned, a negative index is 2^64 - |index|. Adding the size wraps to the place counted
    // from the end, or does not wrap and stays above the size.
    if (index < 0)
      return axis.negative_counts_from_end
                 ? static_cast<std::uint64_t>(std::int64_t{index}) + axis.size
                 : axis.size;
  }
  return static_cast<std::uint64_t>(index);
}

template <class Index>
void resolve(const IndexLines& given_indices, const IndexedAxis& given_axis,
             std::ptrdiff_t* offsets) {
  const IndexLines indices = given_indices;  // the stores could be to the original
  const IndexedAxis axis = given_axis;
  for (std::ptrdiff_t line = 0; line < indices.lines; ++line)
    for (std::ptrdiff_t i = 0; i < indices.count; ++i) {
      const std::uint64_t position = axis_position<Index>(
          indices.first + line * indices.line_stride_bytes + i * indices.stride_bytes, axis);
      *offsets++ = position < axis.size
                       ? bytes(position, static_cast<std::size_t>(axis.stride_bytes)) +
                             line * indices.line_bytes + i * indices.step_bytes
                       : -1;
    }
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
constexpr IndexKernels kIndexKernels{resolve<Index>, find_outside<Index>, {}, {}};
constexpr IndexKernelTable kScalarIndexKernels{
    {kIndexKernels<std::int32_t>, kIndexKernels<std::int64_t>, kIndexKernels<std::uint32_t>,
     kIndexKernels<std::uint64_t>}};

}  // namespace opconform::optimized
