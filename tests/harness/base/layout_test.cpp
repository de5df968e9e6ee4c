#include "harness/base/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace opconform::base {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TensorDesc layout(const Dims& sizes, const Dims& strides) {
  return {.data_type = DataType::kInt8, .sizes = sizes, .strides = strides};
}
std::vector<std::uint64_t> addresses(const TensorDesc& tensor) {
  std::vector<std::uint64_t> visited;
  for_each_address(tensor, [&](std::uint64_t offset) { visited.push_back(offset); });
  return visited;
}

TEST(Layout, RepeatedDimensionsHaveOnePlace) {
  EXPECT_THAT(without_repetition(layout({2, 3, 4}, {0, 4, 0})).sizes, ElementsAre(1, 3, 1));
  EXPECT_THAT(without_repetition(layout({3, 2}, {0, 1})).sizes, ElementsAre(1, 2));
  EXPECT_THAT(without_repetition(layout({0, 1}, {0, 0})).sizes, ElementsAre(0, 1));
  EXPECT_THAT(without_repetition(packed_tensor(DataType::kInt8, {2, 3})).sizes, ElementsAre(2, 3));
}

TEST(Layout, AddressesAreThoseOfTheElements) {
  EXPECT_THAT(addresses(layout({2, 2}, {4, 1})), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(addresses(layout({2, 100}, {3, 0})), ElementsAre(0, 3));
  EXPECT_THAT(addresses(layout({}, {})), ElementsAre(0));
  EXPECT_THAT(addresses(layout({0, 2}, {1, 1})), IsEmpty());
}

TEST(Layout, WhereElementsOverlapEachPlaceIsVisitedOnce) {
  EXPECT_THAT(addresses(layout({3, 3}, {1, 1})), ElementsAre(0, 1, 2, 3, 4));
  // 2^96 elements in 225 places.
  EXPECT_EQ(addresses(layout(Dims(32, 8), Dims(32, 1))).size(), 225U);
}

using Stretch = std::array<std::uint64_t, 3>;  ///< first number, offset, count
std::vector<Stretch> runs(const TensorDesc& tensor) {
  std::vector<Stretch> visited;
  for_each_run(tensor, [&](std::uint64_t number, std::uint64_t offset, std::uint64_t count) {
    visited.push_back({number, offset, count});
  });
  return visited;
}

TEST(Layout, RunsAreAsLongAsElementsLieSideBySide) {
  EXPECT_THAT(runs(packed_tensor(DataType::kInt8, {2, 3})), ElementsAre(Stretch{0, 0, 6}));
  EXPECT_THAT(runs(layout({2, 2, 3}, {10, 3, 1})),
              ElementsAre(Stretch{0, 0, 6}, Stretch{6, 10, 6}));
  EXPECT_THAT(runs(layout({2, 1, 3}, {3, 77, 1})), ElementsAre(Stretch{0, 0, 6}));
  EXPECT_THAT(runs(layout({3, 2}, {0, 1})),
              ElementsAre(Stretch{0, 0, 2}, Stretch{2, 0, 2}, Stretch{4, 0, 2}));
  EXPECT_THAT(runs(layout({2, 2}, {1, 2})),
              ElementsAre(Stretch{0, 0, 1}, Stretch{1, 2, 1}, Stretch{2, 1, 1}, Stretch{3, 3, 1}));
  EXPECT_THAT(runs(layout({}, {})), ElementsAre(Stretch{0, 0, 1}));
  EXPECT_THAT(runs(layout({0, 2}, {2, 1})), IsEmpty());
  EXPECT_THAT(runs(layout({2, 0}, {1, 1})), IsEmpty());
}

}  // namespace
}  // namespace opconform::base
