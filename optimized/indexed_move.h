// Indexed moves: rows whose place on one side comes from an index. Gather, and the second half of
// Scatter.
#pragma once

#include <optional>

#include "opconform/optimized.h"
#include "optimized/kernels/kernels.h"
#include "optimized/loops.h"

namespace opconform::optimized {

enum class IndexedSide : unsigned char { kSource, kTarget };

/// For all steps of the loops: target[...] = source[...], each at the sum of its strides, and the
/// indexed side axis_stride_bytes times the index further on.
struct IndexedMove {
  std::size_t width_bytes = 0;
  Loops loops;
  IndexedSide side = IndexedSide::kSource;
  DataType index_type = DataType::kInt64;
  std::uint64_t axis_size = 0;
  std::ptrdiff_t axis_stride_bytes = 0;
  bool negative_counts_from_end = true;  ///< or lies outside; says nothing of unsigned types
  /// The shape of packed indices that must all lie inside. None: a row whose index lies outside is
  /// left out.
  std::optional<Dims> checked_indices;
};

/// An indexed move with its kernel.
class IndexedPlan {
 public:
  IndexedPlan(const IndexedMove& move, Isa isa);

  /// The error where an index that must lie inside does not. Touches nothing but the indices.
  [[nodiscard]] ExecutionResult check(const std::byte* indices) const;
  /// A scatter uses one thread: two of its rows may have one place.
  void execute(const std::byte* indices, const std::byte* source, std::byte* target,
               unsigned threads = 1) const;

  [[nodiscard]] IndexedShape shape() const { return shape_; }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }

 private:
  /// With these instead of repeat_ and indices_, from there on.
  void execute_part(const Loop& repeat, const Loop& picks, const Position& at_first,
                    const std::byte* indices, const std::byte* source, std::byte* target) const;
  void scatter_once(const std::byte* indices, const std::byte* source, std::byte* target) const;
  [[nodiscard]] std::ptrdiff_t choose_repeat_block(std::ptrdiff_t width) const;
  void choose_parts();
  [[nodiscard]] bool is_worth_streaming() const;
  void choose_fetching();
  void fetch_for_chunk(const Loop& repeat, const Loop& picks, std::ptrdiff_t first,
                       IndexedRows& rows) const;
  void fetch_for_block(const Loop& repeat, std::ptrdiff_t step, IndexedRows& rows) const;

  IndexedAxis axis_;
  std::optional<Dims> checked_indices_;
  DataType index_type_;
  IndexKernels index_kernels_;
  bool gathers_;
  bool empty_;
  Loops free_loops_;  // the loops that repeat the indices, without repeat_ and the row
  Loop repeat_;
  std::ptrdiff_t repeat_block_;  // steps of repeat_ that share what is resolved of the indices
  Loops index_loops_;            // the loops with several indices, without the next two
  Loop line_;
  Loop indices_;
  bool fetches_;                 // source bytes for the step fetched_step_ further on
  std::ptrdiff_t fetched_step_;  // of repeat_
  bool streams_;
  std::ptrdiff_t output_bytes_;  // of a step of the free loops
  bool cuts_repeat_;  // into parts for threads, of least_part_ steps at least; else indices_
  std::ptrdiff_t least_part_;
  bool one_chunk_;  // all indices are resolved at once
  std::size_t row_bytes_;
  IndexedShape shape_;
  IndexedKernel kernel_;
  // Instead of all that.
  GatherOnce gather_once_ = nullptr;
  ScatterOnce scatter_once_ = nullptr;
};

}  // namespace opconform::optimized
