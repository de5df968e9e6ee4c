#include <gmock/gmock.h>

#include "tests/reference/buffers.h"

namespace opconform::reference {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

DmlJoin join_of(const Dims& output, std::uint32_t axis, const std::vector<std::uint64_t>& sizes) {
  DmlJoin op{.inputs = {}, .output = packed_tensor(kFloat, output), .axis = axis};
  for (const std::uint64_t size : sizes) {
    Dims input = output;
    input[axis] = size;
    op.inputs.push_back(packed_tensor(kFloat, input));
  }
  return op;
}

TEST(JoinReference, Example1) {
  Execution result = run_well(join_of({1, 1, 2, 7}, 3, {3, 4}),
                              {bytes_of(numbered<float>(6, 1)), bytes_of(numbered<float>(8, 7))},
                              FeatureLevel::k1_0);
  EXPECT_THAT(result.values<float>(), ElementsAre(1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11, 12, 13, 14));
}

/// The inputs of the other examples.
const std::vector<Bytes> kThreeOfFour{bytes_of(numbered<float>(4, 1)),
                                      bytes_of(numbered<float>(4, 5)),
                                      bytes_of(numbered<float>(4, 9))};

TEST(JoinReference, Example2Axis1) {
  Execution result =
      run_well(join_of({1, 3, 2, 2}, 1, {1, 1, 1}), kThreeOfFour, FeatureLevel::k1_0);
  EXPECT_THAT(result.values<float>(), ElementsAreArray(numbered<float>(12, 1)));
}

TEST(JoinReference, Example2Axis2) {
  Execution result =
      run_well(join_of({1, 1, 6, 2}, 2, {2, 2, 2}), kThreeOfFour, FeatureLevel::k1_0);
  EXPECT_THAT(result.values<float>(), ElementsAreArray(numbered<float>(12, 1)));
}

TEST(JoinReference, Example2Axis3) {
  Execution result =
      run_well(join_of({1, 1, 2, 6}, 3, {2, 2, 2}), kThreeOfFour, FeatureLevel::k1_0);
  EXPECT_THAT(result.values<float>(), ElementsAre(1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12));
}

TEST(JoinReference, OneInputIsCopied) {
  for (const std::uint32_t axis : {0U, 1U, 2U}) {
    const Dims sizes{2, 3, 2};
    EXPECT_THAT(run_well(join_of(sizes, axis, {sizes[axis]}), {bytes_of(numbered<float>(12))})
                    .values<float>(),
                ElementsAreArray(numbered<float>(12)));
  }
}

TEST(JoinReference, TheOrderIsThatOfTheArray) {
  Execution result =
      run_well(join_of({6}, 0, {3, 1, 2}),
               {bytes_of({5.0F, 6.0F, 7.0F}), bytes_of({9.0F}), bytes_of({1.0F, 2.0F})});
  EXPECT_THAT(result.values<float>(), ElementsAre(5, 6, 7, 9, 1, 2));
}

TEST(JoinReference, EachInputHasALayoutOfItsOwn) {
  DmlJoin op = join_of({6, 2}, 0, {2, 4});
  op.inputs[0] = strided_tensor(kFloat, {2, 2}, {1, 2});
  op.inputs[1] = strided_tensor(kFloat, {4, 2}, {3, 1});
  Execution result = run_well(
      op, {bytes_of({1.0F, 3.0F, 2.0F, 4.0F}),
           bytes_of({5.0F, 6.0F, -1.0F, 7.0F, 8.0F, -1.0F, 9.0F, 10.0F, -1.0F, 11.0F, 12.0F})});
  EXPECT_THAT(result.values<float>(), ElementsAreArray(numbered<float>(12, 1)));
}

TEST(JoinReference, GapsOfTheOutputAreLeftAlone) {
  DmlJoin op = join_of({2, 3}, 1, {1, 2});
  op.output = strided_tensor(kFloat, {2, 3}, {4, 1});
  Execution result = run_well(op, {bytes_of({1.0F, 4.0F}), bytes_of({2.0F, 3.0F, 5.0F, 6.0F})});
  const float gap = untouched<float>();
  EXPECT_THAT(result.values<float>(), ElementsAre(1, 2, 3, gap, 4, 5, 6));
}

TEST(JoinReference, AnInputMayRepeatItsElements) {
  DmlJoin op = join_of({2, 3}, 1, {1, 2});
  op.inputs[0] = strided_tensor(kFloat, {2, 1}, {0, 1});
  op.inputs[1] = strided_tensor(kFloat, {2, 2}, {1, 1});
  Execution result = run_well(op, {bytes_of({7.0F}), bytes_of({1.0F, 2.0F, 3.0F})});
  EXPECT_THAT(result.values<float>(), ElementsAre(7, 1, 2, 7, 2, 3));
}

TEST(JoinReference, BitPatternsArriveAsTheyLeft) {
  DmlJoin op = join_of({4}, 0, {1, 3});
  op.output = packed_tensor(DataType::kFloat16, {4});
  op.inputs = {packed_tensor(DataType::kFloat16, {1}), packed_tensor(DataType::kFloat16, {3})};
  const std::vector<std::uint16_t> bits{0x7C01, 0xFE42, 0x8000, 0x0001};  // signalling NaN first
  Execution result = run_well(op, {bytes_of({bits[0]}), bytes_of({bits[1], bits[2], bits[3]})});
  EXPECT_THAT(result.values<std::uint16_t>(), ElementsAreArray(bits));
}

TEST(JoinReference, ManyInputs) {
  const std::vector<std::uint64_t> sizes(200, 1);
  std::vector<Bytes> inputs;
  for (const float value : numbered<float>(200)) inputs.push_back(bytes_of({value}));
  EXPECT_THAT(run_well(join_of({200}, 0, sizes), inputs).values<float>(),
              ElementsAreArray(numbered<float>(200)));
}

// join.same-input-twice: the same memory, seen as two tensors of other layouts.
TEST(JoinReference, TwoInputsMayBeTheSameMemory) {
  DmlJoin op = join_of({4, 2}, 0, {2, 2});
  op.inputs[1] = strided_tensor(kFloat, {2, 2}, {1, 2});
  const Bytes bytes = bytes_of({1.0F, 2.0F, 3.0F, 4.0F});
  const std::vector<std::span<const std::byte>> inputs{bytes, bytes};
  OutputBuffer output(32);
  const std::vector<std::span<std::byte>> outputs{output.bytes()};
  EXPECT_FALSE(execute(op, FeatureLevel::k6_4, {.inputs = inputs, .outputs = outputs}).has_value());
  EXPECT_THAT(output.values<float>(), ElementsAre(1, 2, 3, 4, 1, 3, 2, 4));
}

TEST(JoinReference, TwoInputsMayOverlapInMemory) {
  const DmlJoin op = join_of({6}, 0, {3, 3});
  const Bytes bytes = bytes_of({1.0F, 2.0F, 3.0F, 4.0F});
  const std::vector<std::span<const std::byte>> inputs{std::span(bytes).first(12),
                                                       std::span(bytes).last(12)};
  OutputBuffer output(24);
  const std::vector<std::span<std::byte>> outputs{output.bytes()};
  EXPECT_FALSE(execute(op, FeatureLevel::k6_4, {.inputs = inputs, .outputs = outputs}).has_value());
  EXPECT_THAT(output.values<float>(), ElementsAre(1, 2, 3, 2, 3, 4));
}

TEST(JoinReference, LeavesNoFreedom) {
  const AlsoPermitted also = also_permitted_of(
      join_of({6, 2}, 0, {2, 4}), {bytes_of(numbered<float>(4)), bytes_of(numbered<float>(8))});
  EXPECT_FALSE(also.outputs_unspecified);
  EXPECT_THAT(also.alternatives, IsEmpty());
  EXPECT_FALSE(also.also_as.has_value());
}

}  // namespace
}  // namespace opconform::reference
