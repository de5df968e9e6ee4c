#include "optimized/copy_plan.h"

#include <algorithm>
#include <cstdlib>

namespace opconform::optimized {
namespace {

/// The loop with the smallest steps in the source, or null where those of `inner` are smaller.
Loop* find_crossing(Loops& loops, const Loop& inner) {
  Loop* found = nullptr;
  for (Loop& loop : loops)
    if (loop.source_stride != 0 &&
        std::abs(loop.source_stride) < std::abs((found != nullptr ? *found : inner).source_stride))
      found = &loop;
  return found;
}

/// The steps of a loop that begin at `first`: `most`, and at least `least`, for which the last of
/// them go back over some of those before. Moves `at` to where they begin.
Loop part_of(Loop loop, std::ptrdiff_t first, std::ptrdiff_t most, std::ptrdiff_t least,
             Position& at) {
  const std::ptrdiff_t count = std::max(std::min(most, loop.count - first), least);
  at.advance(loop, std::min(first, loop.count - count));
  loop.count = count;
  return loop;
}

/// Does each line of the plane's target begin where the one before it ends?
bool is_dense(const Plane& plane) {
  return plane.outer.count == 1 ||
         plane.outer.target_stride == plane.inner.count * plane.inner.target_stride;
}

}  // namespace

CopyPlan::CopyPlan(const AffineCopy& copy, Isa isa, std::optional<Order> order,
                   const Machine& machine, std::ptrdiff_t together_bytes, bool is_tiled)
    : width_(static_cast<std::ptrdiff_t>(copy.width_bytes)), output_bytes_(copy.size_bytes()) {
  Loops loops = copy.loops;
  if (loops.empty())
    loops.push_back({.count = 1, .source_stride = width_, .target_stride = width_});
  choose_kernel(loops, isa, is_tiled && isa == Isa::kAvx2);
  kernel_ = find_kernel(shape_, static_cast<std::size_t>(width_), isa);
  choose_plane(loops);
  for (const Loop& loop : loops) loops_.push_back(loop);
  needs_no_stage_ = are_runs_of(plane_.outer.source_stride == 0 ? kStreamingRunBytes
                                                                : machine.unstaged_run_bytes);
  if (isa == Isa::kAvx2)
    order_ = order.value_or(choose_order(std::max(output_bytes_, together_bytes), machine));
  if (order_ == Order::kStreamed && !can_be_staged()) order_ = Order::kFetched;
  block_ = order_ == Order::kStreamed ? choose_staged_block() : choose_block();
  // What is fetched for a step of the plane.
  if (order_ != Order::kPlain)
    stretches_ = tile_.empty() ? Tile::Stretches{{0, width_}} : tile_.stretches();
  cut_place_ = choose_cut();
  cut_ = loop_at(cut_place_, loops_.all(), plane_);
  if (cut_place_ == loops_.all().size()) cut_least_ = least_.outer;
  if (cut_place_ == loops_.all().size() + 1) cut_least_ = least_.inner;
  is_one_plane_ = order_ == Order::kPlain && loops_.all().empty() && is_whole(plane_);
}

/// The shape, and the inner loop of its plane.
void CopyPlan::choose_kernel(Loops& loops, Isa isa, bool is_tiled) {
  const auto choose = [&](PlaneShape shape, Block least = {}) {
    shape_ = shape;
    least_ = least;
    plane_.inner = take_innermost(loops);
  };
  const Loop inner = loops.back();
  std::ptrdiff_t run_bytes = 0;  // of a short run
  if (inner.target_stride == width_) {
    if (std::ranges::count(loops, 0, &Loop::source_stride) > 0)
      tile_ = Tile::of_pattern(loops, width_);
    if (!tile_.empty()) return choose(PlaneShape::kRepeat);
    if (inner.source_stride == width_) {
      run_bytes = inner.count * width_;
      const bool are_few = loops.size() > 2 && loops.end()[-2].count * run_bytes < kLeastRunsBytes;
      if ((run_bytes >= 2 * kRunBytes && !are_few) || loops.size() == 1)
        return choose(PlaneShape::kRuns);
    }
    const std::ptrdiff_t lanes = kVectorBytes / width_;
    if (inner.source_stride == 0 && inner.count >= lanes)
      return choose(PlaneShape::kFill, {1, lanes / 2});
    Loop* crossing = find_crossing(loops, inner);
    const bool crosses = crossing != nullptr && std::abs(crossing->source_stride) == width_;
    Loops around;
    Tile squares;
    if (is_tiled && crosses && (crossing->count < lanes || inner.count < 2 * lanes))
      squares = Tile::of_squares(around = loops, width_);
    const bool is_plane = crosses && std::ssize(squares.rows) <= inner.count &&
                          std::ssize(squares.lines) <= crossing->count;
    const bool are_short =
        isa == Isa::kAvx2 && is_plane && crossing->count >= lanes && inner.count < lanes;
    // Only those that follow each other make tiles, and not from too many places.
    const std::ptrdiff_t line_bytes = inner.count * width_;
    if (are_short && (line_bytes >= kWindowBytes || line_bytes != crossing->target_stride ||
                      inner.count >= (line_bytes == 8 ? kMostSharedWindows : kManyPlanes)))
      return choose(PlaneShape::kTranspose, {lanes, inner.count});
    if (is_plane && crossing->count >= lanes / 2 && inner.count >= lanes)
      return choose(PlaneShape::kTranspose, {lanes / 2, lanes});
    // Passes over runs that change places are slow in memory.
    const bool is_large = output_bytes_ >= kLargeOutputBytes && loops.size() > 2 &&
                          loops.end()[-2].source_stride > loops.end()[-3].source_stride;
    if (is_tiled && run_bytes < (is_large ? kLargeShuffledRunBytes : kShuffledRunBytes)) {
      tile_ = Tile::of_blocks(loops, width_, squares.empty() ? nullptr : &squares);
      if (!tile_.empty()) return choose(PlaneShape::kShuffle, {1, 2 * tile_.steps});
    }
    if (are_short) return choose(PlaneShape::kTranspose, {lanes, inner.count});
    if (!squares.empty()) {
      tile_ = std::move(squares);
      loops = around;
      return choose(PlaneShape::kSquares, {1, tile_.steps});
    }
    if (inner.source_stride == 0 && inner.count >= lanes / 2)
      return choose(PlaneShape::kFill, {1, lanes / 2});
  }
  choose(choose_elements(loops, run_bytes));
}

/// Lines of few elements are not worth a loop.
PlaneShape CopyPlan::choose_elements(Loops& loops, std::ptrdiff_t run_bytes) {
  if (run_bytes == 0 && (loops.size() == 1 || loops.back().count >= kLeastTileMoves / 2))
    return PlaneShape::kStrided;
  if (run_bytes > 0) loops.pop_back();
  tile_ = Tile::of_elements(loops, std::max(run_bytes, width_));
  width_ = tile_.width;
  return PlaneShape::kElements;
}

/// The outer loop: that in which the next lines of the source are near, or the next of the target.
void CopyPlan::choose_plane(Loops& loops) {
  Loop* const crossing = find_crossing(loops, plane_.inner);
  const bool transposes = shape_ == PlaneShape::kTranspose;
  const bool are_short = transposes && plane_.inner.count * width_ < kVectorBytes;
  if (transposes && crossing->source_stride < 0) turn_around(*crossing, begin_);
  crossed_ = crossing != nullptr && !are_short;
  if (crossing != nullptr) std::rotate(crossing, crossing + 1, loops.end());
  plane_.outer = take_innermost(loops);
}

/// Only what lies together in the target can be staged.
bool CopyPlan::can_be_staged() const {
  if (shape_ == PlaneShape::kStrided) return false;
  const bool together =
      tile_.empty()
          ? plane_.inner.target_stride == width_
          : tile_.is_dense && plane_.inner.target_stride * tile_.steps == tile_.size_bytes;
  const std::ptrdiff_t line_bytes = plane_.inner.count * plane_.inner.target_stride;
  return together && (is_dense(plane_) || line_bytes >= kStreamingRunBytes);
}

/// From how many bytes of output on.
std::ptrdiff_t CopyPlan::streamed_from(const Machine& machine) const {
  const std::ptrdiff_t source_stride = plane_.inner.source_stride;
  if (shape_ == PlaneShape::kTranspose && crossed_) {
    if (source_stride % kCrowdedPitchBytes == 0 ||
        plane_.outer.target_stride % kCrowdedPitchBytes == 0)
      return machine.streamed_crowded_bytes;
    const bool is_narrow = width_ < 4 || std::abs(source_stride) < kLeastRowBytes ||
                           plane_.inner.count < 2 * kManyPlanes;
    return is_narrow ? machine.streamed_narrow_bytes : machine.streamed_transpose_bytes;
  }
  const std::ptrdiff_t row_stride = plane_.outer.count > 1 ? plane_.outer.source_stride : -1;
  if (source_stride < 0)
    return row_stride < 0 ? machine.streamed_backward_bytes : machine.streamed_reversed_bytes;
  const bool are_long = are_runs_of(kStreamingRunBytes);
  if (source_stride == 0 || row_stride == 0)
    return shape_ == PlaneShape::kFill || are_long ? machine.streamed_broadcast_bytes
                                                   : machine.streamed_pattern_bytes;
  const std::ptrdiff_t run_bytes = plane_.inner.count * width_;
  const std::ptrdiff_t pitch = std::max(std::abs(row_stride), plane_.outer.target_stride);
  const bool is_far = plane_.outer.count == 1 || pitch - run_bytes >= kNearRunsBytes;
  const bool has_runs = are_long && (is_far || run_bytes >= 2 * kStreamingRunBytes);
  return has_runs ? machine.streamed_runs_bytes : machine.streamed_output_bytes;
}

CopyPlan::Order CopyPlan::choose_order(std::ptrdiff_t together, const Machine& machine) const {
  const std::ptrdiff_t written = are_runs_of(kStreamingRunBytes) ? together : output_bytes_;
  if (written >= streamed_from(machine) && can_be_staged()) return Order::kStreamed;
  // Runs are fetched ahead by the machine itself; single elements are slower than memory, and small
  // planes are not worth the counting.
  const bool is_fast = shape_ == PlaneShape::kTranspose || shape_ == PlaneShape::kShuffle;
  const std::ptrdiff_t plane_bytes = plane_.outer.count * plane_.inner.count * width_;
  if (!is_fast || plane_bytes < kFetchedPlaneBytes) return Order::kPlain;
  return output_bytes_ >= machine.fetched_output_bytes ? Order::kFetched : Order::kPlain;
}

CopyPlan::Block CopyPlan::choose_block() const {
  const Loop& outer = plane_.outer;
  const Loop& inner = plane_.inner;
  if (shape_ == PlaneShape::kTranspose && crossed_) {
    if (outer.count * inner.count * width_ <= kStageBytes) return {outer.count, inner.count};
    return {kBlockSourceBytes / width_, kBlockTargetBytes / width_};
  }
  if (!crossed_) {
    // Groups of blocks follow each other: what they share must still be in the cache.
    const bool in_passes = tile_.blocks.groups.size() > 1;
    if (order_ == Order::kPlain && !in_passes) return {outer.count, inner.count};
    const std::ptrdiff_t step_bytes =
        tile_.empty() ? width_ : fitting(tile_.size_bytes, tile_.steps);
    const std::ptrdiff_t line_bytes = inner.count * step_bytes;
    if (line_bytes < kFetchedBlockBytes)
      return {std::min(fitting(kFetchedBlockBytes, line_bytes), outer.count), inner.count};
    return {1, fitting(kFetchedBlockBytes, step_bytes * least_.inner) * least_.inner};
  }
  // Lines whose source elements lie between each other's are read strip by strip.
  const std::ptrdiff_t in_line = fitting(kCacheLineBytes, std::abs(outer.source_stride));
  const std::ptrdiff_t lines = std::min(outer.count, in_line);
  return {lines,
          fitting(fitting(kStripBytes, std::min(std::abs(inner.source_stride), kCacheLineBytes)),
                  least_.inner) *
              least_.inner};
}

CopyPlan::Block CopyPlan::choose_staged_block() const {
  const Loop& outer = plane_.outer;
  const Loop& inner = plane_.inner;
  const std::ptrdiff_t line_bytes = inner.count * inner.target_stride;
  if (needs_no_stage_) return {outer.count, inner.count};
  const auto inner_steps = [&](std::ptrdiff_t bytes) {
    return std::min(inner.count, fitting(bytes, inner.target_stride * least_.inner) * least_.inner);
  };
  if (crossed_) {
    const std::ptrdiff_t lines =
        std::min({outer.count, fitting(2 * kCacheLineBytes, std::abs(outer.source_stride)),
                  kMostRuns, fitting(kStageBytes, inner.target_stride * least_.inner)});
    return {lines, inner_steps(kStageBytes / lines)};
  }
  if (line_bytes > kStageBytes) return {1, inner_steps(kStageBytes)};
  const std::ptrdiff_t lines = fitting(kStageBytes, line_bytes);
  return {std::min(outer.count, is_dense(plane_) ? lines : std::min(lines, kMostRuns)),
          inner.count};
}

Loop& CopyPlan::loop_at(std::size_t place, std::span<Loop> loops, Plane& plane) {
  if (place < loops.size()) return loops[place];
  return place == loops.size() ? plane.outer : plane.inner;
}

/// The outermost loop with many steps, else the longest.
std::size_t CopyPlan::choose_cut() {
  std::size_t chosen = 0;
  std::ptrdiff_t most = 0;
  for (std::size_t place = 0; most < kLeastCut && place < loops_.all().size() + 2; ++place)
    if (const Loop& loop = loop_at(place, loops_.all(), plane_); loop.count > most) {
      chosen = place;
      most = loop.count;
    }
  return chosen;
}

/// The bytes of the source that a block reads, and not many more; nothing where they are far apart.
Footprint CopyPlan::footprint(const std::byte* source, const Plane& block) const {
  struct Reach {
    std::ptrdiff_t lowest, length, pitch, steps;
  };
  const auto reach = [](const Loop& loop, std::ptrdiff_t at_a_time) {
    const std::ptrdiff_t last = (loop.count - at_a_time) * loop.source_stride;
    return Reach{std::min(last, std::ptrdiff_t{0}), std::abs(last),
                 std::abs(loop.source_stride) * at_a_time, (loop.count - 1) / at_a_time + 1};
  };
  Reach slow = reach(block.outer, 1);
  Reach fast = reach(block.inner, tile_.empty() ? 1 : tile_.steps);
  if (slow.steps == 1 || fast.pitch > slow.pitch) std::swap(slow, fast);
  Footprint result;
  for (const auto& [first, end] : stretches_) {
    Rows rows{source + slow.lowest + fast.lowest + first, slow.steps, slow.pitch,
              fast.length + end - first};
    if (rows.pitch <= rows.row_bytes + kCacheLineBytes)
      rows = {rows.first, 1, 0, (rows.count - 1) * rows.pitch + rows.row_bytes};
    if (rows.count * rows.row_bytes > kMostFetchedBytes) return {};
    result.push_back(rows);
  }
  return result;
}

void CopyPlan::copy_block(const std::byte* source, std::byte* target, const Plane& block,
                          Pipeline* pipeline) const {
  if (order_ == Order::kPlain) return kernel_(target, source, block);
  if (order_ == Order::kFetched)
    return pipeline->fetch({kernel_, target, source, block}, footprint(source, block));
  const Loop& outer = block.outer;
  const std::ptrdiff_t line_bytes = block.inner.count * block.inner.target_stride;
  if (needs_no_stage_) {
    for (std::ptrdiff_t i = 0; i < outer.count; ++i) {
      static_cast<void>(pipeline->room(0, 1, {}));
      pipeline->put(
          {target + i * outer.target_stride, source + i * outer.source_stride, line_bytes});
    }
    return;
  }
  const bool dense = is_dense(block);
  const std::ptrdiff_t bytes = outer.count * line_bytes;
  const std::ptrdiff_t runs = dense ? 1 : outer.count;
  std::byte* const stage = pipeline->room(bytes, runs, footprint(source, block));
  Plane staged = block;
  staged.outer.target_stride = line_bytes;
  kernel_(stage, source, staged);
  for (std::ptrdiff_t i = 0; i < runs; ++i)
    pipeline->put({target + i * outer.target_stride, stage + i * line_bytes, bytes / runs});
}

void CopyPlan::execute(const std::byte* source, std::byte* target, std::ptrdiff_t first,
                       std::ptrdiff_t count, Pipeline* pipeline) const {
  Loops loops(loops_.all().begin(), loops_.all().end());
  Plane plane = plane_;
  plane.tile = &tile_;
  Loop& cut = loop_at(cut_place_, {loops.data(), loops.size()}, plane);
  // A part that is too small for the kernel takes some steps before it along, or some behind it.
  cut.count = std::max(count, cut_least_);
  first = std::max(first + count - cut.count, std::ptrdiff_t{0});
  source += begin_.source + first * cut.source_stride;
  target += begin_.target + first * cut.target_stride;
  if (order_ == Order::kPlain && is_whole(plane))
    return for_each_position(
        loops, [&](const Position& at) { kernel_(target + at.target, source + at.source, plane); });
  for_each_position(loops, [&](const Position& begin) {
    for (std::ptrdiff_t i = 0; i < plane.inner.count; i += block_.inner)
      for (std::ptrdiff_t o = 0; o < plane.outer.count; o += block_.outer) {
        Position at = begin;
        const Plane block{part_of(plane.outer, o, block_.outer, least_.outer, at),
                          part_of(plane.inner, i, block_.inner, least_.inner, at), plane.tile};
        copy_block(source + at.source, target + at.target, block, pipeline);
      }
  });
}

void CopyPlan::execute(const std::byte* source, std::byte* target, unsigned threads) const {
  if (is_one_plane_ && threads < 2)
    return kernel_(target + begin_.target, source + begin_.source,
                   {plane_.outer, plane_.inner, &tile_});
  const std::ptrdiff_t least = threads < 2 ? cut_least_ : least_part();
  for_parts(cut_.count, least, threads, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
    if (!needs_pipeline()) return execute(source, target, first, count, nullptr);
    Pipeline pipeline;
    execute(source, target, first, count, &pipeline);
  });
}

}  // namespace opconform::optimized
