// Indexed moves without intrinsics.
#include <cstring>

#include "optimized/kernels/kernels.h"

namespace opconform::optimized {
namespace {

/// Calls `move(to, from)` for each row of a gather.
template <class Move>
void gather(std::byte* target, const std::byte* source, const IndexedRows& rows, Move move) {
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i)
      move(to + i * rows.step_bytes, from + rows.offsets[i]);
  }
}

/// Calls `move(to, from)` for each row of a scatter that is not skipped.
template <class Move>
void scatter(std::byte* target, const std::byte* source, const IndexedRows& rows, Move move) {
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i)
      if (rows.offsets[i] >= 0) move(to + rows.offsets[i], from + i * rows.step_bytes);
  }
}

template <std::size_t W>
void gather_elements(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  gather(target, source, rows,
         [](std::byte* to, const std::byte* from) { std::memcpy(to, from, W); });
}

template <std::size_t W>
void scatter_elements(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  scatter(target, source, rows,
          [](std::byte* to, const std::byte* from) { std::memcpy(to, from, W); });
}

template <std::size_t W>
void gather_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  const auto row_bytes = static_cast<std::size_t>(rows.row_bytes);
  gather(target, source, rows,
         [=](std::byte* to, const std::byte* from) { std::memcpy(to, from, row_bytes); });
}

template <std::size_t W>
void scatter_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  const auto row_bytes = static_cast<std::size_t>(rows.row_bytes);
  scatter(target, source, rows,
          [=](std::byte* to, const std::byte* from) { std::memcpy(to, from, row_bytes); });
}

}  // namespace

#define OPCONFORM_INDEXED_KERNEL(shape, scalar_function, avx2_function) \
  OPCONFORM_WIDTHS(scalar_function)
constexpr IndexedKernels kScalarIndexedKernels{{
#include "optimized/kernels/kernels.def"
}};

}  // namespace opconform::optimized
