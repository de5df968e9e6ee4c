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
  return {.width_bytes = width, .loops = loops};
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

TEST(Loops, AreEqualWhereAllOfThemIs) {
  const Loop some{.count = 2, .source_stride = 3, .target_stride = 4, .index_stride = 5};
  EXPECT_EQ(some, (Loop{2, 3, 4, 5}));
  EXPECT_NE(some, (Loop{1, 3, 4, 5}));
  EXPECT_NE(some, (Loop{2, 1, 4, 5}));
  EXPECT_NE(some, (Loop{2, 3, 1, 5}));
  EXPECT_NE(some, (Loop{2, 3, 4, 1}));
}

PlaneShape shape_of(std::size_t width, const Loops& loops, Isa isa = Isa::kScalar) {
  return CopyPlan(normalised(copy_of(width, loops)), isa).shape();
}

TEST(CopyPlan, EveryShapeIsReached) {
  using enum PlaneShape;
  EXPECT_EQ(shape_of(4, {}), kRuns);
  EXPECT_EQ(shape_of(4, {loop(100, 4, 4)}), kRuns);
  EXPECT_EQ(shape_of(4, {loop(100, 0, 4)}), kFill);
  EXPECT_EQ(shape_of(4, {loop(100, 0, 12), loop(3, 4, 4)}), kRepeat);
  EXPECT_EQ(shape_of(4, {loop(100, 4, 8)}), kStrided);
  EXPECT_EQ(shape_of(4, {loop(100, -4, 4)}), kStrided);
  EXPECT_EQ(shape_of(4, {loop(64, 4, 256), loop(64, 256, 4)}), kTranspose);
  EXPECT_EQ(shape_of(4, {loop(4, 4, 32), loop(8, 16, 4)}), kTranspose);
  EXPECT_EQ(shape_of(4, {loop(3, 4, 32), loop(8, 16, 4)}), kStrided);
  EXPECT_EQ(shape_of(4, {loop(8, 4, 28), loop(7, 32, 4)}), kElements);
  EXPECT_EQ(shape_of(4, {loop(9, 4, 100), loop(3, 50, 24), loop(2, 1000, 8)}), kElements);
  // Short runs, and short lines of single elements.
  EXPECT_EQ(shape_of(1, {loop(100, 3, 4), loop(3, 1, 1)}), kElements);
  EXPECT_EQ(shape_of(1, {loop(100, 31, 32), loop(31, 1, 1)}), kElements);
  EXPECT_EQ(shape_of(1, {loop(100, 32, 40), loop(33, 1, 1)}), kRuns);
  // Longer runs where a plane has few bytes of them.
  const auto in_groups = [](std::ptrdiff_t runs, std::ptrdiff_t bytes) {
    return shape_of(1, {loop(100, 5000, 9000), loop(runs, 400, 500), loop(bytes, 1, 1)});
  };
  EXPECT_EQ(in_groups(2, kLeastRunsBytes / 2 - 1), kElements);
  EXPECT_EQ(in_groups(2, kLeastRunsBytes / 2), kRuns);
  EXPECT_EQ(in_groups(7, kLeastRunsBytes / 8), kElements);
  EXPECT_EQ(in_groups(8, kLeastRunsBytes / 8), kRuns);
  EXPECT_EQ(shape_of(1, {loop(100, 1, 4), loop(7, 100, 1)}), kElements);
  EXPECT_EQ(shape_of(1, {loop(100, 1, 9), loop(8, 100, 1)}), kStrided);
}

TEST(CopyPlan, PatternsAreRepeatedWhereThatIsLong) {
  using enum PlaneShape;
  const auto repeated = [&](std::ptrdiff_t times, std::ptrdiff_t bytes, std::ptrdiff_t gap = 0) {
    return shape_of(1, {loop(times, 0, bytes + gap), loop(bytes, 1, 1)}) == kRepeat;
  };
  EXPECT_TRUE(repeated(100, 3));
  EXPECT_FALSE(repeated(100, 3, 1));
  EXPECT_TRUE(repeated((kLeastRepeatedBytes + 2) / 3, 3));
  EXPECT_FALSE(repeated((kLeastRepeatedBytes - 1) / 3, 3));
  EXPECT_TRUE(repeated(100, kMostPatternBytes));
  EXPECT_FALSE(repeated(100, kMostPatternBytes + 1));
  // A pattern of more than one loop, the largest that is short enough.
  const auto left = [](Loops loops) {
    static_cast<void>(Tile::of_pattern(loops, 1));
    return loops.size();
  };
  EXPECT_EQ(left({loop(1000, 0, 21), loop(3, 1, 7), loop(7, 0, 1)}), 1U);
  EXPECT_EQ(left({loop(9, 0, 3000), loop(1000, 0, 3), loop(3, 1, 1)}), 2U);
  EXPECT_EQ(left({loop(9, 50, 3000), loop(1000, 0, 3), loop(3, 1, 1)}), 2U);
  EXPECT_EQ(left({loop(1000, 0, 1)}), 1U);  // one element: to be filled
  // Its elements lie further apart than a move can say.
  constexpr std::ptrdiff_t kFar = std::ptrdiff_t{1} << 31;
  EXPECT_EQ(left({loop(1000, 0, 3), loop(3, kFar, 1)}), 2U);
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
  // Columns: so many elements, each repeated, that they fill a window. From a repetition of 32
  // bytes on they fill a vector, which kFill stores.
  for (const std::ptrdiff_t repeated : {2, 6, 8, 13, 31})
    EXPECT_EQ(shape(1, {loop(1000, 1, repeated), loop(repeated, 0, 1)}), kShuffle) << repeated;
  EXPECT_EQ(shape(1, {loop(32, 1, 14), loop(14, 0, 1)}), kShuffle);
  EXPECT_EQ(shape(1, {loop(31, 1, 14), loop(14, 0, 1)}), kStrided);
  EXPECT_EQ(shape(1, {loop(1000, 1, 32), loop(32, 0, 1)}), kFill);
  EXPECT_EQ(shape(4, {loop(1000, 4, 28), loop(7, 0, 4)}), kShuffle);
  EXPECT_EQ(shape(2, {loop(1000, -2, 12), loop(6, 0, 2)}), kShuffle);
  // From as many places as a block has elements, unless these are bytes.
  EXPECT_EQ(shape(2, {loop(100, 50, 2)}), kShuffle);
  EXPECT_EQ(shape(1, {loop(100, 15, 1)}), kShuffle);
  EXPECT_EQ(shape(1, {loop(100, 16, 1)}), kStrided);
  // Smaller than a vector, too near each other.
  EXPECT_EQ(shape(4, {loop(7, -4, 4)}), kStrided);
  EXPECT_EQ(shape(1, {loop(50, 0, 3), loop(3, 1, 1)}), kElements);
}

TEST(CopyPlan, ShortDimensionsThatChangePlacesAreSquares) {
  using enum PlaneShape;
  const auto shape = [&](std::size_t width, const Loops& loops) {
    return shape_of(width, loops, Isa::kAvx2);
  };
  // Pixels of many channels to planes, of few, and of as many that are transposed at once.
  EXPECT_EQ(shape(1, {loop(9, 1, 1000), loop(1000, 9, 1)}), kSquares);
  EXPECT_EQ(shape(1, {loop(4, 1, 1000), loop(1000, 4, 1)}), kShuffle);
  EXPECT_EQ(shape(2, {loop(5, 2, 2000), loop(1000, 10, 2)}), kSquares);
  EXPECT_EQ(shape(1, {loop(16, 1, 1000), loop(1000, 16, 1)}), kTranspose);
  // Batches: of few repeated tiles, and of one that is a batch.
  EXPECT_EQ(shape(2, {loop(100, 228, 228), loop(6, 2, 38), loop(19, 12, 2)}), kSquares);
  EXPECT_EQ(shape(2, {loop(100, 54, 54), loop(3, 2, 18), loop(9, 6, 2)}), kShuffle);
  // All dimensions reversed, forwards and backwards; three rows are too few.
  EXPECT_EQ(shape(1, {loop(11, 1, 297), loop(3, 11, 99), loop(9, 33, 11), loop(11, 297, 1)}),
            kSquares);
  EXPECT_EQ(shape(1, {loop(11, -1, 297), loop(3, -11, 99), loop(9, 33, 11), loop(11, 297, 1)}),
            kSquares);
  EXPECT_EQ(shape(4, {loop(1000, 4, 12), loop(3, 4000, 4)}), kShuffle);
}

TEST(CopyPlan, ShortLinesAreTransposedWhereTilesWouldTakeAnElementFromEachPlace) {
  using enum PlaneShape;
  // Of so many planes, and gaps between the pixels.
  const auto shape = [](std::ptrdiff_t width, std::ptrdiff_t planes, std::ptrdiff_t gap,
                        std::ptrdiff_t pixels = 1000) {
    return shape_of(
        static_cast<std::size_t>(width),
        {loop(pixels, width, (planes + gap) * width), loop(planes, 5000 * width, width)},
        Isa::kAvx2);
  };
  EXPECT_EQ(shape(4, 2, 0), kShuffle);
  EXPECT_EQ(shape(4, 2, 1), kTranspose);
  EXPECT_EQ(shape(4, 2, 1, 8), kTranspose);
  EXPECT_EQ(shape(4, 2, 1, 7), kElements);
  EXPECT_EQ(shape(4, 3, 0), kShuffle);
  EXPECT_EQ(shape(4, 4, 0), kTranspose);
  EXPECT_EQ(shape(4, 7, 1), kTranspose);
  EXPECT_EQ(shape(8, 2, 0), kTranspose);
  EXPECT_EQ(shape(8, 3, 2), kTranspose);
  EXPECT_EQ(shape(2, 4, 0), kTranspose);  // 8 bytes
  EXPECT_EQ(shape(2, 7, 0), kShuffle);
  EXPECT_EQ(shape(1, 7, 0), kShuffle);
  EXPECT_EQ(shape(1, 8, 0), kTranspose);
  EXPECT_EQ(shape(1, 9, 0), kShuffle);
  EXPECT_EQ(shape(1, 9, 1), kTranspose);
  EXPECT_EQ(shape(1, kManyPlanes - 1, 0), kShuffle);
  EXPECT_EQ(shape(1, kManyPlanes, 0), kTranspose);
  EXPECT_EQ(shape(1, 16, 0), kTranspose);
}

TEST(CopyPlan, WithoutTilesPlansNeitherShufflesNorSquares) {
  using enum PlaneShape;
  const auto shape = [](std::size_t width, const Loops& loops, bool is_tiled) {
    return CopyPlan(normalised(copy_of(width, loops)), Isa::kAvx2, std::nullopt, machine_in_use(),
                    0, is_tiled)
        .shape();
  };
  const Loops reversed{loop(100, -1, 1)};
  EXPECT_EQ(shape(1, reversed, true), kShuffle);
  EXPECT_EQ(shape(1, reversed, false), kStrided);
  const Loops permuted{loop(11, 1, 297), loop(3, 11, 99), loop(9, 33, 11), loop(11, 297, 1)};
  EXPECT_EQ(shape(1, permuted, true), kSquares);
  EXPECT_EQ(shape(1, permuted, false), kStrided);
  const Loops wider{loop(11, 4, 1188), loop(3, 44, 396), loop(9, 132, 44), loop(11, 1188, 4)};
  EXPECT_EQ(shape(4, wider, true), kSquares);
  EXPECT_EQ(shape(4, wider, false), kTranspose);
  const Loops transposed{loop(64, 4, 256), loop(64, 256, 4)};
  EXPECT_EQ(shape(4, transposed, true), kTranspose);
  EXPECT_EQ(shape(4, transposed, false), kTranspose);
  const Loops pixels{loop(1000, 1, 3), loop(3, 1000, 1)};
  EXPECT_EQ(shape(1, pixels, true), kShuffle);
  EXPECT_EQ(shape(1, pixels, false), kTranspose);
}

/// What a known machine chooses for a copy of words.
auto order_on(const char* machine, std::size_t width = 4) {
  return [machine = choose_machine(machine, {}), width](const Loops& loops,
                                                        std::ptrdiff_t together_bytes = 0) {
    return CopyPlan(normalised(copy_of(width, loops)), Isa::kAvx2, std::nullopt, machine,
                    together_bytes)
        .order();
  };
}

TEST(CopyPlan, TheOrderFollowsShapeAndSize) {
  using enum CopyPlan::Order;
  const auto order = order_on("intel");
  const auto transpose = [&](std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t gap = 0) {
    const std::ptrdiff_t row_bytes = 4 * columns + gap;
    return order({loop(rows, 4, row_bytes), loop(columns, 4 * rows, 4)});
  };
  EXPECT_EQ(transpose(1000, 200), kPlain);
  EXPECT_EQ(transpose(10'000, 200), kStreamed);
  EXPECT_EQ(transpose(10'000, 200, 8), kFetched);  // short rows with gaps: nothing to stage
  EXPECT_EQ(transpose(2000, 1000, 8), kStreamed);
  EXPECT_EQ(transpose(300'000, 8), kStreamed);
  EXPECT_EQ(transpose(300'000, 7), kFetched);  // lines of less than a vector: as tiles
  const auto reversed = [&](std::ptrdiff_t rows, std::ptrdiff_t columns) {
    const std::ptrdiff_t row_bytes = 4 * columns;
    return order({loop(rows, 2 * row_bytes, row_bytes + 4), loop(9, 0, rows * (row_bytes + 4)),
                  loop(columns, -4, 4)});
  };
  EXPECT_EQ(reversed(90'000, 20), kFetched);  // short rows with gaps as well
  EXPECT_EQ(reversed(20, 90'000), kStreamed);
  EXPECT_EQ(order({loop(90'000, 4000, 4000), loop(9, 360, 400), loop(20, -4, 4)}), kPlain);
  EXPECT_EQ(order({loop(10'000'000, 12, 8)}), kPlain);                // single elements
  EXPECT_EQ(order({loop(1000, 4, 4000), loop(1000, 0, 4)}), kPlain);  // next to nothing is read
}

TEST(CopyPlan, GraniteFetchesNothing) {
  using enum CopyPlan::Order;
  const auto order = order_on("granite");
  for (const std::ptrdiff_t count : {1 << 20, 11 << 20})
    EXPECT_EQ(order({loop(count, 8, 4)}), kPlain);
  EXPECT_EQ(order({loop(13 << 20, 8, 4)}), kStreamed);
  EXPECT_EQ(order({loop(7 << 20, -4, 4)}), kPlain);
  EXPECT_EQ(order({loop(9 << 20, -4, 4)}), kStreamed);
  EXPECT_EQ(order({loop(2000, 4, 8000), loop(2000, 8000, 4)}), kStreamed);
}

TEST(CopyPlan, Zen4StreamsLongRunsAndWhatItDoesNotForesee) {
  using enum CopyPlan::Order;
  const auto order = order_on("zen4");
  const std::ptrdiff_t large = 64 << 20;
  EXPECT_EQ(order({loop(large, 8, 4)}), kPlain);
  // Runs, from 10 MiB on, also of several outputs together.
  const auto runs = [&](std::ptrdiff_t bytes, std::ptrdiff_t gap, std::ptrdiff_t count,
                        std::ptrdiff_t together_bytes = 0) {
    return order({loop(count, bytes + gap, bytes), loop(bytes / 4, 4, 4)}, together_bytes);
  };
  EXPECT_EQ(runs(1000, 1000, 20'000), kPlain);
  EXPECT_EQ(runs(1024, 1024, 10'200), kPlain);
  EXPECT_EQ(runs(1024, 1024, 10'300), kStreamed);
  EXPECT_EQ(runs(1024, 1024, 1000, 11 << 20), kStreamed);
  EXPECT_EQ(runs(1000, 1000, 1000, 11 << 20), kPlain);
  EXPECT_EQ(runs(1024, 252, 20'000), kPlain);
  EXPECT_EQ(runs(1024, 256, 20'000), kStreamed);
  EXPECT_EQ(runs(2044, 4, 20'000), kPlain);
  EXPECT_EQ(runs(2048, 4, 20'000), kStreamed);
  EXPECT_EQ(order({loop(large, 4, 4)}), kStreamed);
  // Backwards only where lines follow each other forwards.
  EXPECT_EQ(order({loop(large, -4, 4)}), kPlain);
  EXPECT_EQ(order({loop(large / 500, -4000, 2000), loop(500, -4, 4)}), kPlain);
  EXPECT_EQ(order({loop(large / 500, 4000, 2000), loop(500, -4, 4)}), kStreamed);
  // Broadcasts, from 32 MiB on, into long lines.
  for (const auto& [rows, expected] : {std::pair(8300, kPlain), std::pair(8500, kStreamed)}) {
    EXPECT_EQ(order({loop(rows, 0, 4000), loop(1000, 4, 4)}), expected);
    EXPECT_EQ(order({loop(rows, 4, 4000), loop(1000, 0, 4)}), expected);
  }
  EXPECT_EQ(order({loop(large / 6, 4, 24), loop(6, 0, 4)}), kPlain);
  EXPECT_EQ(order({loop(large / 15, 0, 60), loop(15, 4, 4)}), kPlain);
  // Transposes only where lines are whole KiB apart.
  EXPECT_EQ(order({loop(5000, 4, 20'000), loop(5000, 20'000, 4)}), kPlain);
  EXPECT_EQ(order({loop(4096, 4, 16'384), loop(4096, 16'384, 4)}), kStreamed);
}

TEST(CopyPlan, Zen3StreamsRunsAndWhatIsReadAgainSooner) {
  using enum CopyPlan::Order;
  const auto order = order_on("zen3");
  const std::ptrdiff_t large = 64 << 20;
  EXPECT_EQ(order({loop(large, 8, 4)}), kPlain);
  EXPECT_EQ(order({loop(large, -4, 4)}), kPlain);
  EXPECT_EQ(order({loop(large / 500, 4000, 2000), loop(500, -4, 4)}), kStreamed);
  // Runs, with a stage or without, from 8 MiB on.
  for (const std::ptrdiff_t run : {1024, 16 << 10})
    for (const auto& [mib, expected] : {std::pair(7, kPlain), std::pair(9, kStreamed)})
      EXPECT_EQ(order({loop((mib << 20) / run, 2 * run, run), loop(run / 4, 4, 4)}), expected);
  // Long lines that are read again, from 6 MiB on, and patterns from 10.
  for (const auto& [rows, expected] : {std::pair(1500, kPlain), std::pair(1700, kStreamed)})
    EXPECT_EQ(order({loop(rows, 0, 4000), loop(1000, 4, 4)}), expected);
  for (const auto& [rows, expected] : {std::pair(170'000, kPlain), std::pair(180'000, kStreamed)})
    EXPECT_EQ(order({loop(rows, 0, 60), loop(15, 4, 4)}), expected);
  // Transposes from 8 MiB on; of narrow elements, from short rows or of few planes, only where
  // lines are whole KiB apart, and then from 4.
  for (const auto& [side, expected] : {std::pair(1400, kPlain), std::pair(1500, kStreamed)})
    EXPECT_EQ(order({loop(side, 4, 4 * side), loop(side, 4 * side, 4)}), expected);
  for (const auto& [columns, expected] : {std::pair(63, kPlain), std::pair(64, kStreamed)})
    EXPECT_EQ(order({loop(columns, 4, 400'000), loop(100'000, 4 * columns, 4)}), expected);
  for (const auto& [planes, expected] : {std::pair(23, kPlain), std::pair(24, kStreamed)})
    EXPECT_EQ(order({loop(200'001, 4, 4 * planes), loop(planes, 800'004, 4)}), expected);
  EXPECT_EQ(order_on("zen3", 2)({loop(5000, 2, 10'000), loop(5000, 10'000, 2)}), kPlain);
  EXPECT_EQ(order_on("zen3", 2)({loop(4096, 2, 8192), loop(4096, 8192, 2)}), kStreamed);
  EXPECT_EQ(order({loop(1024, 4, 4096), loop(1024, 4096, 4)}), kStreamed);
}

TEST(CopyPlan, ZenStreamsWhatItDoesNotForesee) {
  using enum CopyPlan::Order;
  const auto order = order_on("zen");
  const std::ptrdiff_t large = 64 << 20;
  // Forwards: stored as it comes, however much it is.
  EXPECT_EQ(order({loop(large, 8, 4)}), kPlain);
  EXPECT_EQ(order({loop(3, 4, 4 * large), loop(large, 12, 4)}), kPlain);
  EXPECT_EQ(order({loop(large / 500, 4000, 2000), loop(500, 4, 4)}), kPlain);
  // Backwards all the time, too; each line of it, from 10 MiB on.
  EXPECT_EQ(order({loop(large, -4, 4)}), kPlain);
  EXPECT_EQ(order({loop(large, -8, 4)}), kPlain);
  for (const auto& [lines, expected] : {std::pair(6'500, kPlain), std::pair(6'600, kStreamed)})
    EXPECT_EQ(order({loop(lines, 1600, 1600), loop(400, -4, 4)}), expected);
  // Broadcast, from 48 MiB on: a row, and single elements.
  for (const auto& [rows, expected] : {std::pair(12'000, kPlain), std::pair(13'000, kStreamed)}) {
    EXPECT_EQ(order({loop(rows, 0, 4000), loop(1000, 4, 4)}), expected);
    EXPECT_EQ(order({loop(rows, 4, 4000), loop(1000, 0, 4)}), expected);
    EXPECT_EQ(order({loop(1000 * rows / 15, 0, 60), loop(15, 4, 4)}), expected);
  }
  // Transposes, from 2 MiB on where lines of either side are whole KiB apart.
  const auto transpose = [&](std::ptrdiff_t rows, std::ptrdiff_t columns) {
    return order({loop(rows, 4, 4 * columns), loop(columns, 4 * rows, 4)});
  };
  EXPECT_EQ(transpose(5000, 5000), kPlain);
  EXPECT_EQ(transpose(1024, 500), kPlain);
  EXPECT_EQ(transpose(1024, 600), kStreamed);
  EXPECT_EQ(transpose(600, 1024), kStreamed);
}

TEST(Tile, HoldsNoLoopThatReachesTooFar) {
  const Loop near = loop(2, 100, 8);
  const Loop far = loop(3, std::ptrdiff_t{1} << 30, 100);
  Loops loops{loop(5, 7, 1000), far, near};
  const Tile of_near = Tile::of_elements(loops, 4);
  EXPECT_EQ(of_near.moves.size(), 2U * static_cast<std::size_t>(of_near.steps));
  loops = {loop(5, 7, 1000), near, far};
  EXPECT_EQ(Tile::of_elements(loops, 4).moves.size(), 1U);
}

IndexedPlan plan_of(bool gathers, const Loops& loops) {
  IndexedMove move{.width_bytes = 4, .loops = loops, .checked_indices = std::nullopt};
  move.gathers = gathers;
  return {move, Isa::kScalar};
}

TEST(IndexedPlan, OnlyAGatherChecksItsIndices) {
  const std::int64_t outside = 77;
  EXPECT_FALSE(plan_of(/*gathers=*/false, {loop(1, 4, 4)})
                   .check(reinterpret_cast<const std::byte*>(&outside)));
}

TEST(IndexedPlan, RowsOfAWidthAreElements) {
  using enum IndexedShape;
  const Loop indices{.count = 5, .source_stride = 0, .target_stride = 400, .index_stride = 8};
  const auto gather = [&](std::ptrdiff_t count) {
    return plan_of(/*gathers=*/true, {indices, loop(count, 4, 4)});
  };
  EXPECT_EQ(gather(1).shape(), kGatherElements);
  EXPECT_EQ(gather(2).shape(), kGatherElements);
  EXPECT_EQ(gather(2).row_bytes(), 8U);
  EXPECT_EQ(gather(3).shape(), kGatherShortRows);
  EXPECT_EQ(gather(8).shape(), kGatherRows);
  EXPECT_EQ(gather(100).row_bytes(), 400U);
  const Loop updates{.count = 5, .source_stride = 400, .target_stride = 0, .index_stride = 8};
  EXPECT_EQ(plan_of(/*gathers=*/false, {updates}).shape(), kScatterElements);
  EXPECT_EQ(plan_of(/*gathers=*/false, {updates, loop(100, 4, 4)}).shape(), kScatterRows);
}

}  // namespace
}  // namespace opconform::optimized
