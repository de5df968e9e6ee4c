#include <gmock/gmock.h>

#include "tests/reference/buffers.h"

namespace opconform::reference {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

/// The input of the document's examples.
const Bytes kTwelve = bytes_of(numbered<float>(12, 1));

Split split_of(const Dims& input, std::uint32_t axis, const std::vector<std::uint64_t>& sizes) {
  Split op{.input = packed_tensor(kFloat, input), .outputs = {}, .axis = axis};
  for (const std::uint64_t size : sizes) {
    Dims output = input;
    output[axis] = size;
    op.outputs.push_back(packed_tensor(kFloat, output));
  }
  return op;
}

TEST(SplitReference, Example1) {
  Execution result = run_well(split_of({1, 1, 6, 2}, 2, {2, 1, 3}), {kTwelve}, FeatureLevel::k1_0);
  EXPECT_THAT(result.values<float>(0), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(result.values<float>(1), ElementsAre(5, 6));
  EXPECT_THAT(result.values<float>(2), ElementsAre(7, 8, 9, 10, 11, 12));
}

TEST(SplitReference, Example2) {
  Execution result = run_well(split_of({1, 1, 6, 2}, 3, {1, 1}), {kTwelve}, FeatureLevel::k1_0);
  EXPECT_THAT(result.values<float>(0), ElementsAre(1, 3, 5, 7, 9, 11));
  EXPECT_THAT(result.values<float>(1), ElementsAre(2, 4, 6, 8, 10, 12));
}

TEST(SplitReference, OneOutputIsACopy) {
  for (const std::uint32_t axis : {0U, 1U, 2U}) {
    const Dims sizes{2, 3, 2};
    EXPECT_THAT(run_well(split_of(sizes, axis, {sizes[axis]}), {kTwelve}).values<float>(),
                ElementsAreArray(numbered<float>(12, 1)));
  }
}

/// Joins the outputs: for each outer coordinate the runs of all outputs, one behind the other.
std::vector<float> join(Execution& run, std::size_t outer, std::size_t inner,
                        const std::vector<std::uint64_t>& sizes) {
  std::vector<float> result;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const std::vector<float> output = run.values<float>(k);
      const std::size_t run_length = sizes[k] * inner;
      for (std::size_t i = 0; i < run_length; ++i) result.push_back(output[o * run_length + i]);
    }
  }
  return result;
}

TEST(SplitReference, JoiningTheOutputsGivesTheInput) {
  const Bytes input = bytes_of(numbered<float>(24));
  const std::vector<std::vector<std::uint64_t>> ways{{4}, {1, 3}, {2, 2}, {3, 1}, {1, 1, 1, 1}};
  for (const std::vector<std::uint64_t>& sizes : ways) {
    Execution first = run_well(split_of({4, 2, 3}, 0, sizes), {input});
    EXPECT_THAT(join(first, 1, 6, sizes), ElementsAreArray(numbered<float>(24)));
    Execution middle = run_well(split_of({2, 4, 3}, 1, sizes), {input});
    EXPECT_THAT(join(middle, 2, 3, sizes), ElementsAreArray(numbered<float>(24)));
    Execution last = run_well(split_of({2, 3, 4}, 2, sizes), {input});
    EXPECT_THAT(join(last, 6, 1, sizes), ElementsAreArray(numbered<float>(24)));
  }
}

TEST(SplitReference, OutputsMayHaveLayoutsOfTheirOwn) {
  Split op = split_of({6, 2}, 0, {2, 4});
  op.outputs[0] = strided_tensor(kFloat, {2, 2}, {1, 2});
  op.outputs[1] = strided_tensor(kFloat, {4, 2}, {3, 1});
  op.outputs[1].total_tensor_size_bytes += 4;
  const float gap = untouched<float>();
  Execution result = run_well(op, {kTwelve});
  EXPECT_THAT(result.values<float>(0), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(result.values<float>(1), ElementsAre(5, 6, gap, 7, 8, gap, 9, 10, gap, 11, 12, gap));
}

TEST(SplitReference, ABroadcastInputRepeatsInEachOutput) {
  Split op = split_of({2, 3}, 1, {1, 2});
  op.input = strided_tensor(kFloat, {2, 3}, {0, 1});
  Execution result = run_well(op, {bytes_of({1.0F, 2.0F, 3.0F})});
  EXPECT_THAT(result.values<float>(0), ElementsAre(1, 1));
  EXPECT_THAT(result.values<float>(1), ElementsAre(2, 3, 2, 3));
}

TEST(SplitReference, ABroadcastAxisGivesTheSameToAll) {
  Split op = split_of({3, 2}, 0, {1, 2});
  op.input = strided_tensor(kFloat, {3, 2}, {0, 1});
  Execution result = run_well(op, {bytes_of({1.0F, 2.0F})});
  EXPECT_THAT(result.values<float>(0), ElementsAre(1, 2));
  EXPECT_THAT(result.values<float>(1), ElementsAre(1, 2, 1, 2));
}

TEST(SplitReference, GapsOfAnInputAreNotRead) {
  Split op = split_of({2, 3}, 1, {1, 2});
  op.input = strided_tensor(kFloat, {2, 3}, {5, 1});
  Execution result = run_well(op, {bytes_of({1.0F, 2.0F, 3.0F, -1.0F, -1.0F, 4.0F, 5.0F, 6.0F})});
  EXPECT_THAT(result.values<float>(0), ElementsAre(1, 4));
  EXPECT_THAT(result.values<float>(1), ElementsAre(2, 3, 5, 6));
}

TEST(SplitReference, BitPatternsArriveAsTheyLeft) {
  Split op = split_of({4}, 0, {1, 3});
  op.input = packed_tensor(DataType::kFloat16, {4});
  op.outputs = {packed_tensor(DataType::kFloat16, {1}), packed_tensor(DataType::kFloat16, {3})};
  const std::vector<std::uint16_t> bits{0x7C01, 0xFE42, 0x8000, 0x0001};  // signalling NaN first
  Execution result = run_well(op, {bytes_of(bits)});
  EXPECT_EQ(result.values<std::uint16_t>(0)[0], bits[0]);
  EXPECT_THAT(result.values<std::uint16_t>(1),
              ElementsAre(bits[1], bits[2], bits[3], untouched<std::uint16_t>()));
}

TEST(SplitReference, ManyOutputs) {
  const std::vector<std::uint64_t> sizes(200, 1);
  Execution result = run_well(split_of({200}, 0, sizes), {bytes_of(numbered<float>(200))});
  for (std::size_t k = 0; k < sizes.size(); ++k)
    EXPECT_THAT(result.values<float>(k), ElementsAre(static_cast<float>(k)));
}

TEST(SplitReference, LeavesNoFreedom) {
  const AlsoPermitted also = also_permitted_of(split_of({6, 2}, 0, {2, 4}), {kTwelve});
  EXPECT_FALSE(also.outputs_unspecified);
  EXPECT_THAT(also.alternatives, IsEmpty());
  EXPECT_FALSE(also.also_as.has_value());
}

}  // namespace
}  // namespace opconform::reference
