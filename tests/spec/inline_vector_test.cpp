#include "spec/inline_vector.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace opconform {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Small = InlineVector<int, 4>;

TEST(InlineVector, IsEmptyAtFirst) {
  const Small empty{};
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty.size(), 0U);
  EXPECT_THAT(empty, IsEmpty());
}

TEST(InlineVector, HoldsTheListedValues) { EXPECT_THAT((Small{3, 1, 2}), ElementsAre(3, 1, 2)); }

TEST(InlineVector, ACountInParenthesesIsNoValue) {
  EXPECT_THAT(Small(3), ElementsAre(0, 0, 0));
  EXPECT_THAT(Small(2, 7), ElementsAre(7, 7));
  EXPECT_THAT(Small{3}, ElementsAre(3));
}

TEST(InlineVector, CopiesARangeOfAnotherType) {
  const std::vector<std::int64_t> values{5, -6};
  EXPECT_THAT(Small(values.begin(), values.end()), ElementsAre(5, -6));
}

TEST(InlineVector, AssignReplacesTheContents) {
  Small vector{1, 2, 3, 4};
  const std::vector<int> values{9};
  vector.assign(values.begin(), values.end());
  EXPECT_THAT(vector, ElementsAre(9));
}

TEST(InlineVector, PushesAndPopsAtTheBack) {
  Small vector{1};
  vector.push_back(2);
  EXPECT_EQ(vector.back(), 2);
  EXPECT_EQ(std::as_const(vector).back(), 2);
  vector.pop_back();
  EXPECT_THAT(vector, ElementsAre(1));
}

TEST(InlineVector, ResizeFillsOnlyWhatIsNew) {
  Small vector{1, 2};
  vector.resize(4, 8);
  EXPECT_THAT(vector, ElementsAre(1, 2, 8, 8));
  vector.resize(1);
  EXPECT_THAT(vector, ElementsAre(1));
  vector.resize(2);
  EXPECT_THAT(vector, ElementsAre(1, 0));
}

TEST(InlineVector, InsertShiftsTheLaterOnesBack) {
  Small vector{1, 2, 3};
  vector.insert(1, 9);
  EXPECT_THAT(vector, ElementsAre(1, 9, 2, 3));
}

TEST(InlineVector, InsertsAtBothEnds) {
  Small vector{1};
  vector.insert(0, 8);
  vector.insert(2, 9);
  EXPECT_THAT(vector, ElementsAre(8, 1, 9));
}

TEST(InlineVector, EraseShiftsTheLaterOnesForward) {
  Small vector{1, 2, 3};
  vector.erase(0);
  EXPECT_THAT(vector, ElementsAre(2, 3));
  vector.erase(1);
  EXPECT_THAT(vector, ElementsAre(2));
}

TEST(InlineVector, ClearLeavesNothing) {
  Small vector{1, 2};
  vector.clear();
  EXPECT_THAT(vector, IsEmpty());
}

TEST(InlineVector, TakesAsManyAsItsCapacity) {
  Small vector{1, 2, 3, 4};
  EXPECT_EQ(vector.size(), Small::capacity());
}

TEST(InlineVector, ThrowsAboveItsCapacity) {
  const std::vector<int> values(5);
  Small full{1, 2, 3, 4};
  EXPECT_THROW(full.push_back(5), std::length_error);
  EXPECT_THROW(full.insert(0, 5), std::length_error);
  EXPECT_THROW(full.resize(5), std::length_error);
  EXPECT_THAT(full, ElementsAre(1, 2, 3, 4));
  EXPECT_THROW(Small(5), std::length_error);
  EXPECT_THROW((Small{1, 2, 3, 4, 5}), std::length_error);
  EXPECT_THROW(Small(values.begin(), values.end()), std::length_error);
}

TEST(InlineVector, CopiesAreIndependent) {
  Small original{1, 2};
  Small copy = original;
  copy[0] = 9;
  EXPECT_THAT(original, ElementsAre(1, 2));
  copy = original;
  EXPECT_EQ(copy, original);
}

TEST(InlineVector, AShorterCopyForgetsTheRest) {
  Small target{1, 2, 3};
  target = Small{4};
  EXPECT_EQ(target, Small{4});
}

TEST(InlineVector, EqualityLooksAtLengthAndValues) {
  EXPECT_EQ((Small{1, 2}), (Small{1, 2}));
  EXPECT_NE((Small{1, 2}), (Small{2, 1}));
  EXPECT_NE((Small{1, 2}), (Small{1}));
  Small shrunk{1, 2};
  shrunk.pop_back();
  EXPECT_EQ(shrunk, Small{1});  // what lies behind the end does not count
}

TEST(SmallVector, HoldsAsManyAsThereAre) {
  SmallVector<int, 2> values;
  EXPECT_THAT(values.all(), ElementsAre());
  values.push_back(3);
  values.push_back(1);
  EXPECT_THAT(values.all(), ElementsAre(3, 1));
  values.push_back(2);
  values.push_back(5);
  EXPECT_THAT(values.all(), ElementsAre(3, 1, 2, 5));
  const auto copy = values;
  values.all()[0] = 4;
  EXPECT_THAT(values.all(), ElementsAre(4, 1, 2, 5));
  EXPECT_THAT(copy.all(), ElementsAre(3, 1, 2, 5));
  values.clear();
  EXPECT_THAT(values.all(), ElementsAre());
  values.push_back(6);
  EXPECT_THAT(values.all(), ElementsAre(6));
}

}  // namespace
}  // namespace opconform
