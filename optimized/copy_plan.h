// An affine copy with its kernel, and the order in which its parts are copied.
#pragma once

#include <optional>
#include <span>

#include "optimized/kernels/kernels.h"
#include "optimized/machine.h"
#include "optimized/parallel.h"
#include "optimized/pipeline.h"
#include "optimized/tuning.h"

namespace opconform::optimized {

class CopyPlan {
 public:
  /// How its blocks follow each other: one by one, each being fetched while the one before it is
  /// copied, or staged and streamed.
  enum class Order : unsigned char { kPlain, kFetched, kStreamed };

  /// The machine and the size of the output choose the order, unless one is given; for long runs,
  /// that of all outputs that are written together, if it is more. Without AVX2 the order is plain;
  /// what cannot be streamed is fetched. Planning is quick, and execution slower, if no tile may be
  /// made of blocks or squares. Precondition: the copy is normalised and not empty.
  CopyPlan(const AffineCopy& copy, Isa isa, std::optional<Order> order = std::nullopt,
           const Machine& machine = machine_in_use(), std::ptrdiff_t together_bytes = 0,
           bool is_tiled = true);

  /// The loop that executions are cut along: the outermost, or the longest where that is short.
  [[nodiscard]] const Loop& cut() const { return cut_; }
  /// So many steps of it the kernel needs at a time.
  [[nodiscard]] std::ptrdiff_t cut_least() const { return cut_least_; }
  /// So many, no fewer than those, are worth a thread of their own.
  [[nodiscard]] std::ptrdiff_t least_part() const {
    return std::max(cut_least_, steps_of_part(cut_.count, output_bytes_));
  }

  /// `count` steps of cut(), from `first` on. Parts of cut_least() steps or more write nothing
  /// outside of themselves; shorter ones write elements beside them, too, as those must be. The
  /// last of it may be left in the pipeline, which may be null where the plan needs none.
  void execute(const std::byte* source, std::byte* target, std::ptrdiff_t first,
               std::ptrdiff_t count, Pipeline* pipeline) const;
  /// All of it.
  void execute(const std::byte* source, std::byte* target, unsigned threads = 1) const;

  [[nodiscard]] PlaneShape shape() const { return shape_; }
  [[nodiscard]] Order order() const { return order_; }
  [[nodiscard]] bool needs_pipeline() const { return order_ != Order::kPlain; }

 private:
  /// Steps of the two loops of a plane.
  struct Block {
    std::ptrdiff_t outer = 1;
    std::ptrdiff_t inner = 1;
  };

  void choose_kernel(Loops& loops, Isa isa, bool is_tiled);
  PlaneShape choose_elements(Loops& loops, std::ptrdiff_t run_bytes);
  void choose_plane(Loops& loops);
  [[nodiscard]] bool can_be_staged() const;
  [[nodiscard]] bool are_runs_of(std::ptrdiff_t least_bytes) const {
    return shape_ == PlaneShape::kRuns && plane_.inner.count * width_ >= least_bytes;
  }
  [[nodiscard]] std::ptrdiff_t streamed_from(const Machine& machine) const;
  [[nodiscard]] Order choose_order(std::ptrdiff_t together, const Machine& machine) const;
  [[nodiscard]] bool is_whole(const Plane& plane) const {
    return block_.outer >= plane.outer.count && block_.inner >= plane.inner.count;
  }
  [[nodiscard]] Block choose_block() const;
  [[nodiscard]] Block choose_staged_block() const;
  void copy_block(const std::byte* source, std::byte* target, const Plane& block,
                  Pipeline* pipeline) const;
  [[nodiscard]] Footprint footprint(const std::byte* source, const Plane& block) const;
  /// From the outside in.
  [[nodiscard]] static Loop& loop_at(std::size_t place, std::span<Loop> loops, Plane& plane);
  [[nodiscard]] std::size_t choose_cut();

  std::ptrdiff_t width_;
  Position begin_;              // with the last steps of loops that are turned around
  SmallVector<Loop, 2> loops_;  // around the plane: seldom more, and a plan is to be small
  Plane plane_;
  Tile tile_;
  Tile::Stretches stretches_;  // what a step of the plane reads
  std::size_t cut_place_ = 0;  // among all of these
  Loop cut_;
  std::ptrdiff_t cut_least_ = 1;  // steps of it that the kernel needs
  std::ptrdiff_t output_bytes_;
  PlaneShape shape_ = PlaneShape::kStrided;
  PlaneKernel kernel_ = nullptr;
  bool crossed_ = false;  // the outer loop goes through the source in smaller steps than the inner
  Order order_ = Order::kPlain;
  bool needs_no_stage_ = false;  // long runs, which are streamed from where they are
  Block least_;                  // that the kernel needs
  Block block_;                  // that are copied at a time
  bool is_one_plane_ = false;    // which the kernel copies at once
};

}  // namespace opconform::optimized
