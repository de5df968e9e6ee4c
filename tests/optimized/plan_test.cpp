// Errors, empty tensors, extreme indices and strides, and that an execution allocates nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "opconform/optimized.h"
#include "optimized/machine.h"
#include "tests/optimized/allocation_count.h"
#include "tests/optimized/each_isa.h"

namespace opconform::optimized {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
std::span<const std::byte> in(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}
template <class T>
std::span<std::byte> out(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

class EachIsa : public test::EachIsa {
 protected:
  template <class Values, class Indices>
  ExecutionResult gather(const OnnxGather& op, std::uint32_t opset, const Values& values,
                         const Indices& indices, Values& output) {
    const std::span<const std::byte> inputs[] = {in(values), in(indices)};
    const std::span<std::byte> outputs[] = {out(output)};
    return prepare(op, Version::opset(opset), GetParam()).execute({inputs, outputs});
  }
};
INSTANTIATE_TEST_SUITE_P(Isas, EachIsa, test::isas(), test::isa_name);

OnnxGather gather_of(const Dims& data, DataType index_type, const Dims& indices,
                     const Dims& output) {
  return {.data = packed_tensor(DataType::kInt32, data),
          .indices = packed_tensor(index_type, indices),
          .output = packed_tensor(DataType::kInt32, output),
          .axis = std::nullopt};
}

TEST_P(EachIsa, GatherNamesTheIndexOutsideAndWritesNothing) {
  const OnnxGather op = gather_of({4}, DataType::kInt64, {2, 3}, {2, 3});
  std::vector<std::int32_t> output(6, -7);
  const auto error = gather<std::vector<std::int32_t>>(
      op, 13, {10, 11, 12, 13}, std::vector<std::int64_t>{0, 1, 2, -4, 3, 4}, output);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->rule, "gather.index-range");
  EXPECT_EQ(error->message,
            "indices[1,2] (element 5) is 4, but must be at least -4 and less than 4, the size of "
            "data along the axis");
  EXPECT_THAT(output, testing::Each(-7));
}

TEST_P(EachIsa, GatherRejectsNegativeIndicesBelowOpset11) {
  const OnnxGather op = gather_of({4}, DataType::kInt32, {}, {});
  std::vector<std::int32_t> output(1, -7);
  const std::vector<std::int32_t> values{10, 11, 12, 13};
  const auto error = gather(op, 10, values, std::vector<std::int32_t>{-1}, output);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message,
              HasSubstr("indices (element 0) is -1, but must be at least 0 and less than 4"));
  EXPECT_EQ(output[0], -7);
  EXPECT_FALSE(gather(op, 11, values, std::vector<std::int32_t>{-1}, output));
  EXPECT_EQ(output[0], 13);
}

TEST(Once, ExecutesWhatItPlans) {
  const OnnxGather op = gather_of({4}, DataType::kInt32, {2}, {2});
  std::vector<std::int32_t> output(2, -7);
  const std::vector<std::int32_t> values{10, 11, 12, 13};
  std::vector<std::int32_t> indices{3, 1};
  const std::span<const std::byte> inputs[] = {in(values), in(indices)};
  const std::span<std::byte> outputs[] = {out(output)};
  EXPECT_FALSE(execute_once(op, Version::opset(13), {inputs, outputs}));
  EXPECT_THAT(output, ElementsAre(13, 11));
  indices[1] = 4;
  EXPECT_TRUE(execute_once(op, Version::opset(13), {inputs, outputs}));
  EXPECT_THROW(static_cast<void>(execute_once(gather_of({4}, DataType::kInt32, {2}, {3}),
                                              Version::opset(13), {inputs, outputs})),
               InvalidOperator);
}

/// Few elements are copied in another way than many.
TEST(Once, CopiesFewElementsAndMany) {
  for (const std::uint64_t columns : {8U, 512U, 513U, 4096U}) {
    const TensorDesc parts = packed_tensor(DataType::kUint8, {columns, 1});
    const DmlJoin op{.inputs = {parts, parts},
                     .output = packed_tensor(DataType::kUint8, {columns, 2}),
                     .axis = 1};
    std::vector<std::uint8_t> first(columns);
    std::vector<std::uint8_t> second(columns);
    for (std::size_t i = 0; i < columns; ++i) {
      first[i] = static_cast<std::uint8_t>(i);
      second[i] = static_cast<std::uint8_t>(i * 7 + 1);
    }
    std::vector<std::uint8_t> output(2 * columns);
    const std::span<const std::byte> inputs[] = {in(first), in(second)};
    const std::span<std::byte> outputs[] = {out(output)};
    ASSERT_FALSE(execute_once(op, FeatureLevel::k6_4, {inputs, outputs}));
    for (std::size_t i = 0; i < columns; ++i) {
      ASSERT_EQ(output[2 * i], first[i]) << i;
      ASSERT_EQ(output[2 * i + 1], second[i]) << i;
    }
  }
}

/// Alike parts share a plan, whatever stands between them.
TEST_P(EachIsa, PartsThatAreAlikeLieWhereTheyMust) {
  const auto row = [](std::uint64_t columns) {
    return packed_tensor(DataType::kInt32, {1, columns});
  };
  std::vector<std::int32_t> whole(9);
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<std::int32_t>(i);
  const std::vector<std::uint64_t> columns{2, 2, 1, 2, 2};
  Split split{.input = row(9), .outputs = {}, .axis = 1};
  DmlJoin join{.inputs = {}, .output = row(9), .axis = 1};
  std::vector<std::vector<std::int32_t>> parts;
  std::vector<std::span<std::byte>> outputs;
  std::vector<std::span<const std::byte>> inputs;
  for (const std::uint64_t count : columns) {
    split.outputs.push_back(row(count));
    join.inputs.push_back(row(count));
    parts.emplace_back(count, -7);
  }
  for (std::vector<std::int32_t>& part : parts) {
    outputs.push_back(out(part));
    inputs.push_back(in(part));
  }
  const std::span<const std::byte> input[] = {in(whole)};
  ASSERT_FALSE(prepare(split, FeatureLevel::k6_4, GetParam()).execute({input, outputs}));
  EXPECT_THAT(parts, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4),
                                 ElementsAre(5, 6), ElementsAre(7, 8)));
  std::vector<std::int32_t> joined(9, -7);
  const std::span<std::byte> output[] = {out(joined)};
  ASSERT_FALSE(prepare(join, FeatureLevel::k6_4, GetParam()).execute({inputs, output}));
  EXPECT_EQ(joined, whole);
}

TEST_P(EachIsa, GatherChecksIndicesAlsoWhereTheOutputIsEmpty) {
  const OnnxGather op = gather_of({4, 0}, DataType::kInt64, {1}, {1, 0});
  std::vector<std::int32_t> nothing;
  EXPECT_TRUE(gather(op, 13, nothing, std::vector<std::int64_t>{4}, nothing));
  EXPECT_FALSE(gather(op, 13, nothing, std::vector<std::int64_t>{3}, nothing));
}

TEST_P(EachIsa, NoIndexIsInsideAnEmptyAxis) {
  std::vector<std::int32_t> nothing;
  std::vector<std::int32_t> output(2, -7);
  EXPECT_TRUE(gather(gather_of({0}, DataType::kInt64, {1}, {1}), 13, nothing,
                     std::vector<std::int64_t>{0}, output));
  EXPECT_FALSE(gather(gather_of({0, 2}, DataType::kInt64, {0}, {0, 2}), 13, nothing,
                      std::vector<std::int64_t>{}, nothing));
}

TEST_P(EachIsa, GatherJudgesAnAxisOf2To64ElementsWithoutWrapping) {
  const std::uint64_t size = std::numeric_limits<std::uint64_t>::max();
  const OnnxGather op = gather_of({size, 0}, DataType::kInt64, {1}, {1, 0});
  std::vector<std::int32_t> nothing;
  const std::vector<std::int64_t> least{std::numeric_limits<std::int64_t>::min()};
  EXPECT_FALSE(gather(op, 13, nothing, least, nothing));
  EXPECT_TRUE(gather(op, 10, nothing, least, nothing));
}

TEST_P(EachIsa, GatherMovesStringsAsViews) {
  OnnxGather op = gather_of({3}, DataType::kInt64, {2}, {2});
  op.data.data_type = op.output.data_type = DataType::kString;
  const std::vector<StringElement> values{{"a", 1}, {"bc", 2}, {"", 0}};
  std::vector<StringElement> output(2);
  EXPECT_FALSE(gather(op, 1, values, std::vector<std::int64_t>{2, 1}, output));
  EXPECT_EQ(output[0].size_bytes, 0U);
  EXPECT_EQ(output[1].bytes, values[1].bytes);
}

TEST_P(EachIsa, ScatterSkipsIndicesOutside) {
  const auto scatter = [&]<class Index>(DataType index_type, const std::vector<Index>& indices) {
    Scatter op;
    op.input = op.output = packed_tensor(DataType::kFloat32, {4});
    op.indices = packed_tensor(index_type, {indices.size()});
    op.updates = packed_tensor(DataType::kFloat32, {indices.size()});
    const std::vector<float> input{1, 2, 3, 4};
    const std::vector<float> updates(indices.size(), 9);
    std::vector<float> output(4);
    const std::span<const std::byte> inputs[] = {in(input), in(indices), in(updates)};
    const std::span<std::byte> outputs[] = {out(output)};
    EXPECT_FALSE(prepare(op, FeatureLevel::k4_1, GetParam()).execute({inputs, outputs}));
    return output;
  };
  constexpr std::int64_t k32 = std::int64_t{1} << 32;
  EXPECT_THAT(scatter(DataType::kInt64,
                      std::vector<std::int64_t>{INT64_MIN, INT64_MAX, k32, -k32, 4, -5, -1}),
              ElementsAre(1, 2, 3, 9));
  EXPECT_THAT(
      scatter(DataType::kUint64, std::vector<std::uint64_t>{1ULL << 63, ~0ULL, 1ULL << 32, 4, 0}),
      ElementsAre(9, 2, 3, 4));
  EXPECT_THAT(scatter(DataType::kInt32, std::vector<std::int32_t>{INT32_MIN, INT32_MAX, 4, -5, -4}),
              ElementsAre(9, 2, 3, 4));
  EXPECT_THAT(scatter(DataType::kUint32, std::vector<std::uint32_t>{~0U, 1U << 31, 4, 1}),
              ElementsAre(1, 9, 3, 4));
}

TEST_P(EachIsa, ALayoutThatNoMachineHoldsCanStillBePlanned) {
  Slice1 op;
  op.input = strided_tensor(DataType::kFloat64, {2}, {std::uint64_t{1} << 60});
  op.output = packed_tensor(DataType::kFloat64, {2});
  op.window_offsets = {0};
  op.window_sizes = {2};
  op.window_strides = {-1};
  const Plan plan = prepare(op, FeatureLevel::k6_4, GetParam());
  EXPECT_THROW((void)plan.execute({}), std::invalid_argument);
}

// Its distances fit a plan's numbers; a few of them together do not.
TEST_P(EachIsa, TheLongestLayoutsCanBePlanned) {
  for (const std::uint32_t count : {2U, 3U, 16U}) {
    const std::uint64_t stride = (std::uint64_t{1} << 60) / count;
    Slice1 slice;
    slice.input = strided_tensor(DataType::kFloat32, {count, 2}, {stride, 1});
    slice.output = packed_tensor(DataType::kFloat32, {count, 2});
    slice.window_offsets = {0, 0};
    slice.window_sizes = {count, 2};
    slice.window_strides = {-1, 1};
    EXPECT_NO_THROW((void)prepare(slice, FeatureLevel::k6_4, GetParam())) << count;
    DmlJoin join;
    join.inputs.assign(2, strided_tensor(DataType::kFloat32, {count, 1}, {stride, 1}));
    join.output = packed_tensor(DataType::kFloat32, {count, 2});
    join.axis = 1;
    EXPECT_NO_THROW((void)prepare(join, FeatureLevel::k6_4, GetParam())) << count;
  }
}

TEST_P(EachIsa, NoIndexBesideSizesWithoutAProductCanBePlanned) {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 40;
  const OnnxGather op = gather_of({3}, DataType::kInt64, {0, kMany, kMany}, {0, kMany, kMany});
  EXPECT_NO_THROW((void)prepare(op, Version::opset(13), GetParam()));
}

TEST_P(EachIsa, AStrideOfAnyLengthAlongASingleElement) {
  Slice1 op;
  op.input = strided_tensor(DataType::kInt32, {1, 4}, {0xFFFFFFFF, 1});
  op.output = strided_tensor(DataType::kInt32, {1, 4}, {0xFFFFFFFF, 1});
  op.window_offsets = {0, 0};
  op.window_sizes = {1, 4};
  op.window_strides = {INT32_MIN, -1};
  const std::vector<std::int32_t> input{1, 2, 3, 4};
  std::vector<std::int32_t> output(4);
  const std::span<const std::byte> inputs[] = {in(input)};
  const std::span<std::byte> outputs[] = {out(output)};
  EXPECT_FALSE(prepare(op, FeatureLevel::k6_4, GetParam()).execute({inputs, outputs}));
  EXPECT_THAT(output, ElementsAre(4, 3, 2, 1));
}

/// Two outputs of 1 and 2 columns.
Split split_of_three_columns(std::uint64_t rows) {
  return {.input = packed_tensor(DataType::kFloat32, {rows, 3}),
          .outputs = {packed_tensor(DataType::kFloat32, {rows, 1}),
                      packed_tensor(DataType::kFloat32, {rows, 2})},
          .axis = 1};
}

TEST_P(EachIsa, AnExecutionAllocatesNothing) {
  const Split split = split_of_three_columns(5000);
  const std::vector<float> split_input(15000, 1);
  std::vector<float> first(5000);
  std::vector<float> second(10000);
  const std::span<const std::byte> split_inputs[] = {in(split_input)};
  const std::span<std::byte> split_outputs[] = {out(first), out(second)};
  const Plan split_plan = prepare(split, FeatureLevel::k6_4, GetParam());

  Scatter scatter;
  scatter.input = scatter.output = packed_tensor(DataType::kFloat32, {50, 60});
  scatter.indices = packed_tensor(DataType::kUint32, {50, 20});
  scatter.updates = packed_tensor(DataType::kFloat32, {50, 20});
  scatter.axis = 1;
  const std::vector<float> input(3000, 1);
  const std::vector<std::uint32_t> indices(1000, 59);
  const std::vector<float> updates(1000, 2);
  std::vector<float> output(3000);
  const std::span<const std::byte> scatter_inputs[] = {in(input), in(indices), in(updates)};
  const std::span<std::byte> scatter_outputs[] = {out(output)};
  const Plan scatter_plan = prepare(scatter, FeatureLevel::k6_4, GetParam());

  const OnnxGather gather = gather_of({50, 60}, DataType::kInt64, {2, 3}, {2, 3, 60});
  const std::vector<std::int32_t> data(3000, 3);
  const std::vector<std::int64_t> gather_indices{0, 1, 2, 3, 4, -1};
  std::vector<std::int32_t> gathered(360);
  const std::span<const std::byte> gather_inputs[] = {in(data), in(gather_indices)};
  const std::span<std::byte> gather_outputs[] = {out(gathered)};
  const Plan gather_plan = prepare(gather, Version::opset(13), GetParam());

  const std::size_t before = test::allocation_count();
  EXPECT_FALSE(split_plan.execute({split_inputs, split_outputs}));
  EXPECT_FALSE(scatter_plan.execute({scatter_inputs, scatter_outputs}));
  EXPECT_FALSE(gather_plan.execute({gather_inputs, gather_outputs}));
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(gathered.back(), 3);
}

TEST(Plan, AnInvalidOperatorIsRejectedWithAllItsViolations) {
  Split op = split_of_three_columns(5);
  op.axis = 2;
  op.outputs[0].data_type = DataType::kInt32;
  try {
    (void)prepare(op, FeatureLevel::k6_4, Isa::kScalar);
    FAIL() << "accepted";
  } catch (const InvalidOperator& rejected) {
    EXPECT_THAT(rejected.violations().rules(),
                ElementsAre("split.axis-range", "split.same-data-type"));
    EXPECT_THAT(rejected.what(), HasSubstr(": "));
  }
}

/// What is said of buffers that do not fit.
std::string rejection_of(const Plan& plan, const Bindings& bindings) {
  try {
    (void)plan.execute(bindings);
  } catch (const std::invalid_argument& rejected) {
    return rejected.what();
  }
  return "";
}

TEST(Plan, ABufferThatIsTooShortIsNamedBeforeAnythingIsTouched) {
  const Plan plan = prepare(split_of_three_columns(2), FeatureLevel::k6_4);
  const std::vector<float> input{0, 1, 2, 3, 4, 5};
  std::vector<float> first(2, -7);
  std::vector<float> second(4, -7);
  const std::span<const std::byte> inputs[] = {in(input)};
  const std::span<const std::byte> short_inputs[] = {in(input).first(23)};
  const std::span<std::byte> outputs[] = {out(first), out(second)};
  const std::span<std::byte> short_outputs[] = {out(first), out(second).first(15)};
  EXPECT_EQ(rejection_of(plan, {short_inputs, outputs}),
            "InputTensor needs a buffer of 24 bytes, but is given 23");
  EXPECT_EQ(rejection_of(plan, {inputs, short_outputs}),
            "OutputTensors[1] needs a buffer of 16 bytes, but is given 15");
  EXPECT_THAT(first, testing::Each(-7));
  EXPECT_THAT(second, testing::Each(-7));
  EXPECT_EQ(rejection_of(plan, {inputs, outputs}), "");
  EXPECT_THAT(second, ElementsAre(1, 2, 4, 5));
}

TEST(Plan, ABufferReachesAsFarAsTheStridesLead) {
  Slice1 op;
  op.input = strided_tensor(DataType::kInt8, {2, 3}, {10, 1});
  op.output = packed_tensor(DataType::kInt8, {2, 3});
  op.window_offsets = {0, 0};
  op.window_sizes = {2, 3};
  op.window_strides = {1, 1};
  const Plan plan = prepare(op, FeatureLevel::k6_4);
  std::vector<std::int8_t> input(13);
  std::vector<std::int8_t> output(6);
  const std::span<std::byte> outputs[] = {out(output)};
  for (const std::size_t size : {13U, 12U}) {
    const std::span<const std::byte> inputs[] = {in(input).first(size)};
    EXPECT_EQ(rejection_of(plan, {inputs, outputs}),
              size == 13 ? "" : "InputTensor needs a buffer of 13 bytes, but is given 12");
  }
}

// Plans count on it: they keep what all buffers need in one list.
TEST(Plan, InEveryOperatorInputsComeBeforeOutputs) {
  for (std::size_t k = 0; k < all_operators().size(); ++k) {
    bool was_output = false;
    for_each_tensor(plain_operator(k, {}), [&](const NamedTensor& tensor) {
      EXPECT_FALSE(was_output && tensor.field.access == Access::kInput) << tensor.path;
      was_output = tensor.field.access == Access::kOutput;
    });
    EXPECT_TRUE(was_output);
  }
}

TEST(Plan, MissingAndSurplusBuffersAreRejected) {
  const Plan plan = prepare(split_of_three_columns(2), FeatureLevel::k6_4);
  const std::vector<float> input(6);
  std::vector<float> first(2);
  std::vector<float> second(4);
  const std::span<const std::byte> inputs[] = {in(input), in(input)};
  const std::span<std::byte> outputs[] = {out(first), out(second)};
  const std::span all_inputs(inputs);
  const std::span all_outputs(outputs);
  EXPECT_EQ(rejection_of(plan, {{}, outputs}), "inputs: 1 buffers are needed, but 0 are given");
  EXPECT_EQ(rejection_of(plan, {inputs, outputs}), "inputs: 1 buffers are needed, but 2 are given");
  EXPECT_EQ(rejection_of(plan, {all_inputs.first(1), all_outputs.first(1)}),
            "outputs: 2 buffers are needed, but 1 are given");
}

TEST(Plan, AnUndecidedRuleIsARejectionToo) {
  Violations violations;
  violations.judge("tensor.output-no-overlap");
  violations.add_undecided("OutputTensor.Strides", "too much work");
  EXPECT_STREQ(InvalidOperator(violations).what(), "tensor.output-no-overlap: too much work");
}

TEST(Plan, MovesFromPlaceToPlace) {
  Plan plan = prepare(split_of_three_columns(2), FeatureLevel::k6_4);
  Plan moved = std::move(plan);
  plan = std::move(moved);
  const std::vector<float> input{0, 1, 2, 3, 4, 5};
  std::vector<float> first(2);
  std::vector<float> second(4);
  const std::span<const std::byte> inputs[] = {in(input)};
  const std::span<std::byte> outputs[] = {out(first), out(second)};
  EXPECT_FALSE(plan.execute({inputs, outputs}));
  EXPECT_THAT(first, ElementsAre(0, 3));
  EXPECT_THAT(second, ElementsAre(1, 2, 4, 5));
}

}  // namespace
}  // namespace opconform::optimized
