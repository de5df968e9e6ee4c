#include "optimized/scatter_plan.h"

#include <algorithm>
#include <array>

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
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  CopyPlan plan(copy, isa, order);
  if (plan.order() == CopyPlan::Order::kStreamed &&
      step_count(copy.loops) * width < kStreamingOutputBytes)
    return {copy, isa, CopyPlan::Order::kFetched};
  return plan;
}

}  // namespace

ScatterPlan::Block ScatterPlan::choose_block(const AffineCopy& copy, const IndexedMove& move,
                                             std::size_t axis) {
  Block whole{.in = copy, .move = move, .out = copy, .order = std::nullopt, .levels = {}};
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  std::ptrdiff_t size_bytes = step_count(copy.loops) * width;
  whole.large = size_bytes > kScatterBlockBytes;
  if (!whole.large || step_count(move.loops) < step_count(copy.loops) / kFewUpdates) return whole;
  whole.order = CopyPlan::Order::kPlain;  // into the cache, where the updates follow
  const bool updates_lines_often =
      step_count(move.loops) * kCacheLineBytes >= kLeastLineUpdates * size_bytes;
  Block block = whole;
  Dimensions dimensions = other_dimensions(copy.loops, move.loops, axis);
  const auto cut = [&](Dimension& dimension, std::ptrdiff_t step) {
    block.levels.push_back({step, dimension.copy, dimension.move});
    size_bytes = size_bytes / dimension.copy.count * step;
    dimension.copy.count = dimension.move.count = step;
  };
  Dimension along_axis{copy.loops[axis], move.loops[axis]};
  const std::ptrdiff_t axis_stride = along_axis.copy.count > 1 ? along_axis.copy.target_stride : 0;
  for (Dimension& dimension : dimensions) {
    if (size_bytes <= kScatterBlockBytes) break;
    const std::ptrdiff_t count = dimension.copy.count;
    if (dimension.copy.target_stride >= axis_stride) {  // around the axis
      const std::ptrdiff_t most = fitting(kScatterBlockBytes, size_bytes / count);
      const std::ptrdiff_t blocks = (count + most - 1) / most;
      cut(dimension, (count + blocks - 1) / blocks);  // as many in every block
    } else if (&dimension != dimensions.end() - 1) {
      cut(dimension, 1);
    } else {
      const std::ptrdiff_t columns = std::min(
          kScatterScratchBytes / along_axis.copy.count / kCacheLineBytes * kCacheLineBytes / width,
          count);
      if (dimension.copy.target_stride != width || columns * width < kLeastColumnsBytes ||
          axis_stride % kCrowdedPitchBytes != 0 || !updates_lines_often)
        return whole;
      cut(dimension, columns);
      block.staged = true;
    }
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
  if (threads == 1 || apart == 1) return execute_blocks(0, operands, 0, levels_[0].blocks());
  for_parts(apart, 1, threads, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
    execute_blocks(0, operands, first, count);
  });
  execute_blocks(0, operands, apart, levels_[0].blocks() - apart);
}

void ScatterPlan::copy_all(const Operands& operands, unsigned threads) const {
  const auto part = [&](std::ptrdiff_t first, std::ptrdiff_t count) {
    copy(in_, operands.input, operands.output, first, count);
  };
  const std::ptrdiff_t count = in_.cut().count;
  if (threads > 1 && large_ && count >= 2 * in_.least_part())
    return for_parts(count, in_.least_part(), threads, part);
  part(0, count);
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
