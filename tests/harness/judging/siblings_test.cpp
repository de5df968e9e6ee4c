#include "harness/judging/siblings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "spec/validate.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

/// A window in the middle, read backwards and not packed.
cases::Case window() {
  return test::case_of(R"({"operator": "DML_SLICE1", "cases": [{"id": "a/window", "says": "x",
      "rules": ["slice1.copy"], "feature_level": "3_0", "desc": {
        "InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 9, 9], "Strides": [90, 90, 10, 1]},
        "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 2, 2]},
        "InputWindowOffsets": [0, 0, 3, 3], "InputWindowSizes": [1, 1, 4, 4],
        "InputWindowStrides": [1, 1, -2, 2]}}]})");
}

TEST(Siblings, AreValidAndDifferInOneField) {
  const cases::Case one = window();
  const auto& own = std::get<Slice1>(one.op);
  std::size_t found = 0;
  for (std::size_t way = 0; way < sibling_count(one.op); ++way) {
    const std::optional<Sibling> other = sibling(one.op, one.version, way);
    if (!other) continue;
    ++found;
    EXPECT_TRUE(validate(other->op, other->version).empty()) << way;
    const auto& op = std::get<Slice1>(other->op);
    EXPECT_NE(std::pair(other->op, other->version), std::pair(one.op, one.version)) << way;
    const bool has_other_type = op.input.data_type != own.input.data_type;
    const bool has_other_sizes = op.output.sizes != own.output.sizes;
    const int fields =
        int{op.window_offsets != own.window_offsets} + int{op.window_sizes != own.window_sizes} +
        int{op.window_strides != own.window_strides} + int{op.input.strides != own.input.strides} +
        int{op.output.strides != own.output.strides} + int{other->version != one.version};
    EXPECT_TRUE(has_other_type || has_other_sizes || fields == 1) << way;
  }
  EXPECT_EQ(found, siblings(one.op, one.version, 0).size());
  // The version, the type, all sizes, both strides, offset and window up and down, the stride down.
  EXPECT_GE(found, 8U);
}

TEST(Siblings, OfABrokenDescriptorAreThoseThatMendIt) {
  cases::Case one = window();
  one.version = FeatureLevel::k1_0;  // has no such operator
  ASSERT_FALSE(validate(one.op, one.version).empty());
  const std::optional<Sibling> other = sibling(one.op, one.version, kVersionWay);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->op, one.op);
  EXPECT_TRUE(validate(other->op, other->version).empty());
}

TEST(Siblings, OfNumbersAtTheEndOfTheirTypeAreThereToo) {
  cases::Case one = window();
  auto& own = std::get<Slice1>(one.op);
  const auto size = own.input.sizes.size();
  own.window_offsets[size - 1] = std::numeric_limits<std::uint32_t>::max();
  own.window_sizes[size - 1] = 0;
  own.window_strides[0] = std::numeric_limits<std::int32_t>::max();
  own.window_strides[size - 1] = std::numeric_limits<std::int32_t>::min();
  for (const Sibling& other : siblings(one.op, one.version, 0))
    EXPECT_TRUE(validate(other.op, other.version).empty());
}

TEST(Siblings, BeginWithAnyWayAndGoAround) {
  const cases::Case one = window();
  const std::vector<Sibling> all = siblings(one.op, one.version, 0);
  const std::vector<Sibling> turned = siblings(one.op, one.version, 3 * sibling_count(one.op) + 1);
  ASSERT_EQ(turned.size(), all.size());
  EXPECT_EQ(turned.back().version, all.front().version);
  EXPECT_EQ(turned.front().op, all[1].op);
}

}  // namespace
}  // namespace opconform::judging
