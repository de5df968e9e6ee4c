#include "bench/statistics.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace opconform::bench {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::Gt;

TEST(Statistics, MedianIsTheMiddle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

TEST(Statistics, MedianIgnoresOneOutlier) { EXPECT_EQ(median({1, 1, 1, 1, 1e9}), 1); }

TEST(Statistics, QuartilesHoldHalfOfTheValues) {
  const Quartiles of_nine = quartiles({9, 1, 8, 2, 7, 3, 6, 4, 5});
  EXPECT_EQ(of_nine.low, 3);
  EXPECT_EQ(of_nine.median, 5);
  EXPECT_EQ(of_nine.high, 7);
  EXPECT_EQ(quartiles({7}).high, 7);
}

TEST(Statistics, GeometricMeanOfReciprocalsIsOne) {
  EXPECT_THAT(geometric_mean(std::vector<double>{4, 0.25, 2, 0.5}), DoubleNear(1, 1e-12));
}

TEST(OrderOfRound, IsAPermutationAndGivesEveryPlaceToEveryone) {
  constexpr std::size_t kCount = 5;
  std::vector<std::vector<int>> met(kCount, std::vector<int>(kCount));
  for (std::size_t round = 0; round < 1000; ++round) {
    const std::vector<std::size_t> order = order_of_round(kCount, round);
    ASSERT_THAT(order, testing::UnorderedElementsAre(0, 1, 2, 3, 4));
    for (std::size_t place = 0; place < kCount; ++place) ++met[order[place]][place];
  }
  EXPECT_THAT(met, Each(Each(Gt(150))));  // 200 on average
}

TEST(Judge, NothingAskedNothingMissed) {
  EXPECT_EQ(judge({}, 0, 100), Standing::kOk);
  EXPECT_EQ(judge({}, 1, 100), Standing::kOk);
}

TEST(Judge, MarksAreMet) {
  const Marks marks{.gain = 2, .over_limit = 1.5};
  EXPECT_EQ(judge(marks, 2, 1.5), Standing::kOk);
  EXPECT_EQ(judge(marks, 9, 0.5), Standing::kOk);
}

TEST(Judge, RatiosUnderTheTieAreTies) {
  const Marks marks{.gain = 2, .over_limit = 1.5};
  EXPECT_EQ(judge(marks, 1.8, 1), Standing::kTie);
  EXPECT_EQ(judge(marks, 3, 1.7), Standing::kTie);
}

TEST(Judge, TheWorseOfBothCounts) {
  const Marks marks{.gain = 2, .over_limit = 1.5};
  EXPECT_EQ(judge(marks, 1.5, 1), Standing::kMiss);
  EXPECT_EQ(judge(marks, 3, 2), Standing::kMiss);
  EXPECT_EQ(judge(marks, 1.8, 2), Standing::kMiss);
}

TEST(Judge, WithoutPeersOnlyTheLimitCounts) {
  EXPECT_EQ(judge({.gain = 2, .over_limit = 1.5}, 0, 1.4), Standing::kOk);
  EXPECT_EQ(judge({.gain = 2, .over_limit = 1.5}, 0, 2), Standing::kMiss);
}

TEST(Judge, TheFloorHoldsWithoutMarksToo) {
  EXPECT_EQ(judge({}, 0.9, 1), Standing::kOk);
  EXPECT_EQ(judge({}, 0.89, 1), Standing::kUnderFloor);
  EXPECT_EQ(judge({.gain = 0.95, .over_limit = 1.5}, 0.89, 1), Standing::kUnderFloor);
}

}  // namespace
}  // namespace opconform::bench
