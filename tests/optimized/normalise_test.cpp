// How copies and moves are simplified, and which kernel their shape then asks for.
#include <gtest/gtest.h>

#include "optimized/copy_plan.h"
#include "optimized/indexed_move.h"

namespace opconform::optimized {
namespace {

Loop loop(std::ptrdiff_t count, std::ptrdiff_t source, std::ptrdiff_t target) {
  return {.count = count, .source_stride = source, .target_stride = target};
}

AffineCopy copy_of(std::size_t width, const Loops& loops) {
  return {.width_bytes = width, .source_offset_bytes = 0, .loops = loops};
}

TEST(Normalise, PackedDimensionsBecomeOneLoop) {
  const AffineCopy copy =
      normalised(copy_of(4, {loop(3, 400, 400), loop(4, 100, 100), loop(25, 4, 4)}));
  EXPECT_EQ(copy.loops, (Loops{loop(300, 4, 4)}));
}

TEST(Normalise, LoopsOfOneStepAreDroppedWhateverTheirStride) {
  const AffineCopy copy = normalised(copy_of(4, {loop(1, -1, 17), loop(25, 4, 4), loop(1, 0, 0)}));
  EXPECT_EQ(copy.loops, (Loops{loop(25, 4, 4)}));
}

TEST(Normalise, TheTargetsOrderWins) {
  const AffineCopy copy = normalised(copy_of(4, {loop(5, 4, 4), loop(3, 20, 20)}));
  EXPECT_EQ(copy.loops, (Loops{loop(15, 4, 4)}));
}

TEST(Normalise, BroadcastDimensionsMerge) {
  const AffineCopy copy = normalised(copy_of(4, {loop(3, 0, 400), loop(100, 0, 4)}));
  EXPECT_EQ(copy.loops, (Loops{loop(300, 0, 4)}));
}

TEST(Normalise, ReversedDimensionsMerge) {
  const AffineCopy copy = normalised(copy_of(4, {loop(3, -400, 400), loop(100, -4, 4)}));
  EXPECT_EQ(copy.loops, (Loops{loop(300, -4, 4)}));
}

TEST(Normalise, PaddedRowsStayApart) {
  const Loops rows{loop(7, 20, 12), loop(3, 4, 4)};
  EXPECT_EQ(normalised(copy_of(4, rows)).loops, rows);
}

TEST(Normalise, PairsBecomeWiderElements) {
  const AffineCopy copy = normalised(copy_of(4, {loop(7, 20, 16), loop(2, 8, 8), loop(2, 4, 4)}));
  EXPECT_EQ(copy.width_bytes, 16U);
  EXPECT_EQ(copy.loops, (Loops{loop(7, 20, 16)}));
}

TEST(Normalise, AnEmptyCopyIsLeftAlone) {
  const Loops loops{loop(5, 4, 4), loop(0, 20, 20)};
  EXPECT_EQ(normalised(copy_of(4, loops)).loops, loops);
}

TEST(Normalise, ASingleElementHasNoLoops) {
  EXPECT_TRUE(normalised(copy_of(4, {loop(1, 4, 4)})).loops.empty());
}

PlaneShape shape_of(std::size_t width, const Loops& loops, Isa isa = Isa::kScalar) {
  return CopyPlan(normalised(copy_of(width, loops)), isa).shape();
}

TEST(CopyPlan, EveryShapeIsReached) {
  using enum PlaneShape;
  EXPECT_EQ(shape_of(4, {}), kRuns);
  EXPECT_EQ(shape_of(4, {loop(100, 4, 4)}), kRuns);
  EXPECT_EQ(shape_of(4, {loop(100, 0, 4)}), kFill);
  EXPECT_EQ(shape_of(4, {loop(100, 4, 8)}), kStrided);
  EXPECT_EQ(shape_of(4, {loop(100, -4, 4)}), kStrided);
  EXPECT_EQ(shape_of(4, {loop(64, 4, 256), loop(64, 256, 4)}), kTranspose);
  EXPECT_EQ(shape_of(4, {loop(9, 4, 100), loop(3, 50, 24), loop(2, 1000, 8)}), kElements);
}

TEST(CopyPlan, ShortPatternsAreShuffled) {
  using enum PlaneShape;
  const auto shape = [&](std::size_t width, const Loops& loops) {
    return shape_of(width, loops, Isa::kAvx2);
  };
  EXPECT_EQ(shape(4, {loop(100, -4, 4)}), kShuffle);
  EXPECT_EQ(shape(4, {loop(100, 8, 4)}), kShuffle);
  EXPECT_EQ(shape(1, {loop(100, -3, 1)}), kShuffle);
  // Three channels: planes to pixels, pixels to planes, and turned around.
  EXPECT_EQ(shape(1, {loop(1000, 1, 3), loop(3, 1000, 1)}), kShuffle);
  EXPECT_EQ(shape(1, {loop(3, 1, 1000), loop(1000, 3, 1)}), kShuffle);
  EXPECT_EQ(shape(1, {loop(1000, 3, 3), loop(3, -1, 1)}), kShuffle);
  // Rows of 3 out of 5.
  EXPECT_EQ(shape(4, {loop(1000, 20, 12), loop(3, 4, 4)}), kShuffle);
  // Smaller than a vector, too many places, too near each other.
  EXPECT_EQ(shape(4, {loop(7, -4, 4)}), kStrided);
  EXPECT_EQ(shape(1, {loop(100, 50, 1)}), kStrided);
  EXPECT_EQ(shape(1, {loop(100, 0, 3), loop(3, 1, 1)}), kRuns);
}

IndexedPlan plan_of(IndexedSide side, const Loops& loops) {
  IndexedMove move{.width_bytes = 4, .loops = loops, .checked_indices = std::nullopt};
  move.side = side;
  return {move, Isa::kScalar};
}

TEST(IndexedPlan, RowsOfAWidthAreElements) {
  using enum IndexedShape;
  const Loop indices{.count = 5, .source_stride = 0, .target_stride = 400, .index_stride = 8};
  const auto gather = [&](std::ptrdiff_t count) {
    return plan_of(IndexedSide::kSource, {indices, loop(count, 4, 4)});
  };
  EXPECT_EQ(gather(1).shape(), kGatherElements);
  EXPECT_EQ(gather(2).shape(), kGatherElements);
  EXPECT_EQ(gather(2).row_bytes(), 8U);
  EXPECT_EQ(gather(3).shape(), kGatherShortRows);
  EXPECT_EQ(gather(8).shape(), kGatherRows);
  EXPECT_EQ(gather(100).row_bytes(), 400U);
  const Loop updates{.count = 5, .source_stride = 400, .target_stride = 0, .index_stride = 8};
  EXPECT_EQ(plan_of(IndexedSide::kTarget, {updates}).shape(), kScatterElements);
  EXPECT_EQ(plan_of(IndexedSide::kTarget, {updates, loop(100, 4, 4)}).shape(), kScatterRows);
}

}  // namespace
}  // namespace opconform::optimized
