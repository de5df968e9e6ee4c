#include "bench/views.h"

#include <gmock/gmock.h>

#include "bench/cell.h"
#include "bench/operators/gather.h"
#include "bench/operators/scatter.h"
#include "bench/operators/slice1.h"
#include "bench/operators/split.h"
#include "bench/shapes.h"
#include "spec/validate.h"

namespace opconform::bench {
namespace {

using testing::ElementsAre;
using enum DataType;

TEST(Moves, AWindowThatRunsBackwardsStartsAtItsEnd) {
  const std::vector<Move> all = *moves(slice(kUint8, {4, 10}, {1, -2}, {1, 3}, {2, 5}));
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].source.offset, 1 * 10 + 7);
  EXPECT_THAT(all[0].source.sizes, ElementsAre(2, 3));
  EXPECT_THAT(all[0].source.strides, ElementsAre(10, -2));
  EXPECT_EQ(all[0].target.offset, 0);
}

TEST(Moves, PartsOfASplitFollowEachOther) {
  const std::vector<Move> all = *moves(split(kFloat32, {5, 6}, 1, 3));
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[2].source.offset, 4);
  EXPECT_EQ(all[2].target.buffer, 2);
  EXPECT_THAT(all[2].source.strides, ElementsAre(6, 1));
  EXPECT_THAT(all[2].target.strides, ElementsAre(2, 1));
}

TEST(Moves, OperatorsWithIndicesHaveNone) {
  EXPECT_FALSE(moves(gather(kFloat32, {4}, 0, {2})));
  EXPECT_FALSE(moves(scatter(kFloat32, {4}, 0, {2})));
}

TEST(Forwards, StartsAtTheOtherEndOfWhatRanBackwards) {
  const View backwards{.buffer = 0, .offset = 9, .sizes = {2, 5}, .strides = {10, -2}};
  const auto [view, turned] = forwards(backwards);
  EXPECT_EQ(view.offset, 1);
  EXPECT_THAT(view.strides, ElementsAre(10, 2));
  EXPECT_THAT(turned, ElementsAre(1));
}

TEST(Cells, AreValidAndHaveNamesOfTheirOwn) {
  std::vector<std::string> names;
  for (const Cell& cell : all_cells()) {
    EXPECT_TRUE(validate(cell.op, version_of(cell.op)).empty()) << cell.name;
    EXPECT_THAT(names, testing::Not(testing::Contains(cell.name)));
    names.push_back(cell.name);
  }
}

TEST(Shapes, AreValidAndLargeAndTheSameAgain) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Operator op = draw_shape(1, number);
    EXPECT_TRUE(validate(op, version_of(op)).empty()) << number;
    EXPECT_GE(output_bytes(op), kLeastShapeBytes) << number;
    EXPECT_LE(output_bytes(op), 10 * kMostShapeBytes) << number;
    EXPECT_EQ(op, draw_shape(1, number)) << number;
  }
}

}  // namespace
}  // namespace opconform::bench
