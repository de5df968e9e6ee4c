// Affine copies: an N-dimensional move with a stride a dimension on either side. Operators that
// cut and join, and the copying half of those that write through indices, are nothing else.
#pragma once

#include "opconform/optimized.h"
#include "optimized/loops.h"

namespace opconform::optimized {

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

/// Between tensors of those sizes; strides in elements.
[[nodiscard]] AffineCopy copy_between(const Dims& sizes, const Dims& source_strides,
                                      const Dims& target_strides, std::size_t width_bytes);

/// The same copy by fewer loops, in the order of the target, and with wider elements where 2, 4, 8
/// or 16 bytes lie together on both sides.
[[nodiscard]] AffineCopy normalised(AffineCopy copy);

}  // namespace opconform::optimized
