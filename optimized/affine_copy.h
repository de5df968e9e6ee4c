// Affine copies: an N-dimensional move with a stride a dimension on either side. Split, Slice1 and
// the copying half of Scatter are nothing else.
#pragma once

#include "opconform/optimized.h"
#include "optimized/kernels/kernels.h"
#include "optimized/loops.h"

namespace opconform::optimized {

/// target[sum of step * target_stride] = source[source_offset + sum of step * source_stride], for
/// all steps of the loops. No two of them share a target; target strides are not negative.
struct AffineCopy {
  std::size_t width_bytes = 0;  ///< of one element: 1, 2, 4, 8 or 16
  std::ptrdiff_t source_offset_bytes = 0;
  Loops loops;
};

/// The same copy by fewer loops, in the order of the target, and with wider elements where 2, 4, 8
/// or 16 bytes lie together on both sides.
[[nodiscard]] AffineCopy normalised(AffineCopy copy);

/// A copy with its kernel.
class CopyPlan {
 public:
  /// Precondition: the copy is normalised and not empty.
  CopyPlan(AffineCopy copy, Isa isa);

  void execute(const std::byte* source, std::byte* target) const {
    execute(source, target, 0, outermost_.count);
  }
  /// `count` steps of the outermost loop, from `first` on.
  void execute(const std::byte* source, std::byte* target, std::ptrdiff_t first,
               std::ptrdiff_t count) const;

  [[nodiscard]] const Loop& outermost() const { return outermost_; }
  [[nodiscard]] PlaneShape shape() const { return shape_; }

 private:
  static Loop& outermost(Loops& loops, Plane& plane);

  std::ptrdiff_t source_offset_bytes_;
  Loops loops_;  // around the plane
  Plane plane_;
  Loop outermost_;  // of all of these
  PlaneShape shape_;
  PlaneKernel kernel_;
};

}  // namespace opconform::optimized
