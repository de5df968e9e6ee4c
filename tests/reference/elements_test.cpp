#include "reference/elements.h"

#include <gmock/gmock.h>

#include "reference/reference.h"

namespace opconform::reference {
namespace {

TEST(Index, IsWrittenAsItsTypeReadsIt) {
  const auto text = [](DataType type, auto value) {
    std::byte bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    return read_index(type, bytes).text();
  };
  EXPECT_EQ(text(DataType::kInt32, ~std::uint32_t{0}), "-1");
  EXPECT_EQ(text(DataType::kInt64, ~std::uint64_t{0}), "-1");
  EXPECT_EQ(text(DataType::kUint32, ~std::uint32_t{0}), "4294967295");
  EXPECT_EQ(text(DataType::kUint64, ~std::uint64_t{0}), "18446744073709551615");
}

TEST(Alternative, IsAnElementAndWhereItsValueIs) {
  const Alternative alternative{1, 2, 3};
  EXPECT_EQ(alternative, (Alternative{1, 2, 3}));
  EXPECT_NE(alternative, (Alternative{0, 2, 3}));
  EXPECT_NE(alternative, (Alternative{1, 0, 3}));
  EXPECT_NE(alternative, (Alternative{1, 2, 0}));
}

}  // namespace
}  // namespace opconform::reference
