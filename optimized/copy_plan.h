// An affine copy with its kernel, and the order in which its parts are copied.
#pragma once

#include "optimized/affine_copy.h"
#include "optimized/kernels/kernels.h"
#include "optimized/streaming.h"

namespace opconform::optimized {

class CopyPlan {
 public:
  /// Precondition: the copy is normalised and not empty.
  CopyPlan(const AffineCopy& copy, Isa isa,
           std::ptrdiff_t streaming_output_bytes = kStreamingOutputBytes);

  /// `count` steps of the outermost loop, from `first` on. With a buffer, some of it is still in
  /// there afterwards. Precondition: `buffer` is null unless streams().
  void execute(const std::byte* source, std::byte* target, std::ptrdiff_t first,
               std::ptrdiff_t count, StreamBuffer* buffer) const;

  [[nodiscard]] const Loop& outermost() const { return outermost_; }
  [[nodiscard]] PlaneShape shape() const { return shape_; }
  /// Is it worth a buffer?
  [[nodiscard]] bool streams() const { return streams_; }

 private:
  /// Steps of the two loops of a plane.
  struct Block {
    std::ptrdiff_t outer = 1;
    std::ptrdiff_t inner = 1;
  };

  void choose_kernel(Isa isa);
  void choose_plane();
  [[nodiscard]] static bool is_dense(const Plane& plane);
  [[nodiscard]] bool can_be_staged() const;
  [[nodiscard]] Block choose_block() const;
  [[nodiscard]] Block choose_staged_block() const;
  void copy_block(const std::byte* source, std::byte* target, const Plane& block,
                  StreamBuffer* buffer) const;
  [[nodiscard]] Footprint footprint(const std::byte* source, const Plane& block) const;
  [[nodiscard]] static Loop& outermost_of(Loops& loops, Plane& plane);

  std::ptrdiff_t width_;
  std::ptrdiff_t source_offset_bytes_;
  Loops loops_;  // around the plane
  Plane plane_;
  Tile tile_;
  Tile::Stretches stretches_;  // where it streams: what a step of the plane reads
  Loop outermost_;             // of all of these
  PlaneShape shape_ = PlaneShape::kStrided;
  PlaneKernel kernel_ = nullptr;
  bool crossed_ = false;  // the outer loop goes through the source in smaller steps than the inner
  bool streams_ = false;
  Block least_;  // that the kernel needs
  Block block_;  // that are copied at a time
};

}  // namespace opconform::optimized
