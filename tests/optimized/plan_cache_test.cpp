// Plans are found by every field of a descriptor, and forgotten when they are not used.
#include "opconform/plan_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/optimized/allocation_count.h"

namespace opconform::optimized {
namespace {

constexpr Version kLastLevel = FeatureLevel::k6_4;

Slice1 row_of(std::uint64_t columns) {
  Slice1 op;
  op.input = op.output = packed_tensor(DataType::kUint8, {columns});
  op.window_offsets = {0};
  op.window_sizes = {static_cast<std::uint32_t>(columns)};
  op.window_strides = {1};
  return op;
}

TEST(PlanCache, KeepsOnePlanForADescriptorAndVersion) {
  PlanCache cache;
  const Plan* const first = &cache.plan(row_of(4), kLastLevel);
  EXPECT_NE(&cache.plan(row_of(5), kLastLevel), first);
  EXPECT_NE(&cache.plan(row_of(4), FeatureLevel::k6_3), first);
  EXPECT_EQ(&cache.plan(row_of(4), kLastLevel), first);
  EXPECT_EQ(cache.size(), 3U);
}

/// Adds what is given, each of which differs from all others.
void expect_different(const std::vector<Operator>& ops) {
  PlanCache cache;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < ops.size(); ++i) {
      static_cast<void>(cache.plan(ops[i], Version::standard(describe(ops[i]).dialect)));
      EXPECT_EQ(cache.size(), round == 0 ? i + 1 : ops.size()) << "operator " << i;
    }
}

TEST(PlanCache, EveryFieldTellsDescriptorsApart) {
  std::vector<Operator> ops;
  Slice1 slice = row_of(8);
  ops.emplace_back(slice);
  slice.window_strides = {-1};
  ops.emplace_back(slice);
  slice.window_sizes = {7};
  slice.output = packed_tensor(DataType::kUint8, {6});
  ops.emplace_back(slice);
  slice.window_offsets = {1};
  ops.emplace_back(slice);
  slice.output = strided_tensor(DataType::kUint8, {6}, {1});  // as packed, but said
  ops.emplace_back(slice);
  slice.input.total_tensor_size_bytes += 4;
  ops.emplace_back(slice);
  slice.input.data_type = slice.output.data_type = DataType::kInt8;
  ops.emplace_back(slice);

  const TensorDesc square = packed_tensor(DataType::kUint8, {2, 2});
  const TensorDesc tall = packed_tensor(DataType::kUint8, {4, 2});
  const TensorDesc wide = packed_tensor(DataType::kUint8, {2, 4});
  ops.emplace_back(Split{.input = tall, .outputs = {square, square}, .axis = 0});
  ops.emplace_back(Split{.input = wide, .outputs = {square, square}, .axis = 1});
  ops.emplace_back(Split{.input = square, .outputs = {square}, .axis = 0});
  ops.emplace_back(Split{.input = square, .outputs = {square}, .axis = 1});
  ops.emplace_back(DmlJoin{.inputs = {square, square}, .output = tall, .axis = 0});
  ops.emplace_back(DmlJoin{.inputs = {square, square}, .output = wide, .axis = 1});

  OnnxGather gather{.data = packed_tensor(DataType::kUint8, {3, 3}),
                    .indices = packed_tensor(DataType::kInt64, {3}),
                    .output = packed_tensor(DataType::kUint8, {3, 3}),
                    .axis = std::nullopt};
  for (TensorDesc* tensor : {&gather.data, &gather.indices, &gather.output})
    tensor->total_tensor_size_bytes = 0;
  ops.emplace_back(gather);
  gather.axis = 0;
  ops.emplace_back(gather);
  gather.axis = 1;
  ops.emplace_back(gather);
  expect_different(ops);
}

TEST(PlanCache, TheLeastRecentlyUsedMakesRoom) {
  PlanCache cache(2);
  const Plan* const first = &cache.plan(row_of(4), kLastLevel);
  static_cast<void>(cache.plan(row_of(5), kLastLevel));
  EXPECT_EQ(&cache.plan(row_of(4), kLastLevel), first);
  static_cast<void>(cache.plan(row_of(6), kLastLevel));
  EXPECT_EQ(cache.size(), 2U);
  const std::size_t before = test::allocation_count();
  EXPECT_EQ(&cache.plan(row_of(4), kLastLevel), first);
  EXPECT_EQ(test::allocation_count(), before);
  static_cast<void>(cache.plan(row_of(5), kLastLevel));
  EXPECT_GT(test::allocation_count(), before);  // it was forgotten
}

TEST(PlanCache, KeepsOneAtLeast) {
  PlanCache cache(0);
  const Plan* const first = &cache.plan(row_of(4), kLastLevel);
  EXPECT_EQ(&cache.plan(row_of(4), kLastLevel), first);
  static_cast<void>(cache.plan(row_of(5), kLastLevel));
  EXPECT_EQ(cache.size(), 1U);
}

TEST(PlanCache, KeepsNothingOfWhatIsInvalid) {
  PlanCache cache(1);
  const Plan* const first = &cache.plan(row_of(4), kLastLevel);
  Slice1 wrong = row_of(4);
  wrong.window_strides = {0};
  EXPECT_THROW(static_cast<void>(cache.plan(wrong, kLastLevel)), InvalidOperator);
  EXPECT_EQ(&cache.plan(row_of(4), kLastLevel), first);
}

TEST(PlanCache, ExecutesWithoutAllocatingAgain) {
  PlanCache cache;
  const std::array<std::uint8_t, 4> values{1, 2, 3, 4};
  std::array<std::uint8_t, 4> found{};
  const std::array<std::span<const std::byte>, 1> inputs{std::as_bytes(std::span(values))};
  const std::array<std::span<std::byte>, 1> outputs{std::as_writable_bytes(std::span(found))};
  const Operator op = [] {
    Slice1 reversed = row_of(4);
    reversed.window_strides = {-1};
    return reversed;
  }();
  EXPECT_FALSE(cache.execute(op, kLastLevel, {inputs, outputs}));
  EXPECT_THAT(found, testing::ElementsAre(4, 3, 2, 1));
  found = {};
  const std::size_t before = test::allocation_count();
  const bool failed = cache.execute(op, kLastLevel, {inputs, outputs}).has_value();
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_FALSE(failed);
  EXPECT_THAT(found, testing::ElementsAre(4, 3, 2, 1));
}

}  // namespace
}  // namespace opconform::optimized
