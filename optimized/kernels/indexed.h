// What kernels of indexed moves are given, and the functions that read indices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "opconform/optimized.h"
#include "optimized/loops.h"

namespace opconform::optimized {

/// Row i lies `offsets[i]` bytes from the start of the indexed side (the source of a gather, the
/// target of a scatter), and i * step_bytes from the start of the other. All of it again at each
/// step of `repeat`. The rows of a gather lie together in the target.
struct IndexedRows {
  const std::ptrdiff_t* offsets;  ///< a scatter skips those below 0; a gather has none
  std::ptrdiff_t count = 0;
  std::ptrdiff_t step_bytes;
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
/// Index i stands for a row i * step_bytes further on, on the indexed side.
struct IndexLine {
  const std::byte* first = nullptr;
  std::ptrdiff_t count;
  std::ptrdiff_t stride_bytes;
  std::ptrdiff_t step_bytes;
};
using GatherOnce = void (*)(std::byte* target, const std::byte* source, const std::byte* indices,
                            std::ptrdiff_t count, const IndexedAxis& axis);
/// One element for each step of both loops.
using ScatterOnce = void (*)(std::byte* target, const std::byte* source, const std::byte* indices,
                             const IndexedAxis& axis, const Loop& lines, const Loop& picks);
using ResolveIndices = void (*)(const IndexLine& indices, const IndexedAxis& axis,
                                std::ptrdiff_t* offsets);
using FindOutside = std::ptrdiff_t (*)(const std::byte* first, std::ptrdiff_t count,
                                       const IndexedAxis& axis);
/// What is done with indices of one type.
struct IndexKernels {
  /// The offsets of IndexedRows; below 0 where an index lies outside.
  ResolveIndices resolve;
  /// The first of `count` packed indices that lies outside; count where there is none.
  FindOutside find_outside;
  // What moves elements by their indices at once, by place of their width in kWidths.
  /// At least kLeastOnce, without gaps along the axis and in the target, by packed indices that all
  /// lie inside. In the AVX2 table only: else they are resolved, and a kernel moves elements.
  std::array<GatherOnce, 5> gather_once{};
  /// In the scalar table only: loads wait for stores' addresses, so that vectors gain nothing.
  std::array<ScatterOnce, 5> scatter_once{};
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
