#include "optimized/indexed_move.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>

#include "optimized/machine.h"
#include "optimized/parallel.h"
#include "optimized/pipeline.h"
#include "optimized/tuning.h"

namespace opconform::optimized {
namespace {

IndexedShape shape_of(const IndexedNest& nest) {
  using enum IndexedShape;
  if (is_width(nest.row_bytes)) return nest.gathers ? kGatherElements : kScatterElements;
  if (!nest.gathers) return kScatterRows;
  return nest.row_bytes < 2 * kWidths.back() ? kGatherShortRows : kGatherRows;
}

/// A gather of rows past the cache.
void stream_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  Pipeline pipeline;
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i) {
      static_cast<void>(pipeline.room(0, 1, {}));
      pipeline.put({to + i * rows.step_bytes, from + rows.offsets[i], rows.row_bytes});
    }
  }
}

}  // namespace

IndexedNest::IndexedNest(const IndexedMove& move)
    : is_empty(optimized::is_empty(move.loops)),
      gathers(move.gathers),
      row_bytes(move.width_bytes) {
  if (is_empty) return;  // the product of what the other loops count may be too large for a number
  for (const Loop& loop : move.loops) (loop.index_stride != 0 ? indexed : free).push_back(loop);
  normalise(indexed, &Loop::index_stride);
  normalise(free, &Loop::target_stride);
  const auto width = static_cast<std::ptrdiff_t>(move.width_bytes);
  if (!free.empty() && free.back().source_stride == width && free.back().target_stride == width)
    row_bytes *= static_cast<std::size_t>(take_innermost(free).count);
  if (!gathers && is_width(row_bytes)) {
    indexed.append(free.begin(), free.end());
    free.clear();
    // The inner a loop, the fewer new bytes it is to read and write at a step. Elements of one
    // place differ in their step along the axis alone, and so keep their order.
    std::ranges::stable_sort(indexed, std::greater{}, [&](const Loop& loop) {
      const auto new_bytes = [](std::ptrdiff_t stride) {
        return std::min(std::abs(stride), kCacheLineBytes);
      };
      return new_bytes(loop.index_stride) + new_bytes(loop.source_stride) +
             new_bytes(loop.target_stride != 0 ? loop.target_stride : move.axis_stride_bytes);
    });
    picks = take_innermost(indexed);
    lines = take_innermost(indexed);
  } else {
    picks = take_innermost(indexed);
    repeat = take_innermost(free);
  }
}

IndexedChunks::IndexedChunks(const IndexedNest& nest, IndexedShape shape, std::size_t width_bytes)
    : is_one(nest.indexed.empty() && nest.picks.count <= kIndexChunk) {
  const std::ptrdiff_t step_bytes = std::max(std::abs(nest.indexed_stride(nest.repeat)),
                                             static_cast<std::ptrdiff_t>(width_bytes));
  // All steps, where the indices need not be resolved again for each.
  repeat_block = is_one ? nest.repeat.count : fitting(kGatherBlockBytes, step_bytes);
  // Where most lines of the axis are used, they are fetched in order.
  fetches = shape == IndexedShape::kGatherElements &&
            nest.repeat.source_stride >= machine_in_use().fetched_row_bytes &&
            nest.repeat.source_stride / kCacheLineBytes <= nest.picks.count;
  fetched_step = is_one ? kPrefetchRows : repeat_block;
}

/// Of what is picked from at a later step each chunk fetches its part; none behind the last step.
void IndexedChunks::fetch_ahead(const Loop& repeat, std::ptrdiff_t step, const Loop& picks,
                                std::ptrdiff_t first, IndexedRows& rows) const {
  if (!fetches) return;
  rows.fetch_bytes = repeat.source_stride / ((picks.count - 1) / kIndexChunk + 1);
  rows.fetch_offset = fetched_step * repeat.source_stride + first / kIndexChunk * rows.fetch_bytes;
  rows.fetch_steps = std::min(rows.repeat.count, repeat.count - step - fetched_step);
}

IndexedPlan::IndexedPlan(const IndexedMove& move, Isa isa)
    : axis_{move.axis_size, move.axis_stride_bytes, move.negative_counts_from_end},
      index_type_(move.index_type),
      kernels_(find_index_kernels(move.index_type, axis_, isa)),
      checked_(move.checked_indices),
      nest_(move),
      shape_(shape_of(nest_)),
      chunks_(nest_, shape_, move.width_bytes) {
  // The rows of a scatter stay apart in all loops but the one along the axis, whose stride is 0.
  if (nest_.gathers) cut_ = &IndexedNest::picks;
  for (Loop IndexedNest::*loop : {&IndexedNest::picks, &IndexedNest::lines, &IndexedNest::repeat})
    if ((nest_.*loop).count >= kLeastCut && (nest_.gathers || (nest_.*loop).target_stride != 0))
      cut_ = loop;
  choose_once();
  const bool streams = shape_ == IndexedShape::kGatherRows && isa == Isa::kAvx2 &&
                       nest_.row_bytes >= std::size_t{kStreamingRunBytes} &&
                       nest_.step_bytes() >= machine_in_use().streamed_gather_bytes;
  const std::size_t width_bytes = std::min(std::bit_floor(nest_.row_bytes), kWidths.back());
  kernel_ = streams ? stream_rows : find_kernel(shape_, width_bytes, isa);
}

void IndexedPlan::choose_once() {
  if (!is_width(nest_.row_bytes)) return;
  const auto column = static_cast<std::size_t>(std::countr_zero(nest_.row_bytes));
  const auto index_bytes = static_cast<std::ptrdiff_t>(element_size_bytes(index_type_));
  if (!nest_.gathers)
    scatter_once_ = find_index_kernels(index_type_, axis_, Isa::kScalar).scatter_once[column];
  else if (nest_.repeat.count == 1 && nest_.picks.index_stride == index_bytes &&
           nest_.picks.count >= kLeastOnce)
    gather_once_ = kernels_.gather_once[column];
}

ExecutionResult IndexedPlan::check(const std::byte* indices) const {
  if (!checked_) return std::nullopt;
  const std::ptrdiff_t place = kernels_.find_outside(indices, checked_->count, axis_);
  if (place == checked_->count) return std::nullopt;
  const std::size_t width = element_size_bytes(index_type_);
  const auto element = static_cast<std::uint64_t>(place);
  std::int32_t narrow = 0;
  std::memcpy(&narrow, indices + bytes(element, width), sizeof narrow);
  std::int64_t index = narrow;
  if (width == sizeof index) std::memcpy(&index, indices + bytes(element, width), sizeof index);
  return checked_->error(checked_->sizes, element, index, axis_.size,
                         axis_.negative_counts_from_end);
}

void IndexedPlan::execute(const std::byte* indices, const std::byte* source, std::byte* target,
                          unsigned threads) const {
  if (nest_.is_empty) return;
  if (threads < 2 || cut_ == nullptr) return execute_part(nest_, indices, source, target);
  const Loop& cut = nest_.*cut_;
  const auto steps = step_count(nest_.free) * step_count(nest_.indexed) * nest_.lines.count;
  // What gathers need, and of what is scattered enough to share few lines of the cache.
  const auto few = nest_.gathers ? kLeastOnce : fitting(kLeastRowBytes, cut.target_stride);
  const std::ptrdiff_t least = std::max(steps_of_part(cut.count, steps * nest_.step_bytes()), few);
  for_parts(cut.count, least, threads, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
    IndexedNest nest = nest_;
    (nest.*cut_).count = count;
    Position at;
    at.advance(cut, first);
    execute_part(nest, indices + at.index, source + at.source, target + at.target);
  });
}

void IndexedPlan::execute_part(const IndexedNest& nest, const std::byte* indices,
                               const std::byte* source, std::byte* target) const {
  const Loop& repeat = nest.repeat;
  const Loop& picks = nest.picks;
  if (gather_once_ != nullptr) return gather_once_(target, source, indices, picks.count, axis_);
  if (scatter_once_ != nullptr)
    return for_each_position(nest_.indexed, [&](const Position& at) {
      scatter_once_(target + at.target, source + at.source, indices + at.index, axis_, nest.lines,
                    picks);
    });
  std::array<std::ptrdiff_t, kIndexChunk> offsets;
  IndexLine line{.first = nullptr,  // none is resolved yet
                 .count = 0,
                 .stride_bytes = picks.index_stride,
                 .step_bytes = nest_.indexed_stride(picks)};
  IndexedRows rows{.offsets = offsets.data(),
                   .step_bytes = nest_.gathers ? picks.target_stride : picks.source_stride,
                   .row_bytes = static_cast<std::ptrdiff_t>(nest_.row_bytes),
                   .repeat = repeat};
  // Resolves a chunk of the indices, and moves the rows that they stand for.
  const auto move_chunk = [&](Position at, std::ptrdiff_t first) {
    at.advance(picks, first);
    line.count = rows.count = std::min(kIndexChunk, picks.count - first);
    if (line.first == nullptr || !chunks_.is_one) {
      line.first = indices + at.index;
      kernels_.resolve(line, axis_, offsets.data());
    }
    kernel_(target + at.target, source + at.source, rows);
  };
  for_each_position(nest_.free, [&](const Position& outer) {
    for (std::ptrdiff_t step = 0; step < repeat.count; step += chunks_.repeat_block) {
      rows.repeat.count = std::min(chunks_.repeat_block, repeat.count - step);
      for_each_position(nest_.indexed, [&](Position at) {
        at.source += outer.source;
        at.target += outer.target;
        at.advance(repeat, step);
        for (std::ptrdiff_t first = 0; first < picks.count; first += kIndexChunk) {
          chunks_.fetch_ahead(repeat, step, picks, first, rows);
          move_chunk(at, first);
        }
      });
    }
  });
}

}  // namespace opconform::optimized
