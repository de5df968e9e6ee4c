// What a tile takes of the loops around it: its limits, some of which no memory is large enough to
// show by what is copied.
#include "optimized/tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "optimized/tuning.h"

namespace opconform::optimized {
namespace {

constexpr std::ptrdiff_t kMostReach = std::numeric_limits<std::int32_t>::max();

std::vector<std::ptrdiff_t> counts(const Loops& loops) {
  std::vector<std::ptrdiff_t> result;
  for (const Loop& loop : loops) result.push_back(loop.count);
  return result;
}

using Counts = std::vector<std::ptrdiff_t>;

TEST(TileOfElements, TakesLoopsUntilTheyAreEnoughAndNotTooMany) {
  const auto left = [](const Counts& counts_of_loops, std::ptrdiff_t least = kLeastTileMoves) {
    Loops loops;
    for (const std::ptrdiff_t count : counts_of_loops) loops.push_back({count, 1, 1, 0});
    const Tile tile = Tile::of_elements(loops, 1, least);
    std::ptrdiff_t taken = 1;
    for (std::size_t i = loops.size(); i < counts_of_loops.size(); ++i) taken *= counts_of_loops[i];
    EXPECT_EQ(std::ssize(tile.moves), taken);
    EXPECT_EQ(tile.size_bytes, taken);
    return counts(loops);
  };
  EXPECT_EQ(left({2, 3, 4}), Counts());
  EXPECT_EQ(left({2, 4, 2, kLeastTileMoves / 2}), (Counts{2, 4}));
  EXPECT_EQ(left({2, 2, kLeastTileMoves - 1}), Counts{2});
  // A long loop repeats the tile, also of one element.
  EXPECT_EQ(left({2, kLeastTileMoves, 8}), (Counts{2, kLeastTileMoves}));
  EXPECT_EQ(left({2, kLeastTileMoves - 1, 8}), Counts{2});
  EXPECT_EQ(left({2, kLeastTileMoves}), (Counts{2, kLeastTileMoves}));
  // As many as a pattern may have.
  EXPECT_EQ(left({3, 2, kMostTileMoves / 2}, kMostTileMoves), Counts{3});
  EXPECT_EQ(left({2, kMostTileMoves / 2 + 1}, kMostTileMoves), Counts{2});
}

TEST(TileOfElements, HoldsThemInTheOrderOfTheLoops) {
  Loops loops{{2, 100, 10, 0}, {3, -7, 2, 0}};
  const Tile tile = Tile::of_elements(loops, 2);
  std::vector<std::pair<int, int>> moves;
  for (const auto& [source, target] : tile.moves) moves.emplace_back(source, target);
  EXPECT_EQ(moves, (std::vector<std::pair<int, int>>{
                       {0, 0}, {-7, 2}, {-14, 4}, {100, 10}, {93, 12}, {86, 14}}));
  EXPECT_EQ(tile.size_bytes, 12);
}

TEST(TileOfElements, MakesThoseWithoutAWidthByTwoMoves) {
  for (std::ptrdiff_t bytes = 1; bytes < 32; ++bytes) {
    Loops loops{{1000, 40, 50, 0}, {2, 1000, 1001, 0}};
    const Tile tile = Tile::of_elements(loops, bytes);
    EXPECT_EQ(counts(loops), Counts{1000});
    EXPECT_EQ(tile.size_bytes, 2 * bytes);
    const bool is_width = (bytes & (bytes - 1)) == 0;
    ASSERT_EQ(tile.moves.size(), is_width ? 2U : 4U) << bytes;
    EXPECT_LE(tile.width, bytes);
    EXPECT_GE(2 * tile.width, bytes + (is_width ? 1 : 0));
    EXPECT_EQ(tile.moves.front().source, 0);
    EXPECT_EQ(tile.moves.back().source + tile.width, 1000 + bytes);
    EXPECT_EQ(tile.moves.back().target + tile.width, 1001 + bytes);
    if (!is_width) {
      EXPECT_EQ(tile.moves[1].source, bytes - tile.width);
      EXPECT_EQ(tile.moves[1].target, bytes - tile.width);
    }
  }
}

TEST(TileOfElements, MakesLongOnesByAsManyMovesAsTheyNeed) {
  for (std::ptrdiff_t bytes = 32; bytes < 140; ++bytes) {
    Loops loops{{1000, 400, 500, 0}, {2, 1000, 1001, 0}};
    const Tile tile = Tile::of_elements(loops, bytes);
    EXPECT_EQ(tile.width, 16);
    EXPECT_EQ(tile.size_bytes, 2 * bytes);
    const std::ptrdiff_t each = (bytes + 15) / 16;
    ASSERT_EQ(std::ssize(tile.moves), 2 * each) << bytes;
    for (std::ptrdiff_t i = 0; i < each; ++i)
      EXPECT_EQ(tile.moves[static_cast<std::size_t>(each + i)].target - 1001,
                std::min(16 * i, bytes - 16));
    EXPECT_EQ(tile.moves.back().source, 1000 + bytes - 16);
  }
}

TEST(TileOfElements, ReachesNoFurtherThanItsOffsetsHold) {
  const auto left = [](const Loops& given) {
    Loops loops = given;
    static_cast<void>(Tile::of_elements(loops, 1));
    return loops.size();
  };
  constexpr std::ptrdiff_t kHalf = kMostReach / 2;
  EXPECT_EQ(left({{2, kMostReach, 1, 0}}), 0U);
  EXPECT_EQ(left({{2, kMostReach + 1, 1, 0}}), 1U);
  EXPECT_EQ(left({{2, -kMostReach - 1, 1, 0}}), 1U);
  EXPECT_EQ(left({{2, 1, kMostReach + 1, 0}}), 1U);
  // Two loops together, of which each alone would do.
  EXPECT_EQ(left({{2, kHalf, 1, 0}, {2, kHalf, 1, 0}}), 0U);
  EXPECT_EQ(left({{2, kHalf + 2, 1, 0}, {2, kHalf, 1, 0}}), 1U);
  EXPECT_EQ(left({{3, kHalf, 1, 0}}), 0U);
  EXPECT_EQ(left({{4, kHalf, 1, 0}}), 1U);
}

TEST(TileOfBlocks, HoldsWholeBlocksOfTheLoopThatRepeatsIt) {
  // Elements of 3 bytes side by side, as of pixels: 16 of them make three blocks.
  Loops loops{{100, 1, 3, 0}, {3, 1000, 1, 0}};
  const Tile tile = Tile::of_blocks(loops, 1);
  EXPECT_EQ(tile.steps, 16);
  EXPECT_EQ(tile.size_bytes, 48);
  EXPECT_EQ(counts(loops), Counts{100});
  // Two such tiles at least, or it holds the whole loop.
  for (const std::ptrdiff_t pixels : {32, 31}) {
    Loops few{{2, 200, 3 * pixels + 1, 0}, {pixels, 1, 3, 0}, {3, 1000, 1, 0}};
    EXPECT_EQ(Tile::of_blocks(few, 1).size_bytes, pixels == 32 ? 48 : 3 * pixels);
    EXPECT_EQ(counts(few), pixels == 32 ? (Counts{2, 32}) : Counts{2});
  }
}

TEST(TileOfBlocks, ThatWouldBeTooLargeHasAsManyStepsAsAreWorthIt) {
  // 33 bytes a step: 16 steps are more than a tile may have, but not of 31.
  Loops loops{{100, 200, 33, 0}, {3, 50, 11, 0}, {11, 1, 1, 0}};
  const Tile tile = Tile::of_blocks(loops, 1);
  EXPECT_EQ(tile.steps, (kLeastTileBytes + 32) / 33);
  EXPECT_EQ(tile.size_bytes, tile.steps * 33);
  loops = {{100, 50, 31, 0}, {31, 1, 1, 0}};
  EXPECT_EQ(Tile::of_blocks(loops, 1).steps, 16);
}

TEST(TileOfBlocks, CoversItsTargetToTheLastByte) {
  for (const std::ptrdiff_t count : {4, 5, 6, 7}) {
    Loops loops{{2, 400, 50, 0}, {count, 10, count, 0}, {count, 1, 1, 0}};
    const Tile tile = Tile::of_blocks(loops, 1);
    ASSERT_EQ(tile.size_bytes, count * count);
    std::vector<int> covered(static_cast<std::size_t>(tile.size_bytes));
    for (const BlockGroup& group : tile.blocks.groups)
      for (const std::ptrdiff_t target : group.targets)
        for (std::ptrdiff_t i = 0; i < 16; ++i) ++covered.at(static_cast<std::size_t>(target + i));
    EXPECT_EQ(std::count(covered.begin(), covered.end(), 0), 0) << count;
  }
}

TEST(TileOfBlocks, TakesNothingWhereTheTargetHasGaps) {
  for (const Loops& given :
       {Loops{{100, 8, 8, 0}, {3, 1, 2, 0}}, Loops{{100, 8, 9, 0}, {8, 1, 1, 0}}, Loops{}}) {
    Loops loops = given;
    EXPECT_TRUE(Tile::of_blocks(loops, 1).empty());
    EXPECT_EQ(counts(loops), counts(given));
  }
}

/// Squares of 20 rows and lines need fewer shuffles than blocks, whose elements come from 8
/// windows. Those of 2 lines would be nearly empty.
TEST(TileOfBlocks, TakesNothingWhereSquaresAreFaster) {
  const auto is_taken = [](Loops loops) {
    Loops around = loops;
    const Tile squares = Tile::of_squares(around, 2);
    EXPECT_FALSE(squares.empty());
    Loops alone = loops;
    EXPECT_FALSE(Tile::of_blocks(alone, 2).empty());
    return !Tile::of_blocks(loops, 2, &squares).empty();
  };
  EXPECT_FALSE(is_taken({{9, 800, 800, 0}, {20, 2, 40, 0}, {20, 40, 2, 0}}));
  EXPECT_TRUE(is_taken({{9, 800, 800, 0}, {2, 2, 40, 0}, {20, 4, 2, 0}}));
}

TEST(TileOfBlocks, TakesNothingWhereElementsAloneAreFaster) {
  const auto is_taken = [](std::ptrdiff_t stride, std::ptrdiff_t width) {
    Loops loops{{100, stride, width, 0}};
    return !Tile::of_blocks(loops, width).empty();
  };
  EXPECT_TRUE(is_taken(15, 1));
  EXPECT_FALSE(is_taken(16, 1));
  EXPECT_TRUE(is_taken(16, 2));
  EXPECT_TRUE(is_taken(-126, 2));
  EXPECT_FALSE(is_taken(-128, 2));
  EXPECT_FALSE(is_taken(128, 8));
}

TEST(TileOfBlocks, OfSeveralLinesOfASmallMatrixShareWindows) {
  const auto of_matrices = [](std::ptrdiff_t rows, std::ptrdiff_t lines) {
    const std::ptrdiff_t size = rows * lines;
    Loops loops{{41, size, size, 0}, {lines, 1, rows, 0}, {rows, lines, 1, 0}};
    Loops around = loops;
    const Tile squares = Tile::of_squares(around, 1);
    EXPECT_FALSE(squares.empty());
    return Tile::of_blocks(loops, 1, &squares);
  };
  const Tile tile = of_matrices(48, 4);
  EXPECT_EQ(tile.size_bytes, 192);
  EXPECT_EQ(tile.steps, 1);
  ASSERT_EQ(tile.blocks.groups.size(), 3U);
  for (std::ptrdiff_t place = 0; const BlockGroup& group : tile.blocks.groups) {
    EXPECT_EQ(std::vector(group.targets.begin(), group.targets.end()),
              (std::vector<std::ptrdiff_t>{place, place + 48, place + 96, place + 144}));
    EXPECT_EQ(group.windows.size(), 4U);
    place += kWindowBytes;
  }
  // Two matrices make whole blocks.
  EXPECT_EQ(of_matrices(40, 5).size_bytes, 400);
  // Of larger ones a part of a line is a tile; those of more lines are faster as squares.
  EXPECT_EQ(of_matrices(300, 4).size_bytes, kWindowBytes);
  EXPECT_TRUE(of_matrices(37, 8).empty());
}

TEST(TileOfSquares, TakesRowsAndLinesInTurn) {
  using Sides = std::pair<std::size_t, std::size_t>;
  const auto taken = [](Loops loops) {
    const Tile tile = Tile::of_squares(loops, 1);
    return Sides(tile.rows.size(), tile.lines.size());
  };
  // {11, 3, 9, 20} reversed: whichever is shorter goes on.
  EXPECT_EQ(taken({{11, 1, 540, 0}, {3, 11, 180, 0}, {9, 33, 20, 0}, {20, 297, 1, 0}}),
            Sides(180, 33));
  EXPECT_EQ(taken({{2, 1, 540, 0}, {3, 2, 180, 0}, {9, 6, 20, 0}, {20, 54, 1, 0}}), Sides(20, 54));
  EXPECT_EQ(taken({{2, 1, 81, 0}, {3, 2, 27, 0}, {3, 6, 9, 0}, {9, 18, 1, 0}}), Sides(27, 6));
  // A gap on the side that would go on; no lines; too few rows.
  EXPECT_EQ(taken({{2, 1, 81, 0}, {3, 3, 28, 0}, {3, 10, 9, 0}, {9, 40, 1, 0}}), Sides(27, 2));
  EXPECT_EQ(taken({{9, 2, 20, 0}, {20, 18, 1, 0}}), Sides(0, 0));
  EXPECT_EQ(taken({{9, 1, 15, 0}, {15, 9, 1, 0}}), Sides(0, 0));
  EXPECT_EQ(taken({{9, 1, 16, 0}, {16, 9, 1, 0}}), Sides(16, 9));
  EXPECT_EQ(taken({}), Sides(0, 0));
}

TEST(TileOfSquares, CutsWhatIsLongIntoWholeSquares) {
  const auto cut = [](std::ptrdiff_t rows, std::ptrdiff_t lines) {
    Loops loops{{lines, 1, rows, 0}, {rows, lines, 1, 0}};
    const Tile tile = Tile::of_squares(loops, 1);
    EXPECT_EQ(counts(loops), Counts{tile.steps == 1 ? 1 : std::max(rows, lines)});
    EXPECT_LE(std::ssize(tile.rows), kMostSquareSide);
    EXPECT_LE(std::ssize(tile.lines), kMostSquareSide);
    return tile.steps;
  };
  constexpr std::ptrdiff_t kMost = kMostSquareSide / 4;
  EXPECT_EQ(cut(kMost, 9), 1);
  EXPECT_EQ(cut(kMost + 1, 9), (kMost / 2 / kSquareSteps + 1) * kSquareSteps);
  EXPECT_EQ(cut(16, kMost + 1), (kMost / 2 / kSquareSteps + 1) * kSquareSteps);
  EXPECT_EQ(cut(100'000, 100), kMost);
  EXPECT_EQ(cut(100'000, 200), (kSquareTileBytes / 200 / kSquareSteps + 1) * kSquareSteps);
  EXPECT_EQ(cut(kMostSquareSide, kMostSquareSide), kSquareSteps);
  Loops both{{kMostSquareSide + 1, 1, 1000, 0}, {1000, kMostSquareSide + 1, 1, 0}};
  EXPECT_TRUE(Tile::of_squares(both, 1).empty());
  EXPECT_EQ(both.size(), 2U);
}

/// Of rows of 3 bytes a window of 16 is read, but not of those that begin in the last 15 bytes.
TEST(TileOfSquares, ListsTheRowsBehindTheLastWindow) {
  const auto of_rows = [](std::ptrdiff_t source_stride) {
    Loops loops{{3, 1, 20, 0}, {20, source_stride, 1, 0}};
    return Tile::of_squares(loops, 1);
  };
  EXPECT_EQ(of_rows(3).last_row, 57);
  EXPECT_EQ(of_rows(3).late_rows, (std::vector<std::ptrdiff_t>{15, 16, 17, 18, 19}));
  EXPECT_EQ(of_rows(-5).last_row, 0);
  EXPECT_EQ(of_rows(-5).late_rows, (std::vector<std::ptrdiff_t>{0, 1, 2}));
  EXPECT_EQ(of_rows(1).late_rows.size(), 13U);
  EXPECT_TRUE(of_rows(0).empty());  // all that there is to read is shorter
}

TEST(TileOfSquares, ReadsMirroredLinesForwards) {
  Loops loops{{3, -2, 40, 0}, {20, 6, 2, 0}};
  const Tile tile = Tile::of_squares(loops, 2);
  EXPECT_EQ(tile.rows.at(0), -4);
  EXPECT_EQ(tile.rows.at(1), 2);
  EXPECT_EQ(tile.lines, (std::vector<std::ptrdiff_t>{80, 40, 0}));
}

}  // namespace
}  // namespace opconform::optimized
