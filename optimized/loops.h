// A nest of loops over memory: affine copies and indexed moves before a kernel is chosen. Operators
// that cut and join, and the copying half of those that write through indices, are affine copies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "spec/inline_vector.h"
#include "spec/tensor.h"

namespace opconform::optimized {

/// One loop, with the bytes that each operand moves on at a step. A source may go backwards.
struct Loop {
  std::ptrdiff_t count = 1;
  std::ptrdiff_t source_stride = 0;
  std::ptrdiff_t target_stride = 0;
  std::ptrdiff_t index_stride = 0;
  friend bool operator==(const Loop&, const Loop&) = default;
};
/// Outermost first.
using Loops = InlineVector<Loop, kMaxRank>;

/// Elements to bytes. Unsigned, because a dimension of one element may have any stride: such a
/// product may wrap, and is never used. All others are distances inside a buffer.
[[nodiscard]] constexpr std::ptrdiff_t bytes(std::uint64_t elements, std::size_t width_bytes) {
  return static_cast<std::ptrdiff_t>(elements * width_bytes);
}

[[nodiscard]] bool is_empty(const Loops& loops);
[[nodiscard]] std::ptrdiff_t step_count(const Loops& loops);

/// Takes the innermost loop off; one of a single step where there is none.
[[nodiscard]] Loop take_innermost(Loops& loops);

/// Does `outer` go on exactly where `inner` ends, in all operands?
[[nodiscard]] bool continues(const Loop& outer, const Loop& inner);

/// How many parts of that size fit, but one at least.
[[nodiscard]] constexpr std::ptrdiff_t fitting(std::ptrdiff_t total, std::ptrdiff_t part) {
  return std::max(total / std::max(part, std::ptrdiff_t{1}), std::ptrdiff_t{1});
}

inline constexpr std::ptrdiff_t kCacheLineBytes = 64;
inline constexpr std::size_t kPageBytes = 4096;

/// The same positions by fewer loops, or in a better order: drops loops of one step, puts the
/// smallest strides of the operand `order_by` innermost, and merges where one continues() the next.
void normalise(Loops& loops, std::ptrdiff_t Loop::*order_by);

/// target[sum of step * target_stride] = source[sum of step * source_stride], for all steps of the
/// loops. No two of them share a target; target strides are not negative.
struct AffineCopy {
  std::size_t width_bytes = 0;  ///< of one element: 1, 2, 4, 8 or 16
  Loops loops;
  /// Of all elements.
  [[nodiscard]] std::ptrdiff_t size_bytes() const {
    return step_count(loops) * static_cast<std::ptrdiff_t>(width_bytes);
  }
};

/// Makes an empty copy one between tensors of those sizes; strides in elements.
void copy_between(const Dims& sizes, const Dims& source_strides, const Dims& target_strides,
                  std::size_t width_bytes, AffineCopy& copy);

/// The same copy by fewer loops, in the order of the target, and with wider elements where 2, 4, 8
/// or 16 bytes lie together on both sides.
[[nodiscard]] AffineCopy normalised(const AffineCopy& given);

/// Bytes from where each operand starts.
struct Position {
  std::ptrdiff_t source = 0;
  std::ptrdiff_t target = 0;
  std::ptrdiff_t index = 0;
  void advance(const Loop& loop, std::ptrdiff_t steps) {
    source += loop.source_stride * steps;
    target += loop.target_stride * steps;
    index += loop.index_stride * steps;
  }
};

/// The same steps from the last to the first; moves `begin` to where those begin.
void turn_around(Loop& loop, Position& begin);

/// Calls `visit(Position)` for each step of the nest; once where it has no loops.
template <class Visit>
void for_each_position(const Loops& loops, Visit&& visit) {
  InlineVector<std::ptrdiff_t, kMaxRank> steps(loops.size());
  Position position;
  for (;;) {
    visit(position);
    std::size_t i = loops.size();
    for (; i > 0 && steps[i - 1] == loops[i - 1].count - 1; --i) {
      position.advance(loops[i - 1], -steps[i - 1]);
      steps[i - 1] = 0;
    }
    if (i == 0) return;
    ++steps[i - 1];
    position.advance(loops[i - 1], 1);
  }
}

/// Adds to `places`, which has those of the first step of the nest, those of all others in their
/// order. `moved(place, loop, steps)` is a place so many steps of a loop further on.
template <class Places, class Moved>
void unroll(const Loops& loops, Places& places, const Moved& moved) {
  std::size_t inside = places.size();
  places.resize(inside * static_cast<std::size_t>(step_count(loops)));
  for (std::size_t i = loops.size(); i-- > 0;) {
    auto next = places.data() + inside;
    for (std::ptrdiff_t step = 1; step < loops[i].count; ++step)
      for (std::size_t k = 0; k < inside; ++k) *next++ = moved(places[k], loops[i], step);
    inside *= static_cast<std::size_t>(loops[i].count);
  }
}

}  // namespace opconform::optimized
