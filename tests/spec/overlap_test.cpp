// overlap() against an enumeration of all addresses, and against layouts whose answer is known.
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <ostream>
#include <random>
#include <vector>

#include "spec/tensor.h"
#include "tests/spec/powers.h"

namespace opconform {

void PrintTo(Overlap overlap, std::ostream* out) {
  constexpr const char* kNames[] = {"kNone", "kSome", "kUndecided"};
  *out << kNames[static_cast<std::size_t>(overlap)];
}

namespace {

/// Layouts only: the element's type does not matter.
TensorDesc layout(const Dims& sizes, const Dims& strides) {
  return {.data_type = DataType::kInt8, .sizes = sizes, .strides = strides};
}

/// Counts the coordinates like an odometer and marks each address.
Overlap enumerate(const Dims& sizes, const Dims& strides) {
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::vector<std::uint64_t> longer;
    for (const std::uint64_t offset : offsets)
      for (std::uint64_t c = 0; c < sizes[i]; ++c) longer.push_back(offset + c * strides[i]);
    offsets = std::move(longer);
  }
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end() ? Overlap::kNone
                                                                             : Overlap::kSome;
}

/// Small layouts of several sorts. No distribution of the standard library: they differ between
/// machines.
class Layouts {
 public:
  TensorDesc next() {
    const std::size_t rank = 1 + below(6);
    Dims sizes;
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < rank; ++i) {
      sizes.push_back(1 + below(count > 60 ? 2 : 5));
      count *= sizes[i];
    }
    switch (below(3)) {
      case 0:
        return layout(sizes, anywhere(rank, 1 + below(40)));
      case 1:
        return layout(sizes, nested(sizes));
      default: {
        // Nearly nested: the difference of one decides.
        Dims strides = nested(sizes);
        std::uint64_t& stride = strides[below(rank)];
        stride -= std::min(stride, below(4));
        return layout(sizes, strides);
      }
    }
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  Dims anywhere(std::size_t rank, std::uint64_t limit) {
    Dims strides;
    for (std::size_t i = 0; i < rank; ++i) strides.push_back(below(limit));
    return strides;
  }
  /// Packed in an order of its own, with gaps here and there.
  Dims nested(const Dims& sizes) {
    std::vector<std::size_t> order(sizes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    Dims strides(sizes.size());
    std::uint64_t stride = 1;
    for (const std::size_t i : order) {
      strides[i] = stride;
      stride = stride * sizes[i] + (below(3) == 0 ? below(3) : 0);
    }
    return strides;
  }
  std::mt19937_64 random_{20240607};
};

TEST(Overlap, AgreesWithAnEnumerationOfAllAddresses) {
  Layouts layouts;
  int some = 0;
  int none = 0;
  for (int i = 0; i < 6000; ++i) {
    const TensorDesc tensor = layouts.next();
    const Overlap truth = enumerate(tensor.sizes, *tensor.strides);
    (truth == Overlap::kSome ? some : none)++;
    ASSERT_EQ(overlap(tensor), truth) << "sizes " << testing::PrintToString(tensor.sizes)
                                      << " strides " << testing::PrintToString(*tensor.strides);
  }
  EXPECT_GT(some, 1000);
  EXPECT_GT(none, 1000);
}

// A limit of the extent leaves a search of an extent's 32nd and then the bit map, which decides.
TEST(Overlap, TheBitMapAgreesWithAnEnumerationOfAllAddresses) {
  Layouts layouts;
  for (int i = 0; i < 6000; ++i) {
    const TensorDesc tensor = layouts.next();
    const std::uint64_t extent = extent_elements(tensor).value();
    ASSERT_EQ(overlap(tensor, extent), enumerate(tensor.sizes, *tensor.strides))
        << "sizes " << testing::PrintToString(tensor.sizes) << " strides "
        << testing::PrintToString(*tensor.strides);
  }
}

TEST(Overlap, NeverGuessesWhateverTheLimit) {
  Layouts layouts;
  int undecided = 0;
  for (int i = 0; i < 2000; ++i) {
    const TensorDesc tensor = layouts.next();
    const Overlap truth = enumerate(tensor.sizes, *tensor.strides);
    for (const std::uint64_t work_limit : {0U, 1U, 32U, 64U, 100U}) {
      const Overlap found = overlap(tensor, work_limit);
      undecided += found == Overlap::kUndecided ? 1 : 0;
      ASSERT_TRUE(found == truth || found == Overlap::kUndecided)
          << "sizes " << testing::PrintToString(tensor.sizes) << " strides "
          << testing::PrintToString(*tensor.strides) << " limit " << work_limit;
    }
  }
  EXPECT_GT(undecided, 0);
}

TEST(Overlap, APackedTensorHasNone) {
  EXPECT_EQ(overlap(packed_tensor(DataType::kFloat32, {2, 3, 4})), Overlap::kNone);
  EXPECT_EQ(overlap(packed_tensor(DataType::kFloat32, {})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({}, {})), Overlap::kNone);
}

TEST(Overlap, AnyOrderOfPackedStridesHasNone) {
  EXPECT_EQ(overlap(layout({2, 3}, {3, 1})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({2, 3}, {1, 2})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({2, 3, 5}, {1, 10, 2})), Overlap::kNone);
}

TEST(Overlap, APaddedTensorHasNone) { EXPECT_EQ(overlap(layout({2, 3}, {5, 1})), Overlap::kNone); }

TEST(Overlap, AStrideOf0OnASizeAbove1Repeats) {
  EXPECT_EQ(overlap(layout({2, 3}, {0, 1})), Overlap::kSome);
  EXPECT_EQ(overlap(layout({2}, {0})), Overlap::kSome);
}

TEST(Overlap, EqualExtentAndElementCountDoNotProveThatThereIsNone) {
  EXPECT_EQ(overlap(layout({2, 3}, {5, 0})), Overlap::kSome);
  EXPECT_EQ(overlap(layout({2, 2, 2}, {5, 1, 1})), Overlap::kSome);  // gaps and overlaps
}

TEST(Overlap, StridesOf1And1Overlap) {
  EXPECT_EQ(overlap(layout({2, 2}, {1, 1})), Overlap::kSome);
  EXPECT_EQ(overlap(layout({1, 2}, {1, 1})), Overlap::kNone);
}

TEST(Overlap, ASizeOf1MayHaveAnyStride) {
  EXPECT_EQ(overlap(layout({1, 3, 1}, {0, 1, 1})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({1, 1, 1}, {0, 0, 0})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({1, 3}, {std::numeric_limits<std::uint64_t>::max(), 1})),
            Overlap::kNone);
  EXPECT_EQ(overlap(layout({1, 1, 3, 5}, {15, 1, 5, 1})), Overlap::kNone);  // NHWC, one channel
}

TEST(Overlap, TwoDimensionsMeetAtTheLeastCommonMultiple) {
  EXPECT_EQ(overlap(layout({3, 2}, {2, 3})), Overlap::kNone);  // 0 2 4, 3 5 7
  EXPECT_EQ(overlap(layout({4, 3}, {2, 3})), Overlap::kSome);  // 6 twice
  EXPECT_EQ(overlap(layout({3, 3}, {2, 3})), Overlap::kNone);  // 0 2 4 3 5 7 6 8 10
  EXPECT_EQ(overlap(layout({3, 3}, {4, 6})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({4, 3}, {4, 6})), Overlap::kSome);  // 12 twice
}

/// The Conway-Guy sequences: all sums of a subset differ, though no stride passes the sum of the
/// smaller ones.
const std::vector<Dims> kDistinctSubsetSums = {
    {1, 2},
    {3, 5, 6, 7},
    {6, 9, 11, 12, 13},
    {11, 17, 20, 22, 23, 24},
    {20, 31, 37, 40, 42, 43, 44},
    {40, 60, 71, 77, 80, 82, 83, 84},
    {77, 117, 137, 148, 154, 157, 159, 160, 161},
};

TEST(Overlap, SetsWithDistinctSubsetSumsHaveNone) {
  for (const Dims& strides : kDistinctSubsetSums) {
    const Dims sizes(strides.size(), 2);
    ASSERT_EQ(enumerate(sizes, strides), Overlap::kNone);
    EXPECT_EQ(overlap(layout(sizes, strides)), Overlap::kNone) << testing::PrintToString(strides);
  }
}

TEST(Overlap, OneMoreStepInASetWithDistinctSubsetSumsMayCollide) {
  EXPECT_EQ(overlap(layout({3, 2, 2, 2}, {3, 5, 6, 7})), Overlap::kSome);  // 3 + 3 = 6
}

/// The hardest of them, too far apart for a bit map.
TensorDesc hard_layout() {
  Dims strides = kDistinctSubsetSums.back();
  for (std::uint64_t& stride : strides) stride <<= 22;
  return layout(Dims(strides.size(), 2), strides);
}

TEST(Overlap, AHardLayoutIsDecidedBySearchAlone) {
  ASSERT_GT(extent_elements(hard_layout()), kOverlapWorkLimit);
  EXPECT_EQ(overlap(hard_layout()), Overlap::kNone);
}

TEST(Overlap, AHardLayoutBeyondTheLimitIsUndecided) {
  EXPECT_EQ(overlap(hard_layout(), 320), Overlap::kUndecided);
  EXPECT_EQ(overlap(hard_layout(), 0), Overlap::kUndecided);
}

TEST(Overlap, AHardLayoutWithinTheLimitIsDecidedByTheBitMap) {
  const Dims& strides = kDistinctSubsetSums.back();
  const TensorDesc tensor = layout(Dims(strides.size(), 2), strides);
  const std::uint64_t extent = extent_elements(tensor).value();
  // A search of that many steps decides neither: only the bit map makes the difference.
  EXPECT_EQ(overlap(tensor, extent - 1), Overlap::kUndecided);
  EXPECT_EQ(overlap(tensor, extent), Overlap::kNone);
}

TEST(Overlap, AHardLayoutThatOverlapsIsFoundByTheBitMap) {
  // 1 + 2 = 3 far behind: the search goes from the largest stride down.
  Dims strides = kDistinctSubsetSums.back();
  strides.push_back(161 + 160 + 159 - 157);
  const Dims sizes(strides.size(), 2);
  ASSERT_EQ(enumerate(sizes, strides), Overlap::kSome);
  const TensorDesc tensor = layout(sizes, strides);
  EXPECT_EQ(overlap(tensor, extent_elements(tensor).value()), Overlap::kSome);
  EXPECT_EQ(overlap(tensor), Overlap::kSome);
}

TEST(Overlap, HugeNestedLayoutsAreDecidedAtOnce) {
  EXPECT_EQ(overlap(layout({65536, 65536}, {65536, 1})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({1, 2, kTwoTo31}, {7, kTwoTo31, 1})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({kTwoTo31, 2}, {3, 1})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({kTwoTo31, 2}, {1, kTwoTo31 - 1})), Overlap::kSome);
}

// A search would take 2^30 steps.
TEST(Overlap, TwoDimensionsAreDecidedWithoutASearch) {
  constexpr std::uint64_t kTwoTo30 = std::uint64_t{1} << 30;
  constexpr std::uint64_t kLower = 2 * kTwoTo30 - 1;
  EXPECT_EQ(overlap(layout({kTwoTo30, 2 * kTwoTo30}, {kLower + 1, kLower})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({kLower, 2 * kTwoTo30}, {kLower + 1, kLower})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({kLower + 1, 2 * kTwoTo30 + 1}, {kLower + 1, kLower})), Overlap::kSome);
}

TEST(Overlap, ALongDimensionAboveAllOthersIsNotSearched) {
  EXPECT_EQ(overlap(layout({kTwoTo31, 3, 2}, {1 << 20, 2, 3})), Overlap::kNone);
}

TEST(Overlap, NestedLayoutsAreNotSearchedWhateverTheirOrder) {
  EXPECT_EQ(overlap(layout({2, 2, kTwoTo31}, {std::uint64_t{1} << 50, 3, 7})), Overlap::kNone);
}

TEST(Overlap, NestedLayoutsTakeNoWorkAtAll) {
  EXPECT_EQ(overlap(layout({2, 3, 4}, {12, 4, 1}), 0), Overlap::kNone);
}

TEST(Overlap, MoreElementsThanPlacesOverlapWithoutASearch) {
  EXPECT_EQ(overlap(layout({2, 2, 4}, {1, 2, 2}), 0), Overlap::kSome);
}

TEST(Overlap, IsFoundBySearchWhereABitMapWouldBeTooLarge) {
  constexpr std::uint64_t kFar = std::uint64_t{1} << 40;
  EXPECT_EQ(overlap(layout({3, 2, 2, 2}, {3 * kFar, 5 * kFar, 6 * kFar, 7 * kFar})),
            Overlap::kSome);  // 3 + 3 = 6
}

TEST(Overlap, AStepOfTheSearchCosts32) {
  Dims strides = kDistinctSubsetSums[2];
  for (std::uint64_t& stride : strides) stride <<= 40;
  const TensorDesc tensor = layout(Dims(strides.size(), 2), strides);
  std::uint64_t least = 0;
  while (overlap(tensor, least) == Overlap::kUndecided) ++least;
  EXPECT_GT(least, 32U);
  EXPECT_EQ(least % 32, 0U);
}

TEST(Overlap, HugeLayoutsOfTwoDimensionsAreDecidedAtOnce) {
  EXPECT_EQ(overlap(layout({65535, 65535}, {65536, 65535})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({65535, 65536}, {65536, 65535})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({65536, 65537}, {65536, 65535})), Overlap::kSome);
  EXPECT_EQ(overlap(layout({65536, 65536}, {2147483647, 2147483646})), Overlap::kNone);
}

TEST(Overlap, HugeLayoutsWithMoreElementsThanAddressesOverlapAtOnce) {
  EXPECT_EQ(overlap(layout({65536, 65536}, {1, 2})), Overlap::kSome);
  EXPECT_EQ(overlap(layout({1 << 30, 1 << 30, 1 << 30}, {3, 4, 5})), Overlap::kSome);
}

TEST(Overlap, HugeLayoutsOfThreeDimensionsAreDecidedAtOnce) {
  EXPECT_EQ(overlap(layout({1000, 1000, 1000}, {1000003, 1000, 1})), Overlap::kNone);
  EXPECT_EQ(overlap(layout({1000, 1000, 1000}, {999999, 1000, 1})), Overlap::kSome);
}

}  // namespace
}  // namespace opconform
