#include "spec/operators/scatter.h"

#include <gmock/gmock.h>

#include "tests/spec/matchers.h"
#include "tests/spec/samples.h"

namespace opconform {
namespace {

using testing::SizeIs;

TEST(ScatterRules, TheSampleIsValidAtEveryLevel) {
  for (const FeatureLevel level : kFeatureLevels)
    EXPECT_THAT(validate(valid_scatter(), level), IsValid());
}

TEST(ScatterRules, TheExamplesOfTheDocumentAreValid) {
  const Scatter example_1{.input = packed_tensor(DataType::kFloat32, {5}),
                          .indices = packed_tensor(DataType::kUint32, {4}),
                          .updates = packed_tensor(DataType::kFloat32, {4}),
                          .output = packed_tensor(DataType::kFloat32, {5}),
                          .axis = 0};
  EXPECT_THAT(validate(example_1), IsValid());
  const Scatter example_2{.input = packed_tensor(DataType::kFloat32, {3, 3}),
                          .indices = packed_tensor(DataType::kUint32, {2, 3}),
                          .updates = packed_tensor(DataType::kFloat32, {2, 3}),
                          .output = packed_tensor(DataType::kFloat32, {3, 3}),
                          .axis = 0};
  EXPECT_THAT(validate(example_2), IsValid());
}

// Erratum scatter.example-2-sizes: what is printed.
TEST(ScatterRules, OutputSizesRejectExample2AsPrinted) {
  const Scatter printed{.input = packed_tensor(DataType::kFloat32, {2, 3}),
                        .indices = packed_tensor(DataType::kUint32, {2, 3}),
                        .updates = packed_tensor(DataType::kFloat32, {2, 3}),
                        .output = packed_tensor(DataType::kFloat32, {3, 3}),
                        .axis = 0};
  EXPECT_THAT(validate(printed), BreaksOnly("scatter.output-sizes"));
}

// Erratum scatter.example-ranks.
TEST(ScatterRules, SupportRejectsTheExamplesBelow3_0) {
  const Scatter example_1{.input = packed_tensor(DataType::kFloat32, {5}),
                          .indices = packed_tensor(DataType::kUint32, {4}),
                          .updates = packed_tensor(DataType::kFloat32, {4}),
                          .output = packed_tensor(DataType::kFloat32, {5}),
                          .axis = 0};
  EXPECT_THAT(validate(example_1, FeatureLevel::k2_1), BreaksOnly("scatter.support"));
  EXPECT_THAT(validate(example_1, FeatureLevel::k3_0), IsValid());
}

TEST(ScatterRules, IndicesAlongAxisMayBeFewerAsManyOrMore) {
  for (const std::uint64_t size : {1U, 3U, 100U}) {
    Scatter op = valid_scatter();
    op.indices = packed_tensor(DataType::kUint32, {1, 2, size, 4});
    op.updates = packed_tensor(DataType::kFloat32, {1, 2, size, 4});
    EXPECT_THAT(validate(op), IsValid());
  }
}

TEST(ScatterRules, SameRank) {
  Scatter op = valid_scatter();
  op.updates = packed_tensor(DataType::kFloat32, {1, 2, 5, 4, 1});
  EXPECT_THAT(validate(op), BreaksOnly("scatter.same-rank"));
  EXPECT_THAT(validate(op), Reports("UpdatesTensor.Sizes",
                                    {"UpdatesTensor has rank 5", "InputTensor has rank 4"}));
}

TEST(ScatterRules, SameRankNamesEachTensorThatDiffersFromTheInput) {
  Scatter op = valid_scatter();
  op.input = packed_tensor(DataType::kFloat32, {2, 3, 4});
  EXPECT_THAT(validate(op), BreaksOnly("scatter.same-rank"));
  EXPECT_THAT(validate(op).list(), SizeIs(3));
}

TEST(ScatterRules, SameDataTypeOfUpdates) {
  Scatter op = valid_scatter();
  op.updates.data_type = DataType::kInt32;
  EXPECT_THAT(validate(op), BreaksOnly("scatter.same-data-type"));
  EXPECT_THAT(validate(op), Reports("UpdatesTensor.DataType", {"UpdatesTensor.DataType is INT32",
                                                               "InputTensor.DataType is FLOAT32"}));
}

TEST(ScatterRules, SameDataTypeOfOutput) {
  Scatter op = valid_scatter();
  op.output.data_type = DataType::kUint32;
  EXPECT_THAT(validate(op), BreaksOnly("scatter.same-data-type"));
  EXPECT_THAT(validate(op), Reports("OutputTensor.DataType", {"UINT32", "FLOAT32"}));
}

TEST(ScatterRules, IndicesMayHaveTheDataTypeOfTheInputOrNot) {
  Scatter op = valid_scatter();
  op.input.data_type = op.updates.data_type = op.output.data_type = DataType::kUint32;
  EXPECT_THAT(validate(op), IsValid());
}

TEST(ScatterRules, IndicesSizes) {
  for (const std::uint64_t size : {1U, 3U}) {
    Scatter op = valid_scatter();
    op.indices = packed_tensor(DataType::kUint32, {1, size, 5, 4});
    op.updates = packed_tensor(DataType::kFloat32, {1, size, 5, 4});
    EXPECT_THAT(validate(op), BreaksOnly("scatter.indices-sizes"));
    EXPECT_THAT(validate(op), Reports("IndicesTensor.Sizes[1]",
                                      {"IndicesTensor.Sizes[1] is " + std::to_string(size),
                                       "InputTensor.Sizes[1] is 2"}));
  }
}

TEST(ScatterRules, UpdatesSizes) {
  Scatter op = valid_scatter();
  op.updates = packed_tensor(DataType::kFloat32, {1, 2, 3, 4});
  EXPECT_THAT(validate(op), BreaksOnly("scatter.updates-sizes"));
  EXPECT_THAT(validate(op), Reports("UpdatesTensor.Sizes[2]", {"UpdatesTensor.Sizes[2] is 3",
                                                               "IndicesTensor.Sizes[2] is 5"}));
}

TEST(ScatterRules, OutputSizes) {
  Scatter op = valid_scatter();
  op.output = packed_tensor(DataType::kFloat32, {1, 2, 4, 4});
  EXPECT_THAT(validate(op), BreaksOnly("scatter.output-sizes"));
  EXPECT_THAT(validate(op), Reports("OutputTensor.Sizes[2]",
                                    {"OutputTensor.Sizes[2] is 4", "InputTensor.Sizes[2] is 3"}));
}

TEST(ScatterRules, AxisRange) {
  for (const std::uint32_t axis : {4U, 5U, 4294967295U}) {
    Scatter op = valid_scatter();
    op.axis = axis;
    EXPECT_THAT(validate(op), BreaksOnly("scatter.axis-range"));
    EXPECT_THAT(validate(op), Reports("Axis", {"Axis is " + std::to_string(axis), "rank 4"}));
  }
}

TEST(ScatterRules, SupportNamesTypeRowAndLevel) {
  Scatter op = valid_scatter();
  op.indices.data_type = DataType::kInt32;
  EXPECT_THAT(validate(op, FeatureLevel::k2_0), BreaksOnly("scatter.support"));
  EXPECT_THAT(validate(op, FeatureLevel::k2_0),
              Reports("IndicesTensor.DataType", {"IndicesTensor is INT32", "1_0", "2_0"}));
}

TEST(ScatterRules, SupportNamesRankRowAndLevel) {
  Scatter op = valid_scatter();
  for (TensorDesc* tensor : {&op.input, &op.indices, &op.updates, &op.output})
    tensor->sizes.insert(0, 1);
  op.axis = 3;
  EXPECT_THAT(validate(op, FeatureLevel::k2_1), BreaksOnly("scatter.support"));
  EXPECT_THAT(validate(op, FeatureLevel::k2_1),
              Reports("UpdatesTensor.Sizes", {"UpdatesTensor has rank 5", "lists rank 4;", "2_1"}));
  EXPECT_THAT(validate(op, FeatureLevel::k2_1).list(), SizeIs(4));
}

// "Where ranks differ, only the rank rule speaks and no sizes are compared."
TEST(ScatterLeaning, WhereRanksDifferOnlyTheRankRuleSpeaks) {
  Scatter op = valid_scatter();
  op.indices = packed_tensor(DataType::kUint32, {9, 9, 9});
  op.updates = packed_tensor(DataType::kFloat32, {8, 8, 8, 8});
  op.output = packed_tensor(DataType::kFloat32, {7, 7});
  op.axis = 6;
  EXPECT_THAT(validate(op), BreaksOnly("scatter.same-rank"));
}

// "Where an axis is out of range, rules that use the axis are silent."
TEST(ScatterLeaning, WhereTheAxisIsOutOfRangeIndicesSizesAreSilent) {
  Scatter op = valid_scatter();
  op.axis = 4;
  op.indices = packed_tensor(DataType::kUint32, {1, 9, 5, 4});
  op.updates = packed_tensor(DataType::kFloat32, {1, 9, 5, 4});
  EXPECT_THAT(validate(op), BreaksOnly("scatter.axis-range"));
}

TEST(ScatterLeaning, WhereTheAxisIsOutOfRangeRulesWithoutItStillSpeak) {
  Scatter op = valid_scatter();
  op.axis = 4;
  op.updates = packed_tensor(DataType::kFloat32, {1, 9, 5, 4});
  op.output = packed_tensor(DataType::kFloat32, {1, 2, 9, 4});
  EXPECT_THAT(validate(op), BreaksExactly({"scatter.axis-range", "scatter.updates-sizes",
                                           "scatter.output-sizes"}));
}

// "Data of rank 0 has no axis and no output shape to judge."
TEST(ScatterLeaning, Rank0HasNoAxisToJudge) {
  const Scatter op{.input = packed_tensor(DataType::kFloat32, {}),
                   .indices = packed_tensor(DataType::kUint32, {}),
                   .updates = packed_tensor(DataType::kFloat32, {}),
                   .output = packed_tensor(DataType::kFloat32, {}),
                   .axis = 3};
  EXPECT_THAT(validate(op), BreaksOnly("scatter.support"));
}

// "Where a size is 0, tensor.sizes-positive speaks and other rules about that size are silent."
TEST(ScatterLeaning, ASizeOf0IsComparedWithNoOther) {
  for (TensorDesc Scatter::*tensor :
       {&Scatter::input, &Scatter::indices, &Scatter::updates, &Scatter::output}) {
    for (std::size_t i = 0; i < 4; ++i) {
      Scatter op = valid_scatter();
      (op.*tensor).sizes[i] = 0;
      EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
    }
  }
}

TEST(ScatterLeaning, ASizeOf0SilencesNoOtherSize) {
  Scatter op = valid_scatter();
  op.output = packed_tensor(DataType::kFloat32, {1, 2, 9, 4});
  op.output.sizes[3] = 0;
  EXPECT_THAT(validate(op), BreaksExactly({"tensor.sizes-positive", "scatter.output-sizes"}));
}

// "Support is judged tensor by tensor, also where ranks differ."
TEST(ScatterLeaning, SupportIsJudgedWhereRanksDiffer) {
  Scatter op = valid_scatter();
  op.updates = packed_tensor(DataType::kFloat32, {1, 2, 5, 4, 1});
  const Violations found = validate(op, FeatureLevel::k2_1);
  EXPECT_THAT(found, BreaksExactly({"scatter.same-rank", "scatter.support"}));
  EXPECT_THAT(found.list(), SizeIs(2));
}

TEST(ScatterLeaning, SupportIsJudgedWhereTypesDiffer) {
  Scatter op = valid_scatter();
  op.output = packed_tensor(DataType::kInt64, {1, 2, 3, 4});
  EXPECT_THAT(validate(op, FeatureLevel::k4_0),
              BreaksExactly({"scatter.same-data-type", "scatter.support"}));
  EXPECT_THAT(validate(op, FeatureLevel::k4_1), BreaksOnly("scatter.same-data-type"));
}

// "A descriptor that breaks two independent rules breaks both, and both are named."
TEST(ScatterLeaning, IndependentRulesAreBothNamed) {
  Scatter op = valid_scatter();
  op.axis = 4;
  op.updates.data_type = DataType::kInt32;
  op.input.total_tensor_size_bytes += 2;
  op.output = strided_tensor(DataType::kFloat32, {1, 2, 3, 4}, {0, 0, 4, 1});
  EXPECT_THAT(validate(op),
              BreaksExactly({"scatter.axis-range", "scatter.same-data-type",
                             "tensor.buffer-granularity", "tensor.output-no-overlap"}));
}

}  // namespace
}  // namespace opconform
