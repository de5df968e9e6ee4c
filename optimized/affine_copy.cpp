#include "optimized/affine_copy.h"

#include <algorithm>

#include "optimized/tuning.h"

namespace opconform::optimized {
namespace {

/// Up to this many channels are interleaved by shuffles; more are a transpose.
constexpr std::ptrdiff_t kMostInterleaved = 4;
/// Lines closer than this many elements to each other are picked apart by shuffles, where they are
/// few.
constexpr std::ptrdiff_t kMostPicked = 8;

/// Which loop of the target has the source's elements side by side? loops.size() where none has.
std::size_t find_source_run(const Loops& loops, std::ptrdiff_t width) {
  const auto found = std::find_if(loops.begin(), loops.end(),
                                  [&](const Loop& loop) { return loop.source_stride == width; });
  return static_cast<std::size_t>(found - loops.begin());
}

PlaneShape choose_shape(const Loop& inner, const Loop* source_run, std::ptrdiff_t width) {
  if (inner.target_stride != width) return PlaneShape::kStrided;
  if (inner.source_stride == width) return PlaneShape::kRuns;
  if (inner.source_stride == -width) return PlaneShape::kReversed;
  if (inner.source_stride == 0) return PlaneShape::kFill;
  if (source_run == nullptr) return PlaneShape::kPick;
  if (inner.count <= kMostInterleaved && source_run->target_stride == inner.count * width)
    return PlaneShape::kInterleave;
  const bool few = source_run->count * width < 16;  // less than a tile of a transpose
  const bool close =
      -kMostPicked * width <= inner.source_stride && inner.source_stride <= kMostPicked * width;
  return few && close ? PlaneShape::kPick : PlaneShape::kTranspose;
}

std::ptrdiff_t target_bytes(const AffineCopy& copy) {
  std::size_t count = 1;
  for (const Loop& loop : copy.loops) count *= static_cast<std::size_t>(loop.count);
  return bytes(count, copy.width_bytes);
}

}  // namespace

AffineCopy normalised(AffineCopy copy) {
  if (is_empty(copy.loops)) return copy;
  normalise(copy.loops, &Loop::target_stride);
  if (copy.loops.empty()) return copy;
  const Loop& run = copy.loops.back();
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  const std::size_t run_bytes = static_cast<std::size_t>(run.count) * copy.width_bytes;
  if (run.source_stride == width && run.target_stride == width && is_width(run_bytes)) {
    copy.width_bytes = run_bytes;
    copy.loops.pop_back();
  }
  return copy;
}

CopyPlan::CopyPlan(AffineCopy copy, Isa isa)
    : source_offset_bytes_(copy.source_offset_bytes), loops_(copy.loops) {
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  plane_.inner = {.count = 1, .source_stride = width, .target_stride = width};
  if (!loops_.empty()) {
    plane_.inner = loops_.back();
    loops_.pop_back();
  }
  const std::size_t source_run = find_source_run(loops_, width);
  shape_ =
      choose_shape(plane_.inner, source_run < loops_.size() ? &loops_[source_run] : nullptr, width);
  const bool two_runs = shape_ == PlaneShape::kInterleave || shape_ == PlaneShape::kTranspose ||
                        (shape_ == PlaneShape::kPick && source_run < loops_.size());
  if (!loops_.empty()) {
    const std::size_t outer = two_runs ? source_run : loops_.size() - 1;
    plane_.outer = loops_[outer];
    loops_.erase(outer);
  }
  plane_.streams =
      target_bytes(copy) >= kStreamingOutputBytes &&
      (shape_ == PlaneShape::kInterleave || plane_.inner.count * width >= kStreamingLineBytes);
  outermost_ = outermost(loops_, plane_);
  kernel_ = find_kernel(shape_, copy.width_bytes, isa);
}

Loop& CopyPlan::outermost(Loops& loops, Plane& plane) {
  if (!loops.empty()) return loops[0];
  return plane.outer.count > 1 ? plane.outer : plane.inner;
}

void CopyPlan::execute(const std::byte* source, std::byte* target, std::ptrdiff_t first,
                       std::ptrdiff_t count) const {
  Loops loops = loops_;
  Plane plane = plane_;
  Loop& part = outermost(loops, plane);
  part.count = count;
  source += source_offset_bytes_ + first * part.source_stride;
  target += first * part.target_stride;
  for_each_position(
      loops, [&](const Position& at) { kernel_(target + at.target, source + at.source, plane); });
}

}  // namespace opconform::optimized
