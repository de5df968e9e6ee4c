#include "optimized/loops.h"

#include <utility>

#include "optimized/kernels/kernels.h"

namespace opconform::optimized {

bool is_empty(const Loops& loops) {
  return std::any_of(loops.begin(), loops.end(), [](const Loop& loop) { return loop.count == 0; });
}

std::ptrdiff_t step_count(const Loops& loops) {
  std::ptrdiff_t count = 1;
  for (const Loop& loop : loops) count *= loop.count;
  return count;
}

Loop take_innermost(Loops& loops) {
  if (loops.empty()) return {};
  const Loop loop = loops.back();
  loops.pop_back();
  return loop;
}

bool continues(const Loop& outer, const Loop& inner) {
  const auto ends = [&](std::ptrdiff_t stride) {
    return bytes(static_cast<std::size_t>(stride), static_cast<std::size_t>(inner.count));
  };
  return outer.source_stride == ends(inner.source_stride) &&
         outer.target_stride == ends(inner.target_stride) &&
         outer.index_stride == ends(inner.index_stride);
}

void turn_around(Loop& loop, Position& begin) {
  begin.advance(loop, loop.count - 1);
  loop = {loop.count, -loop.source_stride, -loop.target_stride, -loop.index_stride};
}

void normalise(Loops& loops, std::ptrdiff_t Loop::*order_by) {
  std::size_t several = 0;
  for (const Loop& loop : loops) {
    if (loop.count == 1) continue;
    std::size_t at = several++;
    if (&loops[at] != &loop) loops[at] = loop;
    for (; at > 0 && loops[at - 1].*order_by < loops[at].*order_by; --at)
      std::swap(loops[at - 1], loops[at]);
  }
  loops.resize(several);
  std::size_t last = 0;  // of the merged
  for (std::size_t i = 1; i < several; ++i) {
    if (!continues(loops[last], loops[i]))
      ++last;
    else
      loops[i].count = bytes(static_cast<std::size_t>(loops[i].count),
                             static_cast<std::size_t>(loops[last].count));
    if (last != i) loops[last] = loops[i];
  }
  if (several > 0) loops.resize(last + 1);
}

void copy_between(const Dims& sizes, const Dims& source_strides, const Dims& target_strides,
                  std::size_t width_bytes, AffineCopy& copy) {
  copy.width_bytes = width_bytes;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    copy.loops.push_back({.count = static_cast<std::ptrdiff_t>(sizes[i]),
                          .source_stride = bytes(source_strides[i], width_bytes),
                          .target_stride = bytes(target_strides[i], width_bytes)});
}

AffineCopy normalised(const AffineCopy& given) {
  AffineCopy copy = given;
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

}  // namespace opconform::optimized
