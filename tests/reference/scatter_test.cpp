#include <gmock/gmock.h>

#include <cstdint>

#include "tests/reference/buffers.h"

namespace opconform::reference {
namespace {

using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

constexpr std::size_t kUpdates = 2;  // the position of UpdatesTensor among the inputs

Scatter scatter_of(const Dims& input, DataType index_type, const Dims& indices,
                   std::uint32_t axis) {
  return {.input = packed_tensor(kFloat, input),
          .indices = packed_tensor(index_type, indices),
          .updates = packed_tensor(kFloat, indices),
          .output = packed_tensor(kFloat, input),
          .axis = axis};
}

/// A row of five, of which some are overwritten with 100, 101, ...
template <class Index>
std::vector<Bytes> row_inputs(const std::vector<Index>& indices) {
  return {bytes_of(numbered<float>(5)), bytes_of(indices),
          bytes_of(numbered<float>(indices.size(), 100))};
}

TEST(ScatterReference, Example1) {
  const Scatter op = scatter_of({5}, DataType::kUint32, {4}, 0);
  const std::vector<Bytes> inputs{bytes_of(numbered<float>(5)), bytes_of({3U, 1U, 3U, 0U}),
                                  bytes_of(numbered<float>(4, 5))};
  EXPECT_THAT(run_well(op, inputs).values<float>(), ElementsAre(8, 6, 2, AnyOf(5.0F, 7.0F), 4));
  // Erratum scatter.example-1-overlap: element 3 is named twice.
  EXPECT_THAT(also_permitted_of(op, inputs).alternatives,
              ElementsAre(Alternative{3, kUpdates, 0}, Alternative{3, kUpdates, 2}));
}

TEST(ScatterReference, Example2) {
  const Scatter op = scatter_of({3, 3}, DataType::kUint32, {2, 3}, 0);
  const std::vector<Bytes> inputs{bytes_of(std::vector<float>(9)),
                                  bytes_of({1U, 0U, 2U, 0U, 2U, 1U}),
                                  bytes_of({10.0F, 11.0F, 12.0F, 20.0F, 21.0F, 22.0F})};
  EXPECT_THAT(run_well(op, inputs).values<float>(), ElementsAre(20, 11, 0, 10, 0, 22, 0, 21, 12));
  EXPECT_THAT(also_permitted_of(op, inputs).alternatives, IsEmpty());
}

TEST(ScatterReference, TheAxisCoordinateIsReplacedAndNoOther) {
  const std::vector<Bytes> inputs{bytes_of(std::vector<float>(8)), bytes_of({1U, 0U, 0U, 0U}),
                                  bytes_of({1.0F, 2.0F, 3.0F, 4.0F})};
  // The pseudocode line by line: updates of one slice, written to slice 1, 0, 0, 0.
  EXPECT_THAT(
      run_well(scatter_of({2, 2, 2}, DataType::kUint32, {1, 2, 2}, 0), inputs).values<float>(),
      ElementsAre(0, 2, 3, 4, 1, 0, 0, 0));
  EXPECT_THAT(
      run_well(scatter_of({2, 2, 2}, DataType::kUint32, {2, 1, 2}, 1), inputs).values<float>(),
      ElementsAre(0, 2, 1, 0, 3, 4, 0, 0));
  EXPECT_THAT(
      run_well(scatter_of({2, 2, 2}, DataType::kUint32, {2, 2, 1}, 2), inputs).values<float>(),
      ElementsAre(0, 1, 2, 0, 3, 0, 4, 0));
}

TEST(ScatterReference, WhatNoIndexNamesIsTheInput) {
  const Scatter op = scatter_of({5}, DataType::kUint32, {1}, 0);
  EXPECT_THAT(run_well(op, row_inputs<std::uint32_t>({2})).values<float>(),
              ElementsAre(0, 1, 100, 3, 4));
}

TEST(ScatterReference, IndicesInOrderGiveTheUpdates) {
  const Scatter op = scatter_of({5}, DataType::kUint32, {5}, 0);
  EXPECT_THAT(run_well(op, row_inputs<std::uint32_t>({0, 1, 2, 3, 4})).values<float>(),
              ElementsAre(100, 101, 102, 103, 104));
}

TEST(ScatterReference, WhatWasGatheredIsScatteredBack) {
  // Permutations of the columns, a different one for each row.
  const std::vector<std::uint32_t> indices{2, 0, 3, 1, 1, 3, 0, 2, 0, 1, 2, 3};
  const std::vector<float> values = numbered<float>(12);
  std::vector<float> gathered(12);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      gathered[row * 4 + column] = values[row * 4 + indices[row * 4 + column]];
  const Scatter op = scatter_of({3, 4}, DataType::kUint32, {3, 4}, 1);
  EXPECT_THAT(
      run_well(op, {bytes_of(std::vector<float>(12)), bytes_of(indices), bytes_of(gathered)})
          .values<float>(),
      ElementsAreArray(values));
}

TEST(ScatterReference, ANegativeIndexCountsFromTheEnd) {
  EXPECT_THAT(run_well(scatter_of({5}, DataType::kInt32, {2}, 0),
                       row_inputs<std::int32_t>({-1, -5}), FeatureLevel::k3_0)
                  .values<float>(),
              ElementsAre(101, 1, 2, 3, 100));
  EXPECT_THAT(run_well(scatter_of({5}, DataType::kInt64, {2}, 0), row_inputs<std::int64_t>({-2, 0}),
                       FeatureLevel::k3_0)
                  .values<float>(),
              ElementsAre(101, 1, 2, 100, 4));
}

template <class Index>
void expect_unspecified(DataType index_type, Index outside) {
  SCOPED_TRACE(outside);
  const Scatter op = scatter_of({5}, index_type, {3}, 0);
  const std::vector<Bytes> inputs = row_inputs<Index>({1, outside, 4});
  // run() sees to it that no guard byte and no input changes.
  run_well(op, inputs);
  const AlsoPermitted also = also_permitted_of(op, inputs);
  EXPECT_TRUE(also.outputs_unspecified);
  EXPECT_THAT(also.alternatives, IsEmpty());
  EXPECT_FALSE(also.also_as.has_value());
}

TEST(ScatterReference, AnIndexOutOfRangeLeavesTheOutputUnspecifiedAndTheRestIntact) {
  for (const std::int32_t outside : {5, 6, -6, INT32_MAX, INT32_MIN})
    expect_unspecified<std::int32_t>(DataType::kInt32, outside);
  constexpr std::int64_t kTwoTo32 = std::int64_t{1} << 32;
  for (const std::int64_t outside :
       {std::int64_t{5}, std::int64_t{-6}, kTwoTo32 + 1, -kTwoTo32 + 1, INT64_MAX, INT64_MIN})
    expect_unspecified<std::int64_t>(DataType::kInt64, outside);
  for (const std::uint32_t outside : {5U, 4294967295U, 4294967291U})
    expect_unspecified<std::uint32_t>(DataType::kUint32, outside);
  for (const std::uint64_t outside : {std::uint64_t{5}, (std::uint64_t{1} << 32) + 1, UINT64_MAX,
                                      UINT64_MAX - 4, std::uint64_t{1} << 63})
    expect_unspecified<std::uint64_t>(DataType::kUint64, outside);
}

TEST(ScatterReference, AnUnsignedIndexIsNeverNegative) {
  // 2^32 - 1 and 2^64 - 1 would be -1, the last element.
  const Scatter op = scatter_of({5}, DataType::kUint64, {1}, 0);
  EXPECT_THAT(run_well(op, row_inputs<std::uint64_t>({UINT64_MAX})).values<float>(),
              Each(testing::Lt(5)));
}

TEST(ScatterReference, IndicesOnTheEdgeOfTheRangeAreInIt) {
  for (const std::int64_t inside : {-5, -1, 0, 4}) {
    const Scatter op = scatter_of({5}, DataType::kInt64, {1}, 0);
    EXPECT_FALSE(also_permitted_of(op, row_inputs<std::int64_t>({inside})).outputs_unspecified)
        << inside;
  }
}

TEST(ScatterReference, EveryWriterOfAnOverlapIsAnAlternative) {
  const Scatter op = scatter_of({5}, DataType::kInt64, {6}, 0);
  const AlsoPermitted also = also_permitted_of(op, row_inputs<std::int64_t>({4, 2, -1, 0, -3, 4}));
  EXPECT_FALSE(also.outputs_unspecified);
  EXPECT_THAT(also.alternatives,
              ElementsAre(Alternative{2, kUpdates, 1}, Alternative{2, kUpdates, 4},
                          Alternative{4, kUpdates, 0}, Alternative{4, kUpdates, 2},
                          Alternative{4, kUpdates, 5}));
}

TEST(ScatterReference, TheWinnerOfAnOverlapIsOneOfItsWriters) {
  const Scatter op = scatter_of({5}, DataType::kUint32, {4}, 0);
  EXPECT_THAT(run_well(op, row_inputs<std::uint32_t>({2, 2, 2, 0})).values<float>(),
              ElementsAre(103, 1, AnyOf(100.0F, 101.0F, 102.0F), 3, 4));
}

TEST(ScatterReference, AlternativesAreNumberedRowByRow) {
  // Column 1 of row 1 is named twice; the output's rows are shorter than the updates'.
  const Scatter op = scatter_of({2, 2}, DataType::kUint32, {2, 3}, 1);
  const std::vector<Bytes> inputs{bytes_of(std::vector<float>(4)),
                                  bytes_of({0U, 1U, 0U, 1U, 0U, 1U}),
                                  bytes_of(numbered<float>(6, 10))};
  EXPECT_THAT(also_permitted_of(op, inputs).alternatives,
              ElementsAre(Alternative{0, kUpdates, 0}, Alternative{0, kUpdates, 2},
                          Alternative{3, kUpdates, 3}, Alternative{3, kUpdates, 5}));
}

TEST(ScatterReference, EqualIndicesOffTheAxisDoNotOverlap) {
  const Scatter op = scatter_of({2, 3}, DataType::kUint32, {1, 3}, 0);
  const std::vector<Bytes> inputs{bytes_of(std::vector<float>(6)), bytes_of({1U, 1U, 1U}),
                                  bytes_of({1.0F, 2.0F, 3.0F})};
  EXPECT_THAT(also_permitted_of(op, inputs).alternatives, IsEmpty());
  EXPECT_THAT(run_well(op, inputs).values<float>(), ElementsAre(0, 0, 0, 1, 2, 3));
}

TEST(ScatterReference, GapsOfAnOutputStayAsTheyWere) {
  Scatter op = scatter_of({2, 2}, DataType::kUint32, {1, 2}, 0);
  op.output = strided_tensor(kFloat, {2, 2}, {4, 2});
  op.output.total_tensor_size_bytes += 4;
  const std::vector<Bytes> inputs{bytes_of(numbered<float>(4)), bytes_of({1U, 0U}),
                                  bytes_of({10.0F, 11.0F})};
  const float gap = untouched<float>();
  EXPECT_THAT(run_well(op, inputs).values<float>(), ElementsAre(0, gap, 11, gap, 10, gap, 3, gap));
}

TEST(ScatterReference, BroadcastInputsRepeat) {
  Scatter op = scatter_of({2, 3}, DataType::kUint32, {2, 2}, 1);
  op.input = strided_tensor(kFloat, {2, 3}, {0, 1});
  op.indices = strided_tensor(DataType::kUint32, {2, 2}, {0, 1});
  op.updates = strided_tensor(kFloat, {2, 2}, {0, 0});
  const std::vector<Bytes> inputs{bytes_of({1.0F, 2.0F, 3.0F}), bytes_of({2U, 0U}),
                                  bytes_of({9.0F})};
  EXPECT_THAT(run_well(op, inputs).values<float>(), ElementsAre(9, 2, 9, 9, 2, 9));
}

TEST(ScatterReference, EachTensorHasALayoutOfItsOwn) {
  Scatter op = scatter_of({2, 3}, DataType::kUint32, {2, 1}, 1);
  op.input = strided_tensor(kFloat, {2, 3}, {1, 2});
  op.indices = strided_tensor(DataType::kUint32, {2, 1}, {2, 7});
  op.updates = strided_tensor(kFloat, {2, 1}, {3, 0});
  const std::vector<Bytes> inputs{bytes_of({0.0F, 3.0F, 1.0F, 4.0F, 2.0F, 5.0F}),
                                  bytes_of({1U, 999U, 2U}), bytes_of({10.0F, -1.0F, -1.0F, 11.0F})};
  EXPECT_THAT(run_well(op, inputs).values<float>(), ElementsAre(0, 10, 2, 3, 4, 11));
}

TEST(ScatterReference, BitPatternsArriveAsTheyLeft) {
  const std::vector<std::uint32_t> input{0x7F800001, 0x80000000, 0x00000001};
  const std::vector<std::uint32_t> updates{0xFFC0DEAD};
  const Scatter op = scatter_of({3}, DataType::kUint32, {1}, 0);
  EXPECT_THAT(
      run_well(op, {bytes_of(input), bytes_of({2U}), bytes_of(updates)}).values<std::uint32_t>(),
      ElementsAre(input[0], input[1], updates[0]));
}

TEST(ScatterReference, LeadingOnesChangeNothing) {
  const Scatter op = scatter_of({1, 1, 1, 5}, DataType::kUint32, {1, 1, 1, 2}, 3);
  EXPECT_THAT(run_well(op, row_inputs<std::uint32_t>({4, 1}), FeatureLevel::k1_0).values<float>(),
              ElementsAre(0, 101, 2, 3, 100));
}

}  // namespace
}  // namespace opconform::reference
