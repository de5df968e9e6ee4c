#include "optimized/scatter_plan.h"

#include <algorithm>
#include <array>

#include "optimized/parallel.h"

namespace opconform::optimized {
namespace {

/// All dimensions but the axis, outermost in the target first, and merged where both can be.
ScatterLevels other_dimensions(const Loops& copy, const Loops& move, std::size_t axis) {
  ScatterLevels sorted;
  for (std::size_t i = 0; i < copy.size(); ++i)
    if (i != axis && copy[i].count > 1) sorted.push_back({copy[i], move[i]});
  std::stable_sort(sorted.begin(), sorted.end(), [](const ScatterLevel& a, const ScatterLevel& b) {
    return a.copy.target_stride > b.copy.target_stride;
  });
  ScatterLevels merged;
  for (ScatterLevel next : sorted) {
    if (!merged.empty() && continues(merged.back().copy, next.copy) &&
        continues(merged.back().move, next.move)) {
      next.copy.count = next.move.count = next.copy.count * merged.back().copy.count;
      merged.pop_back();
    }
    merged.push_back(next);
  }
  return merged;
}

/// A transpose alone would go past the cache sooner than is good for the updates that follow. Long
/// runs may: so many bytes have left the cache when they are updated.
CopyPlan plan_copy(const AffineCopy& copy, Isa isa, std::optional<CopyPlan::Order> order,
                   Machine machine, bool is_tiled) {
  machine.streamed_transpose_bytes = machine.streamed_narrow_bytes =
      machine.streamed_crowded_bytes = machine.streamed_output_bytes;
  return {copy, isa, order, machine, 0, is_tiled};
}

/// How many columns of the axis fit the scratch, side by side in a line; none that lie apart.
std::ptrdiff_t most_columns(const ScatterLevel& columns, const ScatterLevel& along_axis,
                            std::ptrdiff_t width) {
  if (columns.copy.target_stride != width) return 0;
  const std::ptrdiff_t line_bytes =
      kScatterScratchBytes / along_axis.copy.count / kCacheLineBytes * kCacheLineBytes;
  return std::min(line_bytes / width, columns.copy.count);
}

/// Would each block read parts of lines, which others read again?
bool shares_lines(const ScatterLevel& level) {
  const auto is_short = [&](std::ptrdiff_t stride) {
    return stride != 0 && std::abs(stride) * level.step < kCacheLineBytes;
  };
  return is_short(level.copy.source_stride) || is_short(level.move.source_stride) ||
         is_short(level.move.index_stride);
}

/// In one block where that is as fast.
void choose_blocks(const ScatterLevels& dimensions, const ScatterLevel& along_axis,
                   const Machine& machine, ScatterBlock& block) {
  const auto width = static_cast<std::ptrdiff_t>(block.in.width_bytes);
  const std::ptrdiff_t elements = step_count(block.in.loops);
  const std::ptrdiff_t updates = step_count(block.move.loops);
  std::ptrdiff_t size_bytes = elements * width;
  if (size_bytes <= kScatterBlockBytes || updates < elements / kFewUpdates) return;
  block.order = CopyPlan::Order::kPlain;  // into the cache, where the updates follow
  const bool updates_lines_often = updates * kCacheLineBytes >= kLeastLineUpdates * size_bytes;
  const std::ptrdiff_t axis_stride = along_axis.copy.count > 1 ? along_axis.copy.target_stride : 0;
  for (ScatterLevel level : dimensions) {
    if (size_bytes <= kScatterBlockBytes) break;
    const std::ptrdiff_t count = level.copy.count;
    const bool is_last = block.levels.size() + 1 == dimensions.size();
    if (level.copy.target_stride >= axis_stride || !is_last) {
      const std::ptrdiff_t most = fitting(kScatterBlockBytes, size_bytes / count);
      const std::ptrdiff_t number = (count + most - 1) / most;
      level.step = (count + number - 1) / number;  // as many in every block
      if (shares_lines(level)) return block.levels.clear();
    } else {
      level.step = most_columns(level, along_axis, width);
      if (level.step * width < kLeastColumnsBytes || axis_stride % kCrowdedPitchBytes != 0 ||
          !updates_lines_often || elements * width < machine.staged_columns_bytes)
        return block.levels.clear();
      block.staged = true;
    }
    size_bytes = size_bytes / count * level.step;
    block.levels.push_back(level);
  }
}

ScatterBlock make_block(const AffineCopy& copy, const IndexedMove& move, std::size_t axis,
                        const Machine& machine) {
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  ScatterBlock block;  // in braces it would be filled with zeros first
  block.in = block.out = copy;
  block.move = move;
  ScatterLevels dimensions = other_dimensions(copy.loops, move.loops, axis);
  const ScatterLevel along_axis{copy.loops[axis], move.loops[axis]};
  choose_blocks(dimensions, along_axis, machine, block);
  if (block.levels.empty()) return block;
  for (std::size_t i = 0; i < block.levels.size(); ++i)
    dimensions[i].copy.count = dimensions[i].move.count = block.levels[i].step;
  block.in.loops = block.move.loops = {};
  dimensions.push_back(along_axis);
  for (const ScatterLevel& dimension : dimensions) {
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

}  // namespace

ScatterPlan::ScatterPlan(const AffineCopy& copy, const IndexedMove& move, std::size_t axis, Isa isa,
                         bool is_tiled, const Machine& machine)
    : ScatterPlan(make_block(copy, move, axis, machine), isa, is_tiled, machine) {}

ScatterPlan::ScatterPlan(const ScatterBlock& block, Isa isa, bool is_tiled, const Machine& machine)
    : in_(plan_copy(normalised(block.in), isa, block.order, machine, is_tiled)),
      move_(block.move, isa),
      levels_(block.levels) {
  if (block.staged) out_.emplace(normalised(block.out), isa, CopyPlan::Order::kPlain);
}

ScatterPlan::Operands ScatterPlan::Operands::at(const ScatterLevel& level,
                                                std::ptrdiff_t block) const {
  const std::ptrdiff_t first = std::min(block * level.step, level.copy.count - level.step);
  return {input + first * level.copy.source_stride, indices + first * level.move.index_stride,
          updates + first * level.move.source_stride, output + first * level.copy.target_stride};
}

void ScatterPlan::execute(const std::byte* input, const std::byte* indices,
                          const std::byte* updates, std::byte* output, unsigned threads) const {
  if (levels_.empty()) {
    in_.execute(input, output, threads);
    return move_.execute(indices, updates, output, threads);
  }
  const Operands operands{input, indices, updates, output};
  // The last block may go back over others: it waits for them.
  const std::ptrdiff_t apart = levels_[0].copy.count / levels_[0].step;
  for_parts(apart, 1, threads, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
    execute_blocks(0, operands, first, count);
  });
  execute_blocks(0, operands, apart, levels_[0].blocks() - apart);
}

void ScatterPlan::execute_blocks(std::size_t level, const Operands& operands, std::ptrdiff_t first,
                                 std::ptrdiff_t count) const {
  for (std::ptrdiff_t i = first; i < first + count; ++i) {
    const Operands inner = operands.at(levels_[level], i);
    if (level + 1 < levels_.size()) {
      execute_blocks(level + 1, inner, 0, levels_[level + 1].blocks());
    } else if (out_) {
      execute_staged_block(inner);
    } else {
      in_.execute(inner.input, inner.output);
      move_.execute(inner.indices, inner.updates, inner.output);
    }
  }
}

void ScatterPlan::execute_staged_block(const Operands& operands) const {
  alignas(kCacheLineBytes) std::array<std::byte, kScatterScratchBytes> scratch;
  in_.execute(operands.input, scratch.data());
  move_.execute(operands.indices, operands.updates, scratch.data());
  out_->execute(scratch.data(), operands.output);
}

}  // namespace opconform::optimized
