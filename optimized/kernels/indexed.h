// What kernels of indexed moves are given, and the functions that read indices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "opconform/optimized.h"
#include "optimized/loops.h"

namespace opconform::optimized {

/// Lines of rows. Row i of a line lies `offsets[line * count + i]` bytes from the start of the
/// indexed side (the source of a gather, the target of a scatter), and line * line_bytes +
/// i * step_bytes from the start of the other. All of it again at each step of `repeat`. A gather
/// has one line, and its rows lie together in the target.
struct IndexedRows {
  const std::ptrdiff_t* offsets;  ///< a scatter skips those below 0; a gather has none
  std::ptrdiff_t count = 0;
  std::ptrdiff_t step_bytes;
  std::ptrdiff_t lines = 0;
  std::ptrdiff_t line_bytes;
  std::ptrdiff_t row_bytes;  ///< W for kernels of elements, W to 2 W - 1 for those of short rows
  Loop repeat;
  // What a gather of elements fetches at each of the first steps, for later ones.
  std::ptrdiff_t fetch_steps = 0;
  std::ptrdiff_t fetch_offset = 0;
  std::ptrdiff_t fetch_bytes = 0;
};
using IndexedKernel = void (*)(std::byte* target, const std::byte* source, const IndexedRows& rows);

/// The axis that indices count along.
struct IndexedAxis {
  std::uint64_t size;
  std::ptrdiff_t stride_bytes;
  bool negative_counts_from_end;  ///< or lies outside; says nothing of unsigned types
};
/// Lines of indices. On the indexed side, index i of a line stands for a row line * line_bytes +
/// i * step_bytes further on.
struct IndexLines {
  const std::byte* first = nullptr;
  std::ptrdiff_t count;
  std::ptrdiff_t stride_bytes;
  std::ptrdiff_t step_bytes;
  std::ptrdiff_t lines = 0;
  std::ptrdiff_t line_stride_bytes;
  std::ptrdiff_t line_bytes;
};
using GatherOnce = void (*)(std::byte* target, const std::byte* source, const std::byte* indices,
                            std::ptrdiff_t count, const IndexedAxis& axis);
using ScatterOnce = void (*)(std::byte* target, const std::byte* source, const IndexLines& indices,
                             const IndexedAxis& axis, std::ptrdiff_t source_step_bytes,
                             std::ptrdiff_t source_line_bytes);
using ResolveIndices = void (*)(const IndexLines& indices, const IndexedAxis& axis,
                                std::ptrdiff_t* offsets);
using FindOutside = std::ptrdiff_t (*)(const std::byte* first, std::ptrdiff_t count,
                                       const IndexedAxis& axis);
/// What is done with indices of one type.
struct IndexKernels {
  /// The offsets of IndexedRows; below 0 where an index lies outside.
  ResolveIndices resolve;
  /// The first of `count` packed indices that lies outside; count where there is none.
  FindOutside find_outside;
  // Elements whose indices are used once, by place of their width in kWidths. Lines are packed and
  // have at least kLeastOnce indices. Null: resolve and a kernel of elements do it in two steps.
  /// Elements without gaps along the axis and in the target. All indices lie inside.
  std::array<GatherOnce, 5> gather_once;
  std::array<ScatterOnce, 5> scatter_once;
};
inline constexpr std::ptrdiff_t kLeastOnce = 4;

/// By place in kIndexTypes.
using IndexKernelTable = std::array<IndexKernels, 4>;
inline constexpr std::array kIndexTypes{DataType::kInt32, DataType::kInt64, DataType::kUint32,
                                        DataType::kUint64};
extern const IndexKernelTable kScalarIndexKernels;
extern const IndexKernelTable kAvx2IndexKernels;
/// What the AVX2 functions ask of an axis, so that places and their products fit: at most so many
/// places, less than 2^32 bytes apart.
inline constexpr std::uint64_t kMostVectorAxis = std::uint64_t{1} << 30;

[[nodiscard]] const IndexKernels& find_index_kernels(DataType index_type, const IndexedAxis& axis,
                                                     Isa isa);

}  // namespace opconform::optimized
