#include "optimized/loops.h"

#include <algorithm>

namespace opconform::optimized {
namespace {

/// Does `outer` go on exactly where `inner` ends?
bool continues(std::ptrdiff_t outer_stride, std::ptrdiff_t inner_stride,
               std::ptrdiff_t inner_count) {
  return static_cast<std::size_t>(outer_stride) ==
         static_cast<std::size_t>(inner_stride) * static_cast<std::size_t>(inner_count);
}

bool can_merge(const Loop& outer, const Loop& inner) {
  return continues(outer.source_stride, inner.source_stride, inner.count) &&
         continues(outer.target_stride, inner.target_stride, inner.count) &&
         continues(outer.index_stride, inner.index_stride, inner.count);
}

}  // namespace

bool is_empty(const Loops& loops) {
  return std::any_of(loops.begin(), loops.end(), [](const Loop& loop) { return loop.count == 0; });
}

Loop take_innermost(Loops& loops) {
  if (loops.empty()) return {};
  const Loop loop = loops.back();
  loops.pop_back();
  return loop;
}

void normalise(Loops& loops, std::ptrdiff_t Loop::*order_by) {
  Loops several;
  for (const Loop& loop : loops) {
    if (loop.count == 1) continue;
    std::size_t at = several.size();
    while (at > 0 && several[at - 1].*order_by < loop.*order_by) --at;
    several.insert(at, loop);
  }
  loops.clear();
  for (const Loop& loop : several) {
    if (!loops.empty() && can_merge(loops.back(), loop)) {
      const std::ptrdiff_t outer_count = loops.back().count;
      loops.back() = loop;
      loops.back().count =
          bytes(static_cast<std::size_t>(loop.count), static_cast<std::size_t>(outer_count));
    } else {
      loops.push_back(loop);
    }
  }
}

}  // namespace opconform::optimized
