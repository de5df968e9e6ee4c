#include "spec/tensor.h"

#include <gmock/gmock.h>

#include <limits>

#include "tests/spec/powers.h"

namespace opconform {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kTwoTo62 = std::uint64_t{1} << 62;
constexpr std::uint64_t kTwoTo63 = std::uint64_t{1} << 63;

TEST(TensorDesc, IsAFloatScalarWithoutABufferAtFirst) {
  const TensorDesc tensor{};
  EXPECT_EQ(tensor.data_type, DataType::kFloat32);
  EXPECT_EQ(tensor.rank(), 0U);
  EXPECT_EQ(tensor.total_tensor_size_bytes, 0U);
}

TEST(PackedStrides, AreTheProductOfTheLaterSizes) {
  EXPECT_THAT(packed_strides({2, 3}), ElementsAre(3, 1));
  EXPECT_THAT(packed_strides({2, 2, 3}), ElementsAre(6, 3, 1));
  EXPECT_THAT(packed_strides({1, 1, 3, 5}), ElementsAre(15, 15, 5, 1));
}

TEST(PackedStrides, OfOneDimensionAreOne) { EXPECT_THAT(packed_strides({7}), ElementsAre(1)); }

TEST(PackedStrides, OfRank0AreNone) { EXPECT_THAT(packed_strides({}), IsEmpty()); }

TEST(PackedStrides, PassThirtyTwoBits) {
  EXPECT_THAT(packed_strides({2, 65536, 65536}), ElementsAre(kTwoTo32, 65536, 1));
}

TEST(EffectiveStrides, AreThePackedOnesWhereNoneAreGiven) {
  EXPECT_THAT(effective_strides(packed_tensor(DataType::kInt8, {1, 1, 3, 5})),
              ElementsAre(15, 15, 5, 1));
}

TEST(EffectiveStrides, AreTheGivenOnes) {
  EXPECT_THAT(effective_strides(strided_tensor(DataType::kInt8, {1, 1, 3, 5}, {15, 1, 5, 1})),
              ElementsAre(15, 1, 5, 1));
}

TEST(ElementCount, IsTheProductOfTheSizes) {
  EXPECT_THAT(element_count({2, 3, 4}), Optional(24));
  EXPECT_THAT(element_count({}), Optional(1));
}

TEST(ElementCount, IsZeroWhereASizeIsZeroWhateverTheOthers) {
  EXPECT_THAT(element_count({0}), Optional(0));
  EXPECT_THAT(element_count({kTwoTo32, 0, kTwoTo32, kTwoTo32}), Optional(0));
  EXPECT_THAT(element_count({kTwoTo32, kTwoTo32, kTwoTo32, 0}), Optional(0));
}

TEST(ElementCount, ReachesTheEndOf64Bits) {
  EXPECT_THAT(element_count({kTwoTo32 - 1, kTwoTo32 + 1}), Optional(kMax));
  EXPECT_EQ(element_count({kTwoTo32, kTwoTo32}), std::nullopt);
  EXPECT_EQ(element_count({kTwoTo32, kTwoTo32, kTwoTo32}), std::nullopt);
}

TEST(Extent, OfAPackedTensorIsItsElementCount) {
  EXPECT_THAT(extent_elements(packed_tensor(DataType::kFloat32, {2, 3})), Optional(6));
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kFloat32, {2, 3}, {1, 2})), Optional(6));
}

TEST(Extent, OfARank0TensorIsOne) {
  EXPECT_THAT(extent_elements(packed_tensor(DataType::kFloat32, {})), Optional(1));
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kFloat32, {}, {})), Optional(1));
}

TEST(Extent, OfABroadcastTensorIsThatOfItsStorage) {
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kFloat32, {2, 3}, {0, 1})), Optional(3));
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kFloat32, {kTwoTo32, kTwoTo32}, {0, 0})),
              Optional(1));
}

TEST(Extent, OfAPaddedTensorEndsWithItsFurthestElement) {
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kFloat32, {2, 3}, {5, 1})), Optional(8));
}

TEST(Extent, IgnoresTheStrideOfASizeOfOne) {
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kFloat32, {1, 3}, {kMax, 1})), Optional(3));
}

TEST(Extent, OfAnEmptyTensorIsZero) {
  EXPECT_THAT(extent_elements(packed_tensor(DataType::kFloat32, {2, 0, 3})), Optional(0));
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kFloat32, {2, 0, 3}, {kMax, kMax, kMax})),
              Optional(0));
}

TEST(Extent, PassesThirtyTwoBits) {
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kInt8, {3, 1}, {kTwoTo31, 1})),
              Optional(kTwoTo32 + 1));
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kInt8, {3, 1}, {kTwoTo32, 1})),
              Optional(2 * kTwoTo32 + 1));
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kInt8, {2, 2}, {kTwoTo31, kTwoTo31})),
              Optional(kTwoTo32 + 1));
}

TEST(Extent, ReachesTheEndOf64Bits) {
  EXPECT_THAT(extent_elements(strided_tensor(DataType::kInt8, {2}, {kMax - 1})), Optional(kMax));
}

TEST(Extent, ThatDoesNotFitIsNothing) {
  const auto extent = [](const Dims& sizes, const Dims& strides) {
    return extent_elements(strided_tensor(DataType::kInt8, sizes, strides));
  };
  EXPECT_EQ(extent({2}, {kMax}), std::nullopt);                      // the last + 1
  EXPECT_EQ(extent({3}, {kTwoTo63}), std::nullopt);                  // a product
  EXPECT_EQ(extent({2, 2}, {kTwoTo63, kTwoTo63}), std::nullopt);     // the sum
  EXPECT_EQ(extent({kTwoTo32, 2}, {kTwoTo32, kMax}), std::nullopt);  // both
  EXPECT_EQ(extent_elements(packed_tensor(DataType::kInt8, {kTwoTo32, kTwoTo32})), std::nullopt);
}

TEST(BufferTensorSize, IsTheExtentInBytesRoundedUpTo4) {
  EXPECT_THAT(buffer_tensor_size(packed_tensor(DataType::kInt8, {1})), Optional(4));
  EXPECT_THAT(buffer_tensor_size(packed_tensor(DataType::kInt8, {4})), Optional(4));
  EXPECT_THAT(buffer_tensor_size(packed_tensor(DataType::kInt8, {5})), Optional(8));
  EXPECT_THAT(buffer_tensor_size(packed_tensor(DataType::kFloat16, {3, 3})), Optional(20));
  EXPECT_THAT(buffer_tensor_size(packed_tensor(DataType::kFloat64, {3})), Optional(24));
  EXPECT_THAT(buffer_tensor_size(strided_tensor(DataType::kFloat32, {2, 3}, {5, 1})), Optional(32));
  EXPECT_THAT(buffer_tensor_size(strided_tensor(DataType::kFloat32, {2, 3}, {0, 1})), Optional(12));
}

TEST(BufferTensorSize, DoesNotWrapAtThirtyTwoBits) {
  EXPECT_THAT(buffer_tensor_size(strided_tensor(DataType::kInt8, {3, 1}, {kTwoTo31, 1})),
              Optional(kTwoTo32 + 4));
  EXPECT_THAT(buffer_tensor_size(strided_tensor(DataType::kFloat32, {3, 1}, {kTwoTo31, 1})),
              Optional(4 * kTwoTo32 + 4));
  EXPECT_THAT(buffer_tensor_size(strided_tensor(DataType::kFloat64, {3, 1}, {kTwoTo32, 1})),
              Optional(16 * kTwoTo32 + 8));
  EXPECT_THAT(buffer_tensor_size(packed_tensor(DataType::kFloat32, {65536, 65536})),
              Optional(4 * kTwoTo32));
}

TEST(BufferTensorSize, OfNothingIsZero) {
  EXPECT_THAT(buffer_tensor_size(packed_tensor(DataType::kFloat32, {0, 3})), Optional(0));
}

TEST(BufferTensorSize, ThatDoesNotFitIsNothing) {
  const auto size = [](DataType type, std::uint64_t stride) {
    return buffer_tensor_size(strided_tensor(type, {2}, {stride}));
  };
  EXPECT_THAT(size(DataType::kFloat32, kTwoTo62 - 2), Optional(kMax - 3));  // 2^62 - 1 elements
  EXPECT_EQ(size(DataType::kFloat32, kTwoTo62 - 1), std::nullopt);          // 2^64 bytes
  EXPECT_THAT(size(DataType::kInt8, kMax - 4), Optional(kMax - 3));
  EXPECT_EQ(size(DataType::kInt8, kMax - 3), std::nullopt);  // fits, but not rounded up
  EXPECT_EQ(size(DataType::kInt8, kMax), std::nullopt);
}

TEST(TensorCounts, AreWhatIsCountedOneByOne) {
  const TensorDesc all[] = {
      packed_tensor(DataType::kFloat16, {3, 3}),
      packed_tensor(DataType::kFloat32, {0, 3}),
      packed_tensor(DataType::kFloat64, {kTwoTo32, kTwoTo32}),
      packed_tensor(DataType::kFloat64, {kTwoTo62}),  // too many bytes
      strided_tensor(DataType::kFloat16, {2, 3}, {5, 1}),
      strided_tensor(DataType::kFloat32, {kTwoTo32, kTwoTo32}, {0, 1}),  // too many elements
      strided_tensor(DataType::kInt8, {2}, {kMax - 3}),                  // fits, but not rounded up
      strided_tensor(DataType::kInt8, {2}, {kMax}),
  };
  for (const TensorDesc& tensor : all) {
    const TensorCounts counts = counts_of(tensor);
    EXPECT_EQ(counts.elements, element_count(tensor.sizes));
    EXPECT_EQ(counts.extent_bytes, extent_bytes(tensor));
    EXPECT_EQ(counts.buffer_bytes, buffer_tensor_size(tensor));
  }
}

TEST(TensorCounts, WithoutAStrideForEachSizeAreElementsAlone) {
  const TensorCounts counts = counts_of(strided_tensor(DataType::kFloat16, {2, 3}, {1}));
  EXPECT_THAT(counts.elements, Optional(6));
  EXPECT_EQ(counts.extent_bytes, std::nullopt);
  EXPECT_EQ(counts.buffer_bytes, std::nullopt);
}

TEST(MadeTensor, HasTheBufferSizeItNeeds) {
  EXPECT_EQ(packed_tensor(DataType::kFloat16, {3}).total_tensor_size_bytes, 8U);
  EXPECT_EQ(packed_tensor(DataType::kFloat16, {3}).strides, std::nullopt);
  EXPECT_EQ(strided_tensor(DataType::kFloat16, {3}, {2}).total_tensor_size_bytes, 12U);
}

TEST(MadeTensor, HasABufferSizeOf0WhereNoneExists) {
  EXPECT_EQ(packed_tensor(DataType::kFloat16, {kTwoTo32, kTwoTo32}).total_tensor_size_bytes, 0U);
  EXPECT_EQ(strided_tensor(DataType::kFloat16, {2}, {kMax}).total_tensor_size_bytes, 0U);
  EXPECT_EQ(strided_tensor(DataType::kFloat16, {2, 3}, {1}).total_tensor_size_bytes, 0U);
}

TEST(BufferSize, OfADirectmlTensorIsItsTotal) {
  TensorDesc tensor = packed_tensor(DataType::kFloat32, {3});
  tensor.total_tensor_size_bytes = 64;
  EXPECT_EQ(buffer_size_bytes(tensor, Dialect::kDirectml), 64U);
}

TEST(BufferSize, OfAnOnnxTensorIsItsElements) {
  TensorDesc tensor = packed_tensor(DataType::kBool, {3});
  tensor.total_tensor_size_bytes = 64;
  EXPECT_EQ(buffer_size_bytes(tensor, Dialect::kOnnx), 3U);
  EXPECT_EQ(buffer_size_bytes(packed_tensor(DataType::kString, {}), Dialect::kOnnx), 16U);
  EXPECT_EQ(buffer_size_bytes(packed_tensor(DataType::kFloat32, {0}), Dialect::kOnnx), 0U);
}

TEST(TensorDesc, KnowsAnEmptyDimension) {
  EXPECT_TRUE(has_empty_dimension(packed_tensor(DataType::kInt8, {2, 0})));
  EXPECT_FALSE(has_empty_dimension(packed_tensor(DataType::kInt8, {2, 1})));
  EXPECT_FALSE(has_empty_dimension(packed_tensor(DataType::kInt8, {})));
}

TEST(TensorDesc, KnowsWhetherItsStridesAreAsManyAsItsSizes) {
  EXPECT_TRUE(stride_count_matches(packed_tensor(DataType::kInt8, {2, 3})));
  EXPECT_TRUE(stride_count_matches(strided_tensor(DataType::kInt8, {2, 3}, {0, 0})));
  EXPECT_FALSE(stride_count_matches(strided_tensor(DataType::kInt8, {2, 3}, {})));
  EXPECT_FALSE(stride_count_matches(strided_tensor(DataType::kInt8, {2, 3}, {1, 1, 1})));
}

}  // namespace
}  // namespace opconform
