#include "harness/base/index.h"

#include <gmock/gmock.h>

#include <cstring>
#include <limits>

namespace opconform::base {
namespace {

template <class T>
Coordinate coordinate(DataType type, T index, std::uint64_t size) {
  std::byte element[sizeof index];
  std::memcpy(element, &index, sizeof index);
  return resolve(read_index(type, element), size);
}

TEST(Index, OfASignedTypeCountsFromTheEndWhereItIsNegative) {
  EXPECT_EQ(coordinate(DataType::kInt32, std::int32_t{-1}, 5), 4U);
  EXPECT_EQ(coordinate(DataType::kInt32, std::int32_t{-5}, 5), 0U);
  EXPECT_EQ(coordinate(DataType::kInt32, std::int32_t{-6}, 5), std::nullopt);
  EXPECT_EQ(coordinate(DataType::kInt64, std::int64_t{4}, 5), 4U);
  EXPECT_EQ(coordinate(DataType::kInt64, std::int64_t{5}, 5), std::nullopt);
  EXPECT_EQ(coordinate(DataType::kInt64, std::numeric_limits<std::int64_t>::min(), 5),
            std::nullopt);
}

TEST(Index, OfAnUnsignedTypeIsNeverNegative) {
  EXPECT_EQ(coordinate(DataType::kUint32, std::uint32_t{0xFFFFFFFF}, 5), std::nullopt);
  EXPECT_EQ(coordinate(DataType::kUint32, std::uint32_t{0xFFFFFFFF}, std::uint64_t{1} << 32),
            0xFFFFFFFFU);
  EXPECT_EQ(coordinate(DataType::kUint64, ~std::uint64_t{0}, 5), std::nullopt);
}

TEST(Index, IsAnIntegerOfFourOrEightBytes) {
  for (const DataType type : all_data_types()) {
    const bool is_integer =
        kind(type) == DataTypeKind::kSigned || kind(type) == DataTypeKind::kUnsigned;
    EXPECT_EQ(is_index_type(type), is_integer && element_size_bytes(type) >= 4)
        << name(type, Dialect::kOnnx);
  }
}

TEST(Indices, AreReadInRowMajorOrderWhateverTheirLayout) {
  const std::int32_t places[] = {1, -3, 2, -4};
  const TensorDesc columns = strided_tensor(DataType::kInt32, {2, 2}, {1, 2});
  std::vector<std::int64_t> read;
  for (const Index& index : read_indices(columns, std::as_bytes(std::span(places))))
    read.push_back(static_cast<std::int64_t>(index.bits));
  EXPECT_THAT(read, testing::ElementsAre(1, 2, -3, -4));
}

}  // namespace
}  // namespace opconform::base
