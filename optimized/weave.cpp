#include "optimized/weave.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "optimized/machine.h"
#include "optimized/parallel.h"
#include "optimized/pipeline.h"

namespace opconform::optimized {
namespace {

/// A copy, as runs that lie together in the target, one a row.
struct Runs {
  std::ptrdiff_t bytes = 0;
  InlineVector<std::ptrdiff_t, kMostWovenRowBytes> elements{};  ///< where they lie in the source
  std::ptrdiff_t first = 0;                                     ///< the lowest of these places
  std::ptrdiff_t last = 0;
  Loop rows{};
};

/// False where a row is longer than woven ones, or where one loop does not go from row to row.
bool find_runs(const AffineCopy& copy, Runs& runs) {
  Loops loops = copy.loops;
  normalise(loops, &Loop::target_stride);
  runs.bytes = static_cast<std::ptrdiff_t>(copy.width_bytes);
  Loops inside;
  while (!loops.empty() && loops.back().target_stride == runs.bytes) {
    inside.insert(0, loops.back());
    runs.bytes *= loops.back().count;
    loops.pop_back();
    if (runs.bytes > kMostWovenRowBytes) return false;
  }
  if (loops.size() != 1 || loops.back().target_stride > kMostWovenRowBytes) return false;
  runs.rows = loops.back();
  runs.elements.push_back(0);
  unroll(inside, runs.elements, [](std::ptrdiff_t at, const Loop& loop, std::ptrdiff_t steps) {
    return at + loop.source_stride * steps;
  });
  const auto [first, last] = std::minmax_element(runs.elements.begin(), runs.elements.end());
  runs.first = *first;
  runs.last = *last;
  return true;
}

/// The runs of all copies, if they stand side by side in rows that lie together.
std::optional<std::vector<Runs>> side_by_side(const Program& program) {
  const std::vector<CopyStep>& steps = program.steps;
  if (steps.size() < 2 || steps.size() > kMostWovenSources) return std::nullopt;
  if (steps.front().output != steps.back().output) return std::nullopt;
  std::vector<Runs> all;
  std::ptrdiff_t row_bytes = 0;
  std::ptrdiff_t shortest = kMostWovenRowBytes;
  for (const CopyStep& step : steps) {
    Runs runs;
    if (!find_runs(program.copies[step.copy], runs) || step.target_offset_bytes != row_bytes)
      return std::nullopt;
    row_bytes += runs.bytes;
    shortest = std::min(shortest, runs.bytes);
    all.push_back(runs);
  }
  const Loop& rows = all.front().rows;
  for (const Runs& runs : all)
    if (runs.rows.count != rows.count || runs.rows.target_stride != row_bytes) return std::nullopt;
  if (shortest >= kRunBytes) return std::nullopt;
  return all;
}

/// How many rows, of twice as many at least, make whole blocks, and reach over a window in every
/// source; 0 where that is too much.
std::ptrdiff_t rows_of_tile(const std::vector<Runs>& all, std::ptrdiff_t row_bytes,
                            std::ptrdiff_t width, std::ptrdiff_t block_bytes) {
  const std::ptrdiff_t whole = block_bytes / std::gcd(row_bytes, block_bytes);
  const std::ptrdiff_t most = std::min(kMostWovenTileBytes / row_bytes, all.front().rows.count / 2);
  for (std::ptrdiff_t rows = whole; rows <= most; rows += whole) {
    const bool reaches = std::all_of(all.begin(), all.end(), [&](const Runs& runs) {
      const std::ptrdiff_t stride = runs.rows.source_stride;
      return stride >= 0 && runs.last + (rows - 1) * stride + width - runs.first >= kWindowBytes;
    });
    if (reaches) return rows;
  }
  return 0;
}

/// Of copying so many rows run by run, in loads of windows and shuffles.
std::ptrdiff_t cost_by_runs(const std::vector<Runs>& all, std::ptrdiff_t rows) {
  std::ptrdiff_t sixteenths = 0;
  for (const Runs& runs : all) sixteenths += kRunCost + runs.bytes;
  const bool is_large = all.front().rows.count * all.front().rows.target_stride >= kLargeWeaveBytes;
  return rows * sixteenths / (is_large ? 8 : 16);
}

/// Without groups of blocks where a block would need too many windows, or runs cost less.
Weave make_weave(const std::vector<Runs>& all, std::ptrdiff_t steps, std::ptrdiff_t row_bytes,
                 std::ptrdiff_t width, std::ptrdiff_t block_bytes) {
  Weave weave{.steps = steps, .row_bytes = row_bytes, .block_bytes = block_bytes};
  InlineVector<Place, kMostWovenTileBytes> elements;
  std::array<std::ptrdiff_t, kMostWovenSources> last{};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::ptrdiff_t stride = all[k].rows.source_stride;
    weave.source_strides.push_back(stride);
    last[k] = all[k].last + (steps - 1) * stride + width - kWindowBytes;
  }
  for (std::ptrdiff_t row = 0; row < steps; ++row)
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const std::ptrdiff_t at : all[k].elements)
        elements.push_back({k, at + row * weave.source_strides[k]});
  // Wide blocks have their windows to themselves.
  const std::ptrdiff_t near = block_bytes > kWindowBytes ? 0 : kMostWovenTileBytes;
  weave.blocks = Blocks::of({elements.begin(), elements.end()}, width, block_bytes, last.data(),
                            near, cost_by_runs(all, steps));
  return weave;
}

}  // namespace

std::optional<WeavePlan> WeavePlan::of(const Program& program, Isa isa) {
  if (isa != Isa::kAvx2 || kAvx2Weave == nullptr) return std::nullopt;
  const std::optional<std::vector<Runs>> all = side_by_side(program);
  if (!all) return std::nullopt;
  const auto width = static_cast<std::ptrdiff_t>(program.copies.front().width_bytes);
  const Loop& rows = all->front().rows;
  const std::ptrdiff_t row_bytes = rows.target_stride;
  WeavePlan plan;
  for (const std::ptrdiff_t block_bytes : {2 * kWindowBytes, kWindowBytes}) {
    if (block_bytes > kWindowBytes && all->size() > kMostWideSources) continue;
    const std::ptrdiff_t steps = rows_of_tile(*all, row_bytes, width, block_bytes);
    if (steps == 0) continue;
    plan.weave_ = make_weave(*all, steps, row_bytes, width, block_bytes);
    if (!plan.weave_.blocks.groups.empty()) break;
  }
  if (plan.weave_.blocks.groups.empty()) return std::nullopt;
  const std::ptrdiff_t steps = plan.weave_.steps;
  plan.steps_.assign(program.steps.begin(), program.steps.end());
  plan.rows_ = rows.count;
  plan.least_part_ = std::max(2 * steps, steps_of_part(1, row_bytes));
  plan.is_streamed_ = rows.count * row_bytes >= machine_in_use().streamed_output_bytes;
  const std::ptrdiff_t pass_bytes = plan.is_streamed_ ? kStageBytes : kFetchedBlockBytes;
  plan.block_rows_ = fitting(pass_bytes, 2 * steps * row_bytes) * 2 * steps;
  return plan;
}

ExecutionResult WeavePlan::operator()(const Bindings& bindings, unsigned threads) const {
  for_parts(rows_, least_part_, threads, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
    Pipeline pipeline;
    std::array<const std::byte*, kMostWovenSources> sources{};
    std::byte* const target = bindings.outputs[steps_.back().output].data();
    for (const std::ptrdiff_t end = first + count; first < end; first += block_rows_) {
      // What is left is too little for the kernel, perhaps: it goes back over what was made.
      const std::ptrdiff_t block = std::min(block_rows_, std::max(end - first, 2 * weave_.steps));
      const std::ptrdiff_t from = std::min(first, end - block);
      for (std::size_t k = 0; k < steps_.size(); ++k)
        sources[k] = bindings.inputs[steps_[k].input].data() + steps_[k].source_offset_bytes +
                     from * weave_.source_strides[k];
      std::byte* const to = target + from * weave_.row_bytes;
      const std::ptrdiff_t bytes = block * weave_.row_bytes;
      std::byte* const made = is_streamed_ ? pipeline.room(bytes, 1, {}) : to;
      kAvx2Weave(made, sources.data(), weave_, block);
      if (is_streamed_) pipeline.put({to, made, bytes});
    }
  });
  return std::nullopt;
}

}  // namespace opconform::optimized
