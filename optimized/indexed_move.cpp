#include "optimized/indexed_move.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "optimized/parallel.h"
#include "optimized/tuning.h"

namespace opconform::optimized {
namespace {

/// "[1,2]"; nothing for a scalar.
std::string coordinates(std::uint64_t position, const Dims& sizes) {
  std::string text;
  for (std::size_t i = sizes.size(); i-- > 0; position /= sizes[i])
    text = (i == 0 ? '[' : ',') + std::to_string(position % sizes[i]) + text;
  return text.empty() ? text : text + ']';
}

ExecutionError index_range_error(const std::byte* indices, DataType index_type,
                                 std::uint64_t position, const Dims& sizes,
                                 const IndexedAxis& axis) {
  const auto read = [&]<class Index>(Index index) {
    std::memcpy(&index, indices + bytes(position, sizeof index), sizeof index);
    return std::to_string(index);
  };
  const std::string index =
      element_size_bytes(index_type) == 4 ? read(std::int32_t{}) : read(std::int64_t{});
  const std::string least = axis.negative_counts_from_end ? "-" + std::to_string(axis.size) : "0";
  return {"gather.index-range",
          "indices" + coordinates(position, sizes) + " (element " + std::to_string(position) +
              ") is " + index + ", but must be at least " + least + " and less than " +
              std::to_string(axis.size) + ", the size of data along the axis"};
}

/// A gather of rows past the cache, several side by side.
void stream_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  InlineVector<Run, std::size_t{kRowsTogether}> runs;
  const auto flush = [&] {
    kAvx2Stream(runs.data(), std::ssize(runs), {});
    runs.resize(0);
  };
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i) {
      if (std::ssize(runs) == kRowsTogether) flush();
      runs.push_back({to + i * rows.step_bytes, from + rows.offsets[i], rows.row_bytes});
    }
  }
  flush();
}

}  // namespace

IndexedPlan::IndexedPlan(const IndexedMove& move, Isa isa)
    : axis_{move.axis_size, move.axis_stride_bytes, move.negative_counts_from_end},
      checked_indices_(move.checked_indices),
      index_type_(move.index_type),
      index_kernels_(find_index_kernels(move.index_type, axis_, isa)),
      gathers_(move.side == IndexedSide::kSource),
      empty_(is_empty(move.loops)),
      row_bytes_(move.width_bytes) {
  for (const Loop& loop : move.loops)
    (loop.index_stride != 0 ? index_loops_ : free_loops_).push_back(loop);
  if (!empty_) {
    normalise(index_loops_, &Loop::index_stride);
    normalise(free_loops_, &Loop::target_stride);
  }
  indices_ = take_innermost(index_loops_);
  line_ = take_innermost(index_loops_);
  const auto width = static_cast<std::ptrdiff_t>(move.width_bytes);
  if (!empty_ && !free_loops_.empty() && free_loops_.back().source_stride == width &&
      free_loops_.back().target_stride == width)
    row_bytes_ *= static_cast<std::size_t>(take_innermost(free_loops_).count);
  repeat_ = take_innermost(free_loops_);

  one_chunk_ = index_loops_.empty() && line_.count * indices_.count <= kIndexChunk;
  repeat_block_ = choose_repeat_block(width);
  using enum IndexedShape;
  if (is_width(row_bytes_))
    shape_ = gathers_ ? kGatherElements : kScatterElements;
  else if (gathers_)
    shape_ = row_bytes_ < 2 * kWidths.back() ? kGatherShortRows : kGatherRows;
  else
    shape_ = kScatterRows;
  choose_fetching();
  const auto index_bytes = static_cast<std::ptrdiff_t>(element_size_bytes(index_type_));
  if (is_width(row_bytes_) && repeat_.count == 1 && indices_.index_stride == index_bytes &&
      indices_.count >= kLeastOnce) {
    const auto column = static_cast<std::size_t>(std::countr_zero(row_bytes_));
    if (gathers_)
      gather_once_ = index_kernels_.gather_once[column];
    else
      scatter_once_ = index_kernels_.scatter_once[column];
  }
  output_bytes_ = repeat_.count * indices_.count * static_cast<std::ptrdiff_t>(row_bytes_);
  choose_parts();
  least_part_ = std::max(least_part_, std::ptrdiff_t{kLeastOnce});  // that kernels need
  streams_ = shape_ == kGatherRows && isa == Isa::kAvx2 && is_worth_streaming();
  kernel_ = streams_
                ? stream_rows
                : find_kernel(shape_, std::min(std::bit_floor(row_bytes_), kWidths.back()), isa);
}

/// All steps, where the indices need not be resolved again for each.
std::ptrdiff_t IndexedPlan::choose_repeat_block(std::ptrdiff_t width) const {
  if (one_chunk_) return repeat_.count;
  const std::ptrdiff_t step_bytes = gathers_ ? repeat_.source_stride : repeat_.target_stride;
  return std::max(kGatherBlockBytes / std::max(std::abs(step_bytes), width), std::ptrdiff_t{1});
}

/// As much as is worth a thread.
void IndexedPlan::choose_parts() {
  cuts_repeat_ = repeat_.count >= kLeastCut;
  least_part_ = fitting(kLeastPartBytes * (cuts_repeat_ ? repeat_ : indices_).count, output_bytes_);
}

/// Where most lines of the axis are used, they are fetched in order.
void IndexedPlan::choose_fetching() {
  fetches_ = shape_ == IndexedShape::kGatherElements &&
             repeat_.source_stride / kCacheLineBytes <= indices_.count;
  fetched_step_ = one_chunk_ ? kPrefetchRows : repeat_block_;
}

bool IndexedPlan::is_worth_streaming() const {
  return output_bytes_ >= kStreamedGatherBytes && row_bytes_ >= kStreamedRowBytes;
}

/// Of what is picked from at a later step each chunk fetches its part.
void IndexedPlan::fetch_for_chunk(const Loop& repeat, const Loop& picks, std::ptrdiff_t first,
                                  IndexedRows& rows) const {
  rows.fetch_bytes = repeat.source_stride / ((picks.count - 1) / kIndexChunk + 1);
  rows.fetch_offset = fetched_step_ * repeat.source_stride + first / kIndexChunk * rows.fetch_bytes;
}

/// What lies behind the last step is not fetched.
void IndexedPlan::fetch_for_block(const Loop& repeat, std::ptrdiff_t step,
                                  IndexedRows& rows) const {
  if (fetches_) rows.fetch_steps = std::min(rows.repeat.count, repeat.count - step - fetched_step_);
}

ExecutionResult IndexedPlan::check(const std::byte* indices) const {
  if (!checked_indices_) return std::nullopt;
  const auto count = static_cast<std::ptrdiff_t>(element_count(*checked_indices_).value());
  const std::ptrdiff_t place = index_kernels_.find_outside(indices, count, axis_);
  if (place == count) return std::nullopt;
  return index_range_error(indices, index_type_, static_cast<std::uint64_t>(place),
                           *checked_indices_, axis_);
}

void IndexedPlan::scatter_once(const std::byte* indices, const std::byte* source,
                               std::byte* target) const {
  for_each_position(index_loops_, [&](const Position& at) {
    const IndexLines lines{.first = indices + at.index,
                           .count = indices_.count,
                           .stride_bytes = indices_.index_stride,
                           .step_bytes = indices_.target_stride,
                           .lines = line_.count,
                           .line_stride_bytes = line_.index_stride,
                           .line_bytes = line_.target_stride};
    scatter_once_(target + at.target, source + at.source, lines, axis_, indices_.source_stride,
                  line_.source_stride);
  });
}

void IndexedPlan::execute(const std::byte* indices, const std::byte* source, std::byte* target,
                          unsigned threads) const {
  if (empty_) return;
  const Loop& cut = cuts_repeat_ ? repeat_ : indices_;
  for_parts(cut.count, least_part_, gathers_ ? threads : 1,
            [&](std::ptrdiff_t first, std::ptrdiff_t count) {
              Loop repeat = repeat_;
              Loop picks = indices_;
              (cuts_repeat_ ? repeat : picks).count = count;
              Position at;
              at.advance(cut, first);
              execute_part(repeat, picks, at, indices, source, target);
            });
}

void IndexedPlan::execute_part(const Loop& repeat, const Loop& picks, const Position& at_first,
                               const std::byte* indices, const std::byte* source,
                               std::byte* target) const {
  indices += at_first.index;
  source += at_first.source;
  target += at_first.target;
  if (gather_once_ != nullptr) return gather_once_(target, source, indices, picks.count, axis_);
  if (scatter_once_ != nullptr) return scatter_once(indices, source, target);
  const auto indexed = [&](const Loop& loop) {
    return gathers_ ? loop.source_stride : loop.target_stride;
  };
  const auto other = [&](const Loop& loop) {
    return gathers_ ? loop.target_stride : loop.source_stride;
  };
  std::array<std::ptrdiff_t, kIndexChunk> offsets;
  IndexLines taken{.first = nullptr,
                   .count = std::min(picks.count, kIndexChunk),
                   .stride_bytes = picks.index_stride,
                   .step_bytes = indexed(picks),
                   .lines = 0,
                   .line_stride_bytes = line_.index_stride,
                   .line_bytes = indexed(line_)};
  IndexedRows rows{.offsets = offsets.data(),
                   .count = 0,
                   .step_bytes = other(picks),
                   .lines = 0,
                   .line_bytes = other(line_),
                   .row_bytes = static_cast<std::ptrdiff_t>(row_bytes_),
                   .repeat = repeat,
                   .fetch_steps = 0,
                   .fetch_offset = 0,
                   .fetch_bytes = 0};
  const std::ptrdiff_t lines = kIndexChunk / taken.count;  // in a chunk
  const auto move_chunk = [&](Position at, std::ptrdiff_t line, std::ptrdiff_t first) {
    at.advance(line_, line);
    at.advance(picks, first);
    taken.lines = rows.lines = std::min(lines, line_.count - line);
    taken.count = rows.count = std::min(kIndexChunk, picks.count - first);
    fetch_for_chunk(repeat, picks, first, rows);
    if (taken.first == nullptr || !one_chunk_) {
      taken.first = indices + at.index;
      index_kernels_.resolve(taken, axis_, offsets.data());
    }
    kernel_(target + at.target, source + at.source, rows);
  };
  for_each_position(free_loops_, [&](const Position& outer) {
    for (std::ptrdiff_t step = 0; step < repeat.count; step += repeat_block_) {
      rows.repeat.count = std::min(repeat_block_, repeat.count - step);
      fetch_for_block(repeat, step, rows);
      for_each_position(index_loops_, [&](Position at) {
        at.source += outer.source;
        at.target += outer.target;
        at.advance(repeat, step);
        for (std::ptrdiff_t line = 0; line < line_.count; line += lines)
          for (std::ptrdiff_t first = 0; first < picks.count; first += kIndexChunk)
            move_chunk(at, line, first);
      });
    }
  });
  if (streams_) kAvx2Stream(nullptr, 0, {});
}

}  // namespace opconform::optimized