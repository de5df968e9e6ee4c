// The helper of plugin.h, in C99 and in C++, against what the rule tensor.output-no-overlap goes
// by.

#include <gmock/gmock.h>
#include <opconform/plugin.h>

#include <limits>
#include <random>

#include "spec/tensor.h"

extern "C" int overlaps_in_c(const opconform_tensor* tensor);

namespace opconform::plugins {
namespace {

bool overlaps(const Dims& sizes, const Dims& strides) {
  opconform_tensor tensor{};
  tensor.struct_size = sizeof tensor;
  tensor.rank = static_cast<std::uint32_t>(sizes.size());
  tensor.stride_count = static_cast<std::uint32_t>(strides.size());
  tensor.sizes = sizes.data();
  tensor.strides = strides.data();
  const int found = opconform_overlaps(&tensor);
  EXPECT_EQ(overlaps_in_c(&tensor), found);
  return found != 0;
}

TEST(OverlapsHelper, AgreesWithTheRule) {
  std::mt19937_64 random(20261203);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  int some = 0;
  int none = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t rank = 1 + below(6);
    const std::uint64_t most_stride = 1 + below(i % 2 == 0 ? 40 : 2000);
    Dims sizes;
    Dims strides;
    for (std::size_t k = 0; k < rank; ++k) {
      sizes.push_back(1 + below(5));
      strides.push_back(below(most_stride));
    }
    const bool truth = overlap({DataType::kInt8, sizes, strides, 0}) == Overlap::kSome;
    ++(truth ? some : none);
    ASSERT_EQ(overlaps(sizes, strides), truth) << "sizes " << testing::PrintToString(sizes)
                                               << " strides " << testing::PrintToString(strides);
  }
  EXPECT_GT(some, 2000);
  EXPECT_GT(none, 2000);
}

TEST(OverlapsHelper, KnowsTheLayoutsOfTheDocuments) {
  EXPECT_FALSE(overlaps({}, {}));
  EXPECT_FALSE(overlaps({2, 3}, {3, 1}));
  EXPECT_FALSE(overlaps({2, 3, 5}, {1, 10, 2}));
  EXPECT_FALSE(overlaps({1, 3, 1}, {0, 1, 1}));
  EXPECT_TRUE(overlaps({2, 3}, {5, 0}));
  EXPECT_TRUE(overlaps({2, 2}, {1, 1}));
  EXPECT_TRUE(overlaps({2, 2, 2}, {5, 1, 1}));
  EXPECT_FALSE(overlaps({2, 0, 2}, {0, 0, 0}));  // there are none
}

// All sums of a subset differ, though no stride passes the sum of the smaller ones.
TEST(OverlapsHelper, DecidesLayoutsThatAreNotNested) {
  const Dims strides{77, 117, 137, 148, 154, 157, 159, 160, 161};
  Dims sizes(strides.size(), 2);
  EXPECT_FALSE(overlaps(sizes, strides));
  sizes[0] = 3;
  EXPECT_EQ(overlaps(sizes, strides),
            overlap({DataType::kInt8, sizes, strides, 0}) == Overlap::kSome);
}

TEST(OverlapsHelper, TakesOffsetsOf64Bits) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(overlaps({2}, {kMost}));
  EXPECT_FALSE(overlaps({2, 2}, {1, kMost - 1}));
  EXPECT_TRUE(overlaps({2, 3}, {kMost / 2 * 2, kMost / 2}));
  EXPECT_FALSE(overlaps({65536, 65536}, {65536, 1}));
  EXPECT_TRUE(overlaps(Dims(16, 65536), Dims(16, 1)));
}

}  // namespace
}  // namespace opconform::plugins
