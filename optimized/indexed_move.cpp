#include "optimized/indexed_move.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#include "optimized/tuning.h"

namespace opconform::optimized {
namespace {

template <class Index>
Index read_index(const std::byte* place) {
  Index index;
  std::memcpy(&index, place, sizeof index);
  return index;
}

/// Where on the axis an index points, in 64 bits whatever its type: axis.size or more where it lies
/// outside.
template <class Index>
std::uint64_t axis_position(Index index, const IndexedPlan::Axis& axis) {
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
void resolve(const std::byte* first, const Loop& indices, const IndexedPlan::Axis& axis,
             std::ptrdiff_t indexed_stride, std::ptrdiff_t* offsets) {
  for (std::ptrdiff_t i = 0; i < indices.count; ++i) {
    const std::uint64_t position =
        axis_position(read_index<Index>(first + i * indices.index_stride), axis);
    offsets[i] =
        position < axis.size
            ? bytes(position, static_cast<std::size_t>(axis.stride_bytes)) + i * indexed_stride
            : -1;
  }
}

IndexedPlan::Resolve find_resolve(DataType index_type) {
  if (kind(index_type) == DataTypeKind::kUnsigned)
    return element_size_bytes(index_type) == 4 ? resolve<std::uint32_t> : resolve<std::uint64_t>;
  return element_size_bytes(index_type) == 4 ? resolve<std::int32_t> : resolve<std::int64_t>;
}

/// "[1,2]"; nothing for a scalar.
std::string coordinates(std::uint64_t position, const Dims& sizes) {
  std::string text;
  for (std::size_t i = sizes.size(); i-- > 0; position /= sizes[i])
    text = (i == 0 ? '[' : ',') + std::to_string(position % sizes[i]) + text;
  return text.empty() ? text : text + ']';
}

ExecutionError index_range_error(const std::string& index, std::uint64_t position,
                                 const Dims& sizes, const IndexedPlan::Axis& axis) {
  const std::string least = axis.negative_counts_from_end ? "-" + std::to_string(axis.size) : "0";
  return {"gather.index-range",
          "indices" + coordinates(position, sizes) + " (element " + std::to_string(position) +
              ") is " + index + ", but must be at least " + least + " and less than " +
              std::to_string(axis.size) + ", the size of data along the axis"};
}

}  // namespace

IndexedPlan::IndexedPlan(const IndexedMove& move, Isa isa)
    : axis_{move.axis_size, move.axis_stride_bytes, move.negative_counts_from_end},
      checked_indices_(move.checked_indices),
      index_type_(move.index_type),
      resolve_(find_resolve(move.index_type)),
      side_(move.side),
      empty_(is_empty(move.loops)),
      row_bytes_(move.width_bytes) {
  for (const Loop& loop : move.loops)
    (loop.index_stride != 0 ? index_loops_ : free_loops_).push_back(loop);
  if (!empty_) {
    normalise(index_loops_, &Loop::index_stride);
    normalise(free_loops_, &Loop::target_stride);
  }
  if (!index_loops_.empty()) {
    indices_ = index_loops_.back();
    index_loops_.pop_back();
  }
  const auto width = static_cast<std::ptrdiff_t>(move.width_bytes);
  if (!free_loops_.empty() && free_loops_.back().source_stride == width &&
      free_loops_.back().target_stride == width) {
    row_bytes_ *= static_cast<std::size_t>(free_loops_.back().count);
    free_loops_.pop_back();
  }
  if (!free_loops_.empty()) {
    repeat_ = free_loops_.back();
    free_loops_.pop_back();
  }
  const bool element = is_width(row_bytes_);
  if (side_ == IndexedSide::kSource)
    shape_ = element ? IndexedShape::kGatherElements : IndexedShape::kGatherRows;
  else
    shape_ = element ? IndexedShape::kScatterElements : IndexedShape::kScatterRows;
  kernel_ = find_kernel(shape_, element ? row_bytes_ : 1, isa);
}

ExecutionResult IndexedPlan::check(const std::byte* indices) const {
  if (!checked_indices_) return std::nullopt;
  const std::uint64_t count = element_count(*checked_indices_).value();
  const auto check_all = [&]<class Index>(Index) -> ExecutionResult {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto index = read_index<Index>(indices + bytes(i, sizeof(Index)));
      if (axis_position(index, axis_) >= axis_.size)
        return index_range_error(std::to_string(index), i, *checked_indices_, axis_);
    }
    return std::nullopt;
  };
  return element_size_bytes(index_type_) == 4 ? check_all(std::int32_t{})
                                              : check_all(std::int64_t{});
}

void IndexedPlan::execute(const std::byte* indices, const std::byte* source,
                          std::byte* target) const {
  if (empty_) return;
  const bool gathers = side_ == IndexedSide::kSource;
  const std::ptrdiff_t indexed_stride = gathers ? indices_.source_stride : indices_.target_stride;
  std::array<std::ptrdiff_t, kIndexChunk> offsets;
  IndexedRows rows{.offsets = offsets.data(),
                   .count = 0,
                   .step_bytes = gathers ? indices_.target_stride : indices_.source_stride,
                   .row_bytes = static_cast<std::ptrdiff_t>(row_bytes_),
                   .repeat = repeat_};
  for_each_position(index_loops_, [&](Position chunk) {
    for (std::ptrdiff_t first = 0; first < indices_.count; first += kIndexChunk) {
      Loop part = indices_;
      part.count = rows.count = std::min(kIndexChunk, indices_.count - first);
      resolve_(indices + chunk.index, part, axis_, indexed_stride, offsets.data());
      for_each_position(free_loops_, [&](const Position& at) {
        kernel_(target + chunk.target + at.target, source + chunk.source + at.source, rows);
      });
      chunk.advance(part, part.count);
    }
  });
}

}  // namespace opconform::optimized
