#include "optimized/scatter_plan.h"

#include <algorithm>
#include <array>

#include "optimized/machine.h"
#include "optimized/parallel.h"
#include "optimized/tuning.h"

namespace opconform::optimized {
namespace {

std::ptrdiff_t step_count(const Loops& loops) {
  std::ptrdiff_t count = 1;
  for (const Loop& loop : loops) count *= loop.count;
  return count;
}

/// One dimension of both.
struct Dimension {
  Loop copy;
  Loop move;
};
using Dimensions = InlineVector<Dimension, kMaxRank>;

bool continues(const Loop& outer, const Loop& inner) {
  return outer.source_stride == inner.source_stride * inner.count &&
         outer.target_stride == inner.target_stride * inner.count &&
         outer.index_stride == inner.index_stride * inner.count;
}

/// All dimensions but the axis, outermost in the target first, and merged where both can be.
Dimensions other_dimensions(const Loops& copy, const Loops& move, std::size_t axis) {
  Dimensions sorted;
  for (std::size_t i = 0; i < copy.size(); ++i)
    if (i != axis && copy[i].count > 1) sorted.push_back({copy[i], move[i]});
  std::stable_sort(sorted.begin(), sorted.end(), [](const Dimension& a, const Dimension& b) {
    return a.copy.target_stride > b.copy.target_stride;
  });
  Dimensions merged;
  for (Dimension next : sorted) {
    if (!merged.empty() && continues(merged.back().copy, next.copy) &&
        continues(merged.back().move, next.move)) {
      next.copy.count = next.move.count = next.copy.count * merged.back().copy.count;
      merged.pop_back();
    }
    merged.push_back(next);
  }
  return merged;
}

void copy(const CopyPlan& plan, const std::byte* source, std::byte* target, std::ptrdiff_t first,
          std::ptrdiff_t count) {
  if (!plan.needs_pipeline()) return plan.execute(source, target, first, count, nullptr);
  Pipeline pipeline;
  plan.execute(source, target, first, count, &pipeline);
}

/// A transpose alone would go past the cache sooner than is good for the updates that follow.
CopyPlan plan_copy(const AffineCopy& copy, Isa isa, std::optional<CopyPlan::Order> order) {
  Machine machine = machine_in_use();
  machine.streamed_transpose_bytes = machine.streamed_crowded_bytes = machine.streamed_output_bytes;
  return {copy, isa, order, machine};
}

/// How many columns of the axis fit the scratch, side by side in a line each; none where they do
/// not lie side by side.
std::ptrdiff_t most_columns(const Dimension& columns, const Dimension& along_axis,
                            std::ptrdiff_t width) {
  if (columns.copy.target_stride != width) return 0;
  const std::ptrdiff_t line_bytes =
      kScatterScratchBytes / along_axis.copy.count / kCacheLineBytes * kCacheLineBytes;
  return std::min(line_bytes / width, columns.copy.count);
}

/// How a scatter is done in blocks.
struct Blocks {
  bool large = false;  // more than what stays in the cache of one thread
  std::optional<CopyPlan::Order> order{};
  /// Positions of the outermost dimensions that a block has; of the others it has all.
  InlineVector<std::ptrdiff_t, kMaxRank> steps{};
  bool staged = false;  // the last of these are columns, which lie in scratch meanwhile
};

/// In one block where that is as fast.
Blocks choose_blocks(const Dimensions& dimensions, const Dimension& along_axis,
                     std::ptrdiff_t width, std::ptrdiff_t elements, std::ptrdiff_t updates) {
  std::ptrdiff_t size_bytes = elements * width;
  Blocks whole{.large = size_bytes > kScatterBlockBytes};
  if (!whole.large || updates < elements / kFewUpdates) return whole;
  whole.order = CopyPlan::Order::kPlain;  // into the cache, where the updates follow
  const bool updates_lines_often = updates * kCacheLineBytes >= kLeastLineUpdates * size_bytes;
  Blocks blocks = whole;
  const std::ptrdiff_t axis_stride = along_axis.copy.count > 1 ? along_axis.copy.target_stride : 0;
  for (const Dimension& dimension : dimensions) {
    if (size_bytes <= kScatterBlockBytes) break;
    const std::ptrdiff_t count = dimension.copy.count;
    std::ptrdiff_t step = 1;
    const bool is_last = &dimension == dimensions.end() - 1;
    if (dimension.copy.target_stride >= axis_stride || !is_last) {
      const std::ptrdiff_t most = fitting(kScatterBlockBytes, size_bytes / count);
      const std::ptrdiff_t number = (count + most - 1) / most;
      step = (count + number - 1) / number;  // as many in every block
    } else {
      step = most_columns(dimension, along_axis, width);
      if (step * width < kLeastColumnsBytes || axis_stride % kCrowdedPitchBytes != 0 ||
          !updates_lines_often)
        return whole;
      blocks.staged = true;
    }
    size_bytes = size_bytes / count * step;
    blocks.steps.push_back(step);
  }
  return blocks;
}

}  // namespace

ScatterPlan::Block ScatterPlan::make_block(const AffineCopy& copy, const IndexedMove& move,
                                           std::size_t axis) {
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  Dimensions dimensions = other_dimensions(copy.loops, move.loops, axis);
  const Dimension along_axis{copy.loops[axis], move.loops[axis]};
  const Blocks blocks =
      choose_blocks(dimensions, along_axis, width, step_count(copy.loops), step_count(move.loops));
  Block block{.in = copy,
              .move = move,
              .out = copy,
              .order = blocks.order,
              .levels = {},
              .large = blocks.large,
              .staged = blocks.staged};
  if (blocks.steps.empty()) return block;
  for (std::size_t i = 0; i < blocks.steps.size(); ++i) {
    Dimension& dimension = dimensions[i];
    block.levels.push_back({blocks.steps[i], dimension.copy, dimension.move});
    dimension.copy.count = dimension.move.count = blocks.steps[i];
  }
  block.in.loops = block.move.loops = {};
  dimensions.push_back(along_axis);
  for (const Dimension& dimension : dimensions) {
    block.in.loops.push_back(dimension.copy);
    block.move.loops.push_back(dimension.move);
  }
  block.out.loops = block.in.loops;
  if (block.staged) {
    // The scratch has a line of columns for each place of the axis.
    const std::size_t last = dimensions.size() - 1;
    const std::ptrdiff_t line_bytes = block.levels.back().step * width;
    block.in.loops[last].target_stride = block.out.loops[last].source_stride = line_bytes;
    block.out.loops[last - 1].source_stride = width;
    block.move.axis_stride_bytes = line_bytes;
  }
  return block;
}

ScatterPlan::ScatterPlan(const Block& block, Isa isa)
    : in_(plan_copy(normalised(block.in), isa, block.order)),
      move_(block.move, isa),
      out_(normalised(block.out), isa, CopyPlan::Order::kPlain),
      levels_(block.levels),
      large_(block.large),
      staged_(block.staged) {}

ScatterPlan::Operands ScatterPlan::Operands::at(const Level& level, std::ptrdiff_t block) const {
  const std::ptrdiff_t first = std::min(block * level.step, level.copy.count - level.step);
  return {input + first * level.copy.source_stride, indices + first * level.move.index_stride,
          updates + first * level.move.source_stride, output + first * level.copy.target_stride};
}

void ScatterPlan::execute(const std::byte* input, const std::byte* indices,
                          const std::byte* updates, std::byte* output, unsigned threads) const {
  const Operands operands{input, indices, updates, output};
  if (levels_.empty()) {
    copy_all(operands, threads);
    move_.execute(indices, updates, output);
    return;
  }
  // The last block may go back over others: it waits for them.
  const std::ptrdiff_t apart = levels_[0].copy.count / levels_[0].step;
  for_parts(apart, 1, threads, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
    execute_blocks(0, operands, first, count);
  });
  execute_blocks(0, operands, apart, levels_[0].blocks() - apart);
}

void ScatterPlan::copy_all(const Operands& operands, unsigned threads) const {
  for_parts(in_.cut().count, in_.least_part(), large_ ? threads : 1,
            [&](std::ptrdiff_t first, std::ptrdiff_t count) {
              copy(in_, operands.input, operands.output, first, count);
            });
}

void ScatterPlan::execute_blocks(std::size_t level, const Operands& operands, std::ptrdiff_t first,
                                 std::ptrdiff_t count) const {
  for (std::ptrdiff_t i = first; i < first + count; ++i) {
    const Operands inner = operands.at(levels_[level], i);
    if (level + 1 < levels_.size())
      execute_blocks(level + 1, inner, 0, levels_[level + 1].blocks());
    else if (staged_)
      execute_staged_block(inner);
    else
      execute_block(inner);
  }
}

void ScatterPlan::execute_block(const Operands& operands) const {
  copy(in_, operands.input, operands.output, 0, in_.cut().count);
  move_.execute(operands.indices, operands.updates, operands.output);
}

void ScatterPlan::execute_staged_block(const Operands& operands) const {
  alignas(kCacheLineBytes) std::array<std::byte, kScatterScratchBytes> scratch;
  copy(in_, operands.input, scratch.data(), 0, in_.cut().count);
  move_.execute(operands.indices, operands.updates, scratch.data());
  copy(out_, scratch.data(), operands.output, 0, out_.cut().count);
}

}  // namespace opconform::optimized
