#include "bench/families.h"

#include <gmock/gmock.h>

#include <set>

#include "bench/neighbours.h"
#include "spec/validate.h"

namespace opconform::bench {
namespace {

TEST(Families, DrawnShapesAreValidAndFillTheirTier) {
  for (const std::uint64_t seed : {1U, 2U, 3U})
    for (const Shape& shape : draw_shapes(seed, 2)) {
      const Operator op = shape.op();
      EXPECT_TRUE(validate(op, version_of(op)).empty()) << shape.name();
      EXPECT_LE(tensor_bytes(op), shape.tier->bytes) << shape.name();
      if (shape.length > 8) {
        EXPECT_GT(tensor_bytes(op), shape.tier->bytes / 2) << shape.name();
      }
    }
}

TEST(Families, EveryFamilyIsDrawnInTheLargeTiers) {
  std::set<std::pair<std::string_view, std::string_view>> met;
  for (const Shape& shape : draw_shapes(1, 1)) met.emplace(shape.family->name, shape.tier->name);
  for (const Family& family : all_families())
    for (const Tier& tier : all_tiers().subspan(2))
      EXPECT_EQ(met.count({family.name, tier.name}), 1U) << family.name << " " << tier.name;
}

TEST(Families, TheSeedAloneChooses) {
  const auto names = [](std::uint64_t seed) {
    std::vector<std::string> result;
    for (const Shape& shape : draw_shapes(seed, 2)) result.push_back(shape.name());
    return result;
  };
  EXPECT_EQ(names(1), names(1));
  EXPECT_NE(names(1), names(2));
}

TEST(Families, AtLeast300CellsAreDrawnByTwos) {
  std::set<std::string> names;
  for (const Cell& cell : cells_of(draw_shapes(1, 2))) names.insert(cell.name);
  EXPECT_GE(names.size(), 300U);
}

TEST(Neighbours, DifferInOneNumberByOneOrByTwice) {
  const Shape shape = draw_shapes(1, 1).front();
  ASSERT_EQ(shape.numbers.size(), 1U);
  ASSERT_GT(shape.numbers[0], 1U);
  Shape small = shape;
  small.length = 5;
  small.numbers[0] = shape.family->numbers[0].least;
  const std::uint64_t number = small.numbers[0];
  std::vector<std::pair<std::uint64_t, std::uint64_t>> met;
  for (const Shape& next : neighbours_of(small)) met.emplace_back(next.length, next.numbers[0]);
  EXPECT_THAT(met, testing::ElementsAre(std::pair(6, number), std::pair(10, number),
                                        std::pair(5, number + 1), std::pair(5, 2 * number)));
}

TEST(Neighbours, StayWithinTheFamilysNumbers) {
  for (const Shape& shape : draw_shapes(1, 1))
    for (const Shape& next : neighbours_of(shape)) {
      for (std::size_t i = 0; i < next.numbers.size(); ++i)
        EXPECT_LE(next.numbers[i], shape.family->numbers[i].most) << next.name();
      EXPECT_NE(next.name(), shape.name());
    }
}

TEST(Neighbours, GrowthIsThatOfTimeOverThatOfBytes) {
  const Neighbour twice{"a", "b", 10, 40, 2, 2};
  EXPECT_EQ(twice.growth(), 2);
  EXPECT_TRUE(twice.is_cliff());
  EXPECT_FALSE((Neighbour{"a", "b", 10, 30, 2, 2}).is_cliff());
  EXPECT_TRUE(twice.is_own_cliff());
  EXPECT_FALSE((Neighbour{"a", "b", 10, 40, 2, 3}).is_own_cliff());
}

}  // namespace
}  // namespace opconform::bench
