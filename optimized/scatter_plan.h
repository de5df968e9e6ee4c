// The two halves of a scatter, a copy and an indexed move into its target, in an order that keeps
// the target in the cache from one to the other.
#pragma once

#include "optimized/copy_plan.h"
#include "optimized/indexed_move.h"

namespace opconform::optimized {

/// A dimension of both. Around the blocks it is a loop, `step` of its positions at a time. All
/// blocks are alike: the last one goes back over positions already done, and does them again.
struct ScatterLevel {
  Loop copy;
  Loop move;
  std::ptrdiff_t step = 0;
  [[nodiscard]] std::ptrdiff_t blocks() const { return (copy.count - 1) / step + 1; }
};
using ScatterLevels = InlineVector<ScatterLevel, kMaxRank>;

/// A block of a scatter, and the loops around it.
struct ScatterBlock {
  AffineCopy in;
  IndexedMove move;
  AffineCopy out;  ///< from scratch, where staged
  std::optional<CopyPlan::Order> order{};
  ScatterLevels levels{};  ///< the outermost dimensions; of the others a block has all
  bool staged = false;     ///< the last of the levels are columns, which lie in scratch meanwhile
};

/// Goes block by block: copies one, then moves into it. A block has the whole axis and so many
/// positions of the other dimensions as the cache takes. Where dimensions lie within a long axis, a
/// block is made of columns. These lie in scratch in between, because the cache takes few lines
/// that are a large power of two apart, and addresses few pages at a time.
class ScatterPlan {
 public:
  /// Loop i of both is over dimension i. In all dimensions but the axis their targets' strides are
  /// the same. Precondition: the copy is not empty.
  ScatterPlan(const AffineCopy& copy, const IndexedMove& move, std::size_t axis, Isa isa,
              bool is_tiled = true, const Machine& machine = machine_in_use());

  /// Where staged, each thread needs kScatterScratchBytes of its stack.
  void execute(const std::byte* input, const std::byte* indices, const std::byte* updates,
               std::byte* output, unsigned threads) const;

  [[nodiscard]] bool is_staged() const { return out_.has_value(); }
  [[nodiscard]] bool is_blocked() const { return !levels_.empty(); }

 private:
  ScatterPlan(const ScatterBlock& block, Isa isa, bool is_tiled, const Machine& machine);
  struct Operands {
    const std::byte* input;
    const std::byte* indices;
    const std::byte* updates;
    std::byte* output;
    [[nodiscard]] Operands at(const ScatterLevel& level, std::ptrdiff_t block) const;
  };
  void execute_blocks(std::size_t level, const Operands& operands, std::ptrdiff_t first,
                      std::ptrdiff_t count) const;
  void execute_staged_block(const Operands& operands) const;

  CopyPlan in_;
  IndexedPlan move_;
  std::optional<CopyPlan> out_;  // where staged
  ScatterLevels levels_;
};

}  // namespace opconform::optimized
