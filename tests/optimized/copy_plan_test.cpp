// Affine copies of every shape against a naive loop, between guard pages, for all widths and both
// instruction sets, with and without storing past the cache, whole and in parts.
#include "optimized/copy_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "optimized/machine.h"
#include "optimized/tuning.h"
#include "tests/optimized/each_isa.h"
#include "tests/optimized/guarded_memory.h"

namespace opconform::optimized {
namespace {

using test::choose;
using test::fill_randomly;
using test::GuardedMemory;
using test::GuardSide;
using test::Random;

using Order = CopyPlan::Order;

bool chance(Random& random, int percent) { return choose(random, 1, 100) <= percent; }

/// Strides in bytes for these counts: the dimensions in that order, the last one innermost, now and
/// then with gaps.
std::vector<std::ptrdiff_t> strides_of(const std::vector<std::ptrdiff_t>& counts,
                                       const std::vector<std::size_t>& order, std::ptrdiff_t width,
                                       int gaps_percent, Random& random) {
  std::vector<std::ptrdiff_t> strides(counts.size());
  std::ptrdiff_t stride = width;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (chance(random, gaps_percent)) stride += width * choose(random, 1, 9);
    strides[order[i]] = stride;
    stride *= counts[order[i]];
  }
  return strides;
}

/// Nests of one long and of many short loops; sources packed in any order, backwards, repeated,
/// with gaps; targets packed or with gaps.
AffineCopy some_copy(std::ptrdiff_t width, Random& random) {
  const auto rank = static_cast<std::size_t>(choose(random, 0, 5));
  std::vector<std::ptrdiff_t> counts(rank);
  std::ptrdiff_t left = chance(random, 20) ? 40'000 : 3'000;
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> mixed = order;
  std::shuffle(mixed.begin(), mixed.end(), random);
  for (const std::size_t i : mixed) {
    counts[i] = choose(random, 1,
                       std::max(std::min(left, chance(random, 40) ? left : 9), std::ptrdiff_t{1}));
    left /= counts[i];
  }
  if (chance(random, 50)) std::shuffle(mixed.begin(), mixed.end(), random);
  if (chance(random, 25)) mixed = order;
  const auto targets = strides_of(counts, order, width, chance(random, 30) ? 30 : 0, random);
  auto sources = strides_of(counts, mixed, width, chance(random, 50) ? 30 : 0, random);
  for (std::ptrdiff_t& stride : sources) {
    if (chance(random, 15)) stride = 0;
    if (chance(random, 15)) stride = -stride;
  }
  AffineCopy copy{.width_bytes = static_cast<std::size_t>(width), .loops = {}};
  for (std::size_t i = 0; i < rank; ++i)
    copy.loops.push_back(
        {.count = counts[i], .source_stride = sources[i], .target_stride = targets[i]});
  return copy;
}

/// The bytes that an operand spans, from `first` (at most 0) to `end`, counted from where it
/// starts.
struct Span {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t end = 0;
};
Span span_of(const AffineCopy& copy, std::ptrdiff_t Loop::*stride) {
  Span span{0, static_cast<std::ptrdiff_t>(copy.width_bytes)};
  for (const Loop& loop : copy.loops) {
    const std::ptrdiff_t last = (loop.count - 1) * (loop.*stride);
    (last < 0 ? span.first : span.end) += last;
  }
  return span;
}

/// Memory that ends, or begins, with the last byte of a span that lies `shift` bytes off a page.
class Operand {
 public:
  Operand(const Span& span, GuardSide side, std::ptrdiff_t shift, Random& random)
      : memory_(static_cast<std::size_t>(span.end - span.first + shift), side),
        start_((side == GuardSide::kBefore ? shift : 0) - span.first) {
    fill_randomly(memory_.bytes(), random);
  }
  [[nodiscard]] std::byte* start() const { return memory_.begin() + start_; }
  [[nodiscard]] std::ptrdiff_t start_offset() const { return start_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return memory_.bytes(); }

 private:
  GuardedMemory memory_;
  std::ptrdiff_t start_;
};

std::string text_of(const AffineCopy& copy) {
  std::string text = "width " + std::to_string(copy.width_bytes);
  for (const Loop& loop : copy.loops)
    text += " {" + std::to_string(loop.count) + ", " + std::to_string(loop.source_stride) + ", " +
            std::to_string(loop.target_stride) + "}";
  return text;
}

void execute(const CopyPlan& plan, const std::byte* source, std::byte* target,
             std::ptrdiff_t part) {
  const std::ptrdiff_t count = plan.cut().count;
  if (part == count) return plan.execute(source, target);
  std::optional<Pipeline> pipeline;
  if (plan.needs_pipeline()) pipeline.emplace();
  for (std::ptrdiff_t first = 0; first < count; first += part)
    plan.execute(source, target, first, std::min(part, count - first),
                 pipeline ? &*pipeline : nullptr);
}

void check(const AffineCopy& copy, const CopyPlan& plan, GuardSide side, Random& random) {
  const std::ptrdiff_t shift = chance(random, 50) ? choose(random, 1, 63) : 0;
  const Operand source(span_of(copy, &Loop::source_stride), side, shift, random);
  const Operand target(span_of(copy, &Loop::target_stride), side, shift, random);
  std::vector<std::byte> expected(target.bytes().begin(), target.bytes().end());
  for_each_position(copy.loops, [&](const Position& at) {
    std::memcpy(expected.data() + target.start_offset() + at.target, source.start() + at.source,
                copy.width_bytes);
  });
  const std::ptrdiff_t count = plan.cut().count;
  const std::ptrdiff_t part = chance(random, 50) ? count : choose(random, 1, count);
  execute(plan, source.start(), target.start(), part);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target.bytes().begin()))
      << text_of(copy) << ", shape " << static_cast<int>(plan.shape()) << ", order "
      << static_cast<int>(plan.order()) << ", parts of " << part << ", shift " << shift;
}

/// Which bytes of the target some steps write: those that are the same whatever stood there.
std::vector<bool> written_by(const CopyPlan& plan, const Operand& source, const Operand& target,
                             std::ptrdiff_t first, std::ptrdiff_t count) {
  std::vector<std::byte> results[2];
  for (const int turn : {0, 1}) {
    std::fill(target.bytes().begin(), target.bytes().end(), std::byte(turn == 0 ? 0x00 : 0xff));
    std::optional<Pipeline> pipeline;
    if (plan.needs_pipeline()) pipeline.emplace();
    plan.execute(source.start(), target.start(), first, count, pipeline ? &*pipeline : nullptr);
    pipeline.reset();
    results[turn].assign(target.bytes().begin(), target.bytes().end());
  }
  std::vector<bool> written(results[0].size());
  for (std::size_t i = 0; i < written.size(); ++i) written[i] = results[0][i] == results[1][i];
  return written;
}

/// Two parts of cut_least() steps or more share nothing that they write: threads may have one each.
void check_parts_lie_apart(const AffineCopy& copy, const CopyPlan& plan, Random& random) {
  const std::ptrdiff_t count = plan.cut().count;
  const std::ptrdiff_t least = plan.cut_least();
  ASSERT_GE(plan.least_part(), least) << text_of(copy);
  if (count < 2 * least) return;
  const Operand source(span_of(copy, &Loop::source_stride), GuardSide::kBehind, 0, random);
  const Operand target(span_of(copy, &Loop::target_stride), GuardSide::kBehind, 0, random);
  const std::ptrdiff_t cut = chance(random, 50) ? least : choose(random, least, count - least);
  const std::vector<bool> before = written_by(plan, source, target, 0, cut);
  const std::vector<bool> behind = written_by(plan, source, target, cut, count - cut);
  const std::vector<bool> whole = written_by(plan, source, target, 0, count);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    ASSERT_FALSE(before[i] && behind[i]) << text_of(copy) << ", cut at " << cut;
    ASSERT_EQ(whole[i], before[i] || behind[i]) << text_of(copy) << ", cut at " << cut;
  }
}

/// In any order, and now and then without shuffles and squares.
CopyPlan some_plan(const AffineCopy& copy, Isa isa, Random& random) {
  const auto order = static_cast<Order>(choose(random, 0, 2));
  Machine machine = machine_in_use();
  machine.unstaged_run_bytes = chance(random, 50) ? 1024 : 16 << 10;
  return {normalised(copy), isa, order, machine, 0, chance(random, 80)};
}

class CopyPlanTest : public test::EachIsa {};
INSTANTIATE_TEST_SUITE_P(Isas, CopyPlanTest, test::isas(), test::isa_name);

TEST_P(CopyPlanTest, CopiesMatchANaiveLoop) {
  Random random(1);
  std::map<std::pair<PlaneShape, Order>, int> seen;
  for (int round = 0; round < 1200; ++round)
    for (const std::size_t width : kWidths) {
      const AffineCopy copy = some_copy(static_cast<std::ptrdiff_t>(width), random);
      const CopyPlan plan = some_plan(copy, GetParam(), random);
      ++seen[{plan.shape(), plan.order()}];
      check(copy, plan, round % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore, random);
      if (round % 8 == 0) check_parts_lie_apart(copy, plan, random);
      if (HasFatalFailure()) return;
    }
  for (std::size_t row = 0; row < kPlaneShapeCount; ++row) {
    const auto shape = static_cast<PlaneShape>(row);
    const auto often = [&](Order order) { return seen[{shape, order}] >= 10; };
    const bool avx2 = GetParam() == Isa::kAvx2;
    const bool is_for_avx2 = shape == PlaneShape::kShuffle || shape == PlaneShape::kSquares;
    const bool can_be_staged = shape != PlaneShape::kStrided && shape != PlaneShape::kSquares;
    EXPECT_EQ(often(Order::kPlain), avx2 || !is_for_avx2) << "shape " << row;
    EXPECT_EQ(often(Order::kFetched), avx2) << "shape " << row;
    EXPECT_EQ(often(Order::kStreamed), avx2 && can_be_staged) << "shape " << row;
  }
}

// Lines from one element to more than a vector has: which kernel serves changes on the way.
TEST_P(CopyPlanTest, TransposesOfAnyCounts) {
  Random random(5);
  std::map<PlaneShape, int> seen;
  for (const std::size_t width : kWidths)
    for (std::ptrdiff_t rows = 1; rows <= 40; ++rows)
      for (const std::ptrdiff_t columns : {choose(random, 1, 9), choose(random, 10, 40)}) {
        const auto step = static_cast<std::ptrdiff_t>(width);
        const std::ptrdiff_t row_bytes = columns * step + choose(random, 0, 1) * step;
        const AffineCopy copy{.width_bytes = width,
                              .loops = {{rows, chance(random, 20) ? -step : step, row_bytes, 0},
                                        {columns, (rows + choose(random, 0, 2)) * step, step, 0}}};
        const CopyPlan plan = some_plan(copy, GetParam(), random);
        ++seen[plan.shape()];
        check(copy, plan, rows % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore, random);
        check_parts_lie_apart(copy, plan, random);
        if (HasFatalFailure()) return;
      }
  EXPECT_GT(seen[PlaneShape::kTranspose], 100);
}

// Pixels of few channels, made of planes: each is one store, or two that overlap.
TEST_P(CopyPlanTest, LinesShorterThanAVector) {
  Random random(8);
  std::map<PlaneShape, int> seen;
  for (const std::size_t width : kWidths) {
    const auto step = static_cast<std::ptrdiff_t>(width);
    for (std::ptrdiff_t columns = 2; columns < kVectorBytes / step; ++columns)
      for (std::ptrdiff_t round = 0; round < 8; ++round) {
        const std::ptrdiff_t lines = kVectorBytes / step + choose(random, -1, 70);
        const std::ptrdiff_t plane = (lines + choose(random, 0, 3)) * step;
        const std::ptrdiff_t pitch = (columns + choose(random, 0, 3)) * step;
        const AffineCopy copy{.width_bytes = width,
                              .loops = {{lines, chance(random, 20) ? -step : step, pitch, 0},
                                        {columns, chance(random, 20) ? -plane : plane, step, 0}}};
        const CopyPlan plan = some_plan(copy, GetParam(), random);
        ++seen[plan.shape()];
        check(copy, plan, round % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore, random);
        check_parts_lie_apart(copy, plan, random);
        if (HasFatalFailure()) return;
      }
  }
  EXPECT_EQ(seen[PlaneShape::kTranspose] > 250, GetParam() == Isa::kAvx2);
}

// Dimensions of a few elements, and one that is longer, in another order and mirrored: squares of
// any number of rows and lines, whole and cut, that read up to the last byte of the source.
TEST_P(CopyPlanTest, PermutesOfShortDimensions) {
  Random random(9);
  std::map<PlaneShape, int> seen;
  for (const std::size_t width : kWidths)
    for (int round = 0; round < 200; ++round) {
      const auto rank = static_cast<std::size_t>(choose(random, 2, 5));
      std::vector<std::ptrdiff_t> counts(rank);
      for (std::ptrdiff_t& count : counts) count = choose(random, 2, rank > 3 ? 6 : 20);
      counts[static_cast<std::size_t>(choose(random, 0, std::ssize(counts) - 1))] =
          choose(random, 1, chance(random, 20) ? 1500 : 70);
      std::vector<std::size_t> order(rank);
      std::iota(order.begin(), order.end(), std::size_t{0});
      const auto step = static_cast<std::ptrdiff_t>(width);
      const auto targets = strides_of(counts, order, step, 0, random);
      if (chance(random, 50))
        std::shuffle(order.begin(), order.end(), random);
      else
        std::reverse(order.begin(), order.end());
      const auto sources = strides_of(counts, order, step, chance(random, 20) ? 30 : 0, random);
      AffineCopy copy{.width_bytes = width, .loops = {}};
      for (std::size_t i = 0; i < rank; ++i)
        copy.loops.push_back(
            {counts[i], chance(random, 20) ? -sources[i] : sources[i], targets[i], 0});
      const CopyPlan plan = some_plan(copy, GetParam(), random);
      ++seen[plan.shape()];
      check(copy, plan, round % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore, random);
      if (round % 4 == 0) check_parts_lie_apart(copy, plan, random);
      if (HasFatalFailure()) return;
    }
  EXPECT_EQ(seen[PlaneShape::kSquares] > 200, GetParam() == Isa::kAvx2);
}

// The last part of a line is shorter than the kernel's least, and the stage has no room for more.
TEST_P(CopyPlanTest, StagedLinesEndWithAPartThatGoesBack) {
  Random random(4);
  for (const std::size_t width : kWidths) {
    const auto step = static_cast<std::ptrdiff_t>(width);
    const std::ptrdiff_t count = 3 * kStageBytes / step + 1;
    const AffineCopy copy{.width_bytes = width,
                          .loops = {{2, step, count * step, 0}, {count, 0, step, 0}}};
    const CopyPlan plan(normalised(copy), GetParam(), Order::kStreamed);
    EXPECT_EQ(plan.shape(), PlaneShape::kFill);
    check(copy, plan, GuardSide::kBehind, random);
    if (HasFatalFailure()) return;
  }
}

// Pieces of them are stored side by side. Where they are whole KiB apart, each begins further on
// than the one before it, and ends with its first lines.
TEST_P(CopyPlanTest, StreamedRunsOfAnyLength) {
  Random random(9);
  Machine machine = machine_in_use();
  for (std::ptrdiff_t run = 1; run < 18'000; run += choose(random, 1, 90))
    for (const std::ptrdiff_t runs : {1, 5}) {
      const std::ptrdiff_t pitch = (run / 1024 + 1) * 1024;
      machine.unstaged_run_bytes = chance(random, 50) ? 1024 : 16 << 10;
      const AffineCopy copy{.width_bytes = 1, .loops = {{runs, 2 * run, pitch, 0}, {run, 1, 1, 0}}};
      check(copy, CopyPlan(normalised(copy), GetParam(), Order::kStreamed, machine),
            run % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore, random);
      if (HasFatalFailure()) return;
    }
}

// Groups of a few runs, of which each is several moves.
TEST_P(CopyPlanTest, FewRunsOfAnyLength) {
  Random random(7);
  std::map<PlaneShape, int> seen;
  for (std::ptrdiff_t run = 17; run <= kLeastRunsBytes / 2 + 1; ++run)
    for (const std::ptrdiff_t runs : {2, 5, 9}) {
      const AffineCopy copy{.width_bytes = 1,
                            .loops = {{choose(random, 1, 3), 70 * runs * run, 70 * runs * run, 0},
                                      {choose(random, 2, 70), run, runs * run, 0},
                                      {runs, 70 * run, run, 0},
                                      {run, 1, 1, 0}}};
      const CopyPlan plan = some_plan(copy, GetParam(), random);
      ++seen[plan.shape()];
      check(copy, plan, run % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore, random);
      check_parts_lie_apart(copy, plan, random);
      if (HasFatalFailure()) return;
    }
  EXPECT_GT(seen[PlaneShape::kElements], 100);
  EXPECT_GT(seen[PlaneShape::kRuns], 50);
}

// Each row lies a byte further behind its source, but for whole pages, than the one before it.
TEST_P(CopyPlanTest, LongRunsAtAnyDistance) {
  Random random(18);
  for (const std::ptrdiff_t run : {kLibraryCopyBytes, std::ptrdiff_t{5000}, std::ptrdiff_t{20'000}})
    for (const GuardSide side : {GuardSide::kBefore, GuardSide::kBehind}) {
      const AffineCopy copy{.width_bytes = 1, .loops = {{70, run, run + 1, 0}, {run, 1, 1, 0}}};
      const CopyPlan plan(normalised(copy), GetParam(), Order::kPlain);
      ASSERT_EQ(plan.shape(), PlaneShape::kRuns);
      check(copy, plan, side, random);
    }
}

// Dense tiles of runs, one of which alone nearly fills the stage, or would not fit.
TEST_P(CopyPlanTest, StagedTilesOfRunsFit) {
  Random random(8);
  int elements = 0;
  for (const std::ptrdiff_t run : {20, 36, 80, 127})
    for (const std::ptrdiff_t rows : {3, 8, 9, 15, 33}) {
      const std::ptrdiff_t tile = 8 * rows * run;
      const AffineCopy copy{.width_bytes = 1,
                            .loops = {{3, tile, tile, 0},
                                      {rows, run, 8 * run, 0},
                                      {4, rows * run, 2 * run, 0},
                                      {2, 4 * rows * run, run, 0},
                                      {run, 1, 1, 0}}};
      const CopyPlan plan(normalised(copy), GetParam(), Order::kStreamed);
      if (plan.shape() == PlaneShape::kElements) ++elements;
      check(copy, plan, GuardSide::kBehind, random);
      if (HasFatalFailure()) return;
    }
  EXPECT_GT(elements, 10);
}

// Lines that lie between each other's in the source, of many tiles: as many as the stage has room
// for.
TEST_P(CopyPlanTest, StagedLinesOfTilesFit) {
  Random random(6);
  constexpr std::ptrdiff_t kLines = 64;
  std::map<PlaneShape, int> seen;
  for (const std::ptrdiff_t width : {1, 2, 4, 8, 16})
    for (const std::ptrdiff_t count : {2, 3, 7, 15})
      for (std::ptrdiff_t run = 1; run <= 3; ++run) {
        const std::ptrdiff_t element = run * width;
        AffineCopy copy{.width_bytes = static_cast<std::size_t>(width),
                        .loops = {{kLines, element, kLines * count * element, 0},
                                  {kLines, (count + 1) * kLines * element, count * element, 0},
                                  {count, kLines * element, element, 0},
                                  {run, width, width, 0}}};
        const CopyPlan plan(normalised(copy), GetParam(), Order::kStreamed);
        ++seen[plan.shape()];
        check(copy, plan, GuardSide::kBehind, random);
        if (HasFatalFailure()) return;
      }
  EXPECT_GT(seen[PlaneShape::kElements], 3);
  EXPECT_EQ(seen[PlaneShape::kShuffle] > 3, GetParam() == Isa::kAvx2);
}

// No two elements meet, and yet rows lie between each other's: what fills a row does not lie
// together.
TEST_P(CopyPlanTest, RowsThatAreNotNestedMatchANaiveLoop) {
  Random random(7);
  for (const std::size_t width : kWidths)
    for (const std::ptrdiff_t run : {1, 2, 3})
      for (const int order : {0, 1, 2}) {
        const auto step = static_cast<std::ptrdiff_t>(width);
        const std::ptrdiff_t element = run * step;
        AffineCopy copy{.width_bytes = width,
                        .loops = {{3000, 4 * element, 4 * element, 0},
                                  {2, element, 3 * element, 0},
                                  {2, 2 * element, 2 * element, 0},
                                  {run, step, step, 0}}};
        const CopyPlan plan(normalised(copy), GetParam(), static_cast<Order>(order));
        check(copy, plan, GuardSide::kBehind, random);
        if (HasFatalFailure()) return;
      }
}

// Small transposes side by side: tiles of any number of blocks.
TEST_P(CopyPlanTest, TilesOfEverySizeMatchANaiveLoop) {
  Random random(3);
  for (const std::ptrdiff_t width : {1, 2, 4, 8})
    for (std::ptrdiff_t rows = 2; rows <= 9; ++rows)
      for (std::ptrdiff_t columns = 2; columns <= 9; ++columns) {
        const std::ptrdiff_t size_bytes = rows * columns * width;
        const AffineCopy copy{.width_bytes = static_cast<std::size_t>(width),
                              .loops = {{10, size_bytes, size_bytes, 0},
                                        {rows, width, columns * width, 0},
                                        {columns, rows * width, width, 0}}};
        check(copy, CopyPlan(normalised(copy), GetParam()), GuardSide::kBehind, random);
        if (HasFatalFailure()) return;
      }
}

}  // namespace
}  // namespace opconform::optimized
