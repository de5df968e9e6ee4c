// Indexed moves: rows whose place on one side comes from an index.
#pragma once

#include <optional>

#include "opconform/optimized.h"
#include "optimized/kernels/kernels.h"
#include "optimized/loops.h"
#include "spec/tensor.h"

namespace opconform::optimized {

/// Indices that must all lie inside.
struct CheckedIndices {
  Dims sizes;  ///< of a packed tensor
  /// What is said of the first that does not: of an element of so many places, and its value.
  ExecutionError (*error)(const Dims& sizes, std::uint64_t element, std::int64_t index,
                          std::uint64_t axis_size, bool negative_counts_from_end);
  std::ptrdiff_t count = bytes(element_count(sizes).value(), 1);
};

/// For all steps of the loops: target[...] = source[...], each at the sum of its strides, and the
/// indexed side axis_stride_bytes times the index further on.
struct IndexedMove {
  std::size_t width_bytes = 0;
  Loops loops{};
  bool gathers = true;  ///< the source is indexed, else the target
  DataType index_type = DataType::kInt64;
  std::uint64_t axis_size = 0;
  std::ptrdiff_t axis_stride_bytes = 0;
  bool negative_counts_from_end = true;  ///< or lies outside; says nothing of unsigned types
  /// None: a row whose index lies outside is left out.
  std::optional<CheckedIndices> checked_indices{};
};

/// The loops of an indexed move, by what they do to its indices.
struct IndexedNest {
  explicit IndexedNest(const IndexedMove& move);
  /// The output of one step of the free loops.
  [[nodiscard]] std::ptrdiff_t step_bytes() const {
    return repeat.count * picks.count * static_cast<std::ptrdiff_t>(row_bytes);
  }
  [[nodiscard]] std::ptrdiff_t indexed_stride(const Loop& loop) const {
    return gathers ? loop.source_stride : loop.target_stride;
  }

  bool is_empty;
  bool gathers;           ///< the source is indexed
  std::size_t row_bytes;  ///< that lie together on both sides
  Loops free;             ///< repeat the indices; without the next and the row
  Loop repeat;
  Loops indexed;  ///< the others; all, where elements are scattered; without the next two
  Loop lines;     ///< of a scatter of elements
  Loop picks;
};

/// In which pieces indices are resolved, and what a gather fetches meanwhile.
struct IndexedChunks {
  IndexedChunks(const IndexedNest& nest, IndexedShape shape, std::size_t width_bytes);
  void fetch_ahead(const Loop& repeat, std::ptrdiff_t step, const Loop& picks, std::ptrdiff_t first,
                   IndexedRows& rows) const;
  bool is_one;                  ///< all indices are resolved at once
  std::ptrdiff_t repeat_block;  ///< steps of nest.repeat that share what is resolved
  bool fetches;                 ///< source bytes for the step of it so many further on
  std::ptrdiff_t fetched_step;
};

/// An indexed move with its kernel.
class IndexedPlan {
 public:
  IndexedPlan(const IndexedMove& move, Isa isa);

  /// The error of the first index that must lie inside and does not. Touches the indices alone.
  [[nodiscard]] ExecutionResult check(const std::byte* indices) const;
  void execute(const std::byte* indices, const std::byte* source, std::byte* target,
               unsigned threads = 1) const;

  [[nodiscard]] IndexedShape shape() const { return shape_; }
  [[nodiscard]] std::size_t row_bytes() const { return nest_.row_bytes; }

 private:
  void choose_once();
  /// Of a nest that has some steps of the cut loop.
  void execute_part(const IndexedNest& nest, const std::byte* indices, const std::byte* source,
                    std::byte* target) const;

  IndexedAxis axis_;
  DataType index_type_;
  const IndexKernels& kernels_;
  std::optional<CheckedIndices> checked_;
  IndexedNest nest_;
  IndexedShape shape_;
  IndexedChunks chunks_;
  Loop IndexedNest::*cut_ = nullptr;  // for threads; null where one moves all
  IndexedKernel kernel_;
  // Instead of chunks and kernel, where one of them is set.
  GatherOnce gather_once_ = nullptr;
  ScatterOnce scatter_once_ = nullptr;
};

}  // namespace opconform::optimized
