#include "spec/operators/split.h"

#include <gmock/gmock.h>

#include "tests/spec/matchers.h"
#include "tests/spec/samples.h"

namespace opconform {
namespace {

using testing::SizeIs;

TEST(SplitRules, TheSampleIsValidAtEveryLevel) {
  for (const FeatureLevel level : kFeatureLevels)
    EXPECT_THAT(validate(valid_split(), level), IsValid());
}

TEST(SplitRules, ASizeOf3SplitsInFourWays) {
  const std::vector<std::vector<std::uint64_t>> ways{{1, 1, 1}, {1, 2}, {2, 1}, {3}};
  for (const std::vector<std::uint64_t>& way : ways) {
    Split op{.input = packed_tensor(DataType::kFloat32, {2, 3}), .outputs = {}, .axis = 1};
    for (const std::uint64_t size : way)
      op.outputs.push_back(packed_tensor(DataType::kFloat32, {2, size}));
    EXPECT_THAT(validate(op), IsValid());
  }
}

TEST(SplitRules, OutputCount) {
  Split op = valid_split();
  op.outputs.clear();
  EXPECT_THAT(validate(op), BreaksOnly("split.output-count"));
  EXPECT_THAT(validate(op), Reports("OutputCount", {"OutputCount is 0", "at least 1"}));
}

TEST(SplitRules, SizesSumTooSmall) {
  Split op = valid_split();
  op.outputs[0] = packed_tensor(DataType::kFloat32, {1, 1, 1, 2});
  EXPECT_THAT(validate(op), BreaksOnly("split.sizes-sum"));
  EXPECT_THAT(validate(op),
              Reports("OutputTensors", {"Axis 2", "add up to 5", "InputTensor.Sizes[2] is 6"}));
}

TEST(SplitRules, SizesSumTooLarge) {
  Split op = valid_split();
  op.outputs.push_back(packed_tensor(DataType::kFloat32, {1, 1, 1, 2}));
  EXPECT_THAT(validate(op), BreaksOnly("split.sizes-sum"));
  EXPECT_THAT(validate(op), Reports("OutputTensors", {"add up to 7", "is 6"}));
}

TEST(SplitRules, SizesSumDoesNotWrapAtThirtyTwoBits) {
  const Split op{.input = packed_tensor(DataType::kFloat32, {6}),
                 .outputs = {packed_tensor(DataType::kFloat32, {4294967295}),
                             packed_tensor(DataType::kFloat32, {7})},
                 .axis = 0};
  EXPECT_THAT(validate(op), BreaksOnly("split.sizes-sum"));
  EXPECT_THAT(validate(op), Reports("OutputTensors", {"add up to 4294967302", "is 6"}));
}

TEST(SplitRules, OtherSizes) {
  Split op = valid_split();
  op.outputs[1] = packed_tensor(DataType::kFloat32, {1, 1, 1, 3});
  EXPECT_THAT(validate(op), BreaksOnly("split.other-sizes"));
  EXPECT_THAT(validate(op), Reports("OutputTensors[1].Sizes[3]", {"OutputTensors[1].Sizes[3] is 3",
                                                                  "InputTensor.Sizes[3] is 2"}));
}

TEST(SplitRules, OtherSizesAreJudgedBeforeAndBehindTheAxis) {
  Split op = valid_split();
  op.outputs[0] = packed_tensor(DataType::kFloat32, {2, 1, 2, 1});
  EXPECT_THAT(validate(op), BreaksOnly("split.other-sizes"));
  EXPECT_THAT(validate(op).list(), SizeIs(2));
}

TEST(SplitRules, OfPartsThatAreAlikeEachIsNamed) {
  const TensorDesc wrong = packed_tensor(DataType::kFloat32, {1, 1, 1, 3});
  Split op = valid_split();
  op.outputs = {wrong, wrong, wrong};
  for (const char* field : {"OutputTensors[0]", "OutputTensors[1]", "OutputTensors[2]"})
    EXPECT_THAT(validate(op),
                Reports(std::string(field) + ".Sizes[3]", {"is 3", "InputTensor.Sizes[3] is 2"}));
  // Where one type is not supported, too.
  op = valid_split();
  op.input.data_type = DataType::kInt8;
  for (TensorDesc& output : op.outputs) output = packed_tensor(DataType::kInt8, {1, 1, 3, 2});
  for (const char* field : {"InputTensor", "OutputTensors[0]", "OutputTensors[1]"})
    EXPECT_THAT(validate(op, FeatureLevel::k1_0),
                Reports(std::string(field) + ".DataType", {"does not list"}));
}

TEST(SplitRules, AxisRange) {
  for (const std::uint32_t axis : {4U, 4294967295U}) {
    Split op = valid_split();
    op.axis = axis;
    EXPECT_THAT(validate(op), BreaksOnly("split.axis-range"));
    EXPECT_THAT(validate(op), Reports("Axis", {"Axis is " + std::to_string(axis), "rank 4"}));
  }
}

TEST(SplitRules, SameRank) {
  Split op = valid_split();
  op.outputs[2] = packed_tensor(DataType::kFloat32, {1, 3, 2});
  EXPECT_THAT(validate(op), BreaksOnly("split.same-rank"));
  EXPECT_THAT(validate(op), Reports("OutputTensors[2].Sizes",
                                    {"OutputTensors[2] has rank 3", "InputTensor has rank 4"}));
}

TEST(SplitRules, SameDataType) {
  Split op = valid_split();
  op.outputs[1].data_type = DataType::kUint32;
  EXPECT_THAT(validate(op), BreaksOnly("split.same-data-type"));
  EXPECT_THAT(validate(op),
              Reports("OutputTensors[1].DataType",
                      {"OutputTensors[1].DataType is UINT32", "InputTensor.DataType is FLOAT32"}));
}

TEST(SplitRules, SupportNamesThePlaceOfTheOutput) {
  Split op = valid_split();
  op.input.data_type = DataType::kInt8;
  for (TensorDesc& output : op.outputs) output.data_type = DataType::kInt8;
  const Violations found = validate(op, FeatureLevel::k2_0);
  EXPECT_THAT(found, BreaksOnly("split.support"));
  EXPECT_THAT(found, Reports("OutputTensors[2].DataType", {"OutputTensors[2] is INT8", "2_0"}));
  EXPECT_THAT(found.list(), SizeIs(4));
  EXPECT_THAT(validate(op, FeatureLevel::k2_1), IsValid());
}

// Of equal outputs the first speaks for the others only where nothing is broken.
TEST(SplitRules, EachOfEqualOutputsThatBreaksARuleIsNamed) {
  const TensorDesc fine = packed_tensor(DataType::kFloat32, {2, 1});
  TensorDesc small = fine;
  small.total_tensor_size_bytes = 4;
  const Split op{.input = packed_tensor(DataType::kFloat32, {2, 4}),
                 .outputs = {fine, fine, small, small},
                 .axis = 1};
  const Violations found = validate(op);
  EXPECT_THAT(found, BreaksOnly("tensor.buffer-size"));
  EXPECT_THAT(found, Reports("OutputTensors[2].TotalTensorSizeInBytes", {"is 4", "need 8"}));
  EXPECT_THAT(found, Reports("OutputTensors[3].TotalTensorSizeInBytes", {"is 4", "need 8"}));
  EXPECT_THAT(found.list(), SizeIs(2));
}

// "Where ranks differ, only the rank rule speaks and no sizes are compared."
TEST(SplitLeaning, WhereRanksDifferOnlyTheRankRuleSpeaks) {
  Split op = valid_split();
  op.outputs[0] = packed_tensor(DataType::kFloat32, {9, 9, 9, 9});
  op.outputs[1] = packed_tensor(DataType::kFloat32, {9, 9, 9});
  op.axis = 7;
  EXPECT_THAT(validate(op), BreaksOnly("split.same-rank"));
}

// "Where an axis is out of range, rules that use the axis are silent."
TEST(SplitLeaning, WhereTheAxisIsOutOfRangeNoSizesAreJudged) {
  Split op = valid_split();
  op.axis = 4;
  op.outputs[0] = packed_tensor(DataType::kFloat32, {9, 9, 9, 9});
  EXPECT_THAT(validate(op), BreaksOnly("split.axis-range"));
}

// "Without outputs, their sum is not [judged]."
TEST(SplitLeaning, WithoutOutputsAxisAndSupportAreStillJudged) {
  Split op = valid_split();
  op.outputs.clear();
  op.axis = 4;
  op.input.data_type = DataType::kInt64;
  op.input.total_tensor_size_bytes = 96;
  EXPECT_THAT(validate(op, FeatureLevel::k4_0),
              BreaksExactly({"split.output-count", "split.axis-range", "split.support"}));
}

// "Data of rank 0 has no axis and no output shape to judge."
TEST(SplitLeaning, Rank0HasNoAxisToJudge) {
  const Split op{.input = packed_tensor(DataType::kFloat32, {}),
                 .outputs = {packed_tensor(DataType::kFloat32, {})},
                 .axis = 1};
  EXPECT_THAT(validate(op), BreaksOnly("split.support"));
}

// "Where a size is 0, tensor.sizes-positive speaks and other rules about that size are silent."
TEST(SplitLeaning, ASizeOf0IsNeitherSummedNorCompared) {
  for (std::size_t i = 0; i < 4; ++i) {
    Split op = valid_split();
    op.outputs[1].sizes[i] = 0;
    EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
    op = valid_split();
    op.input.sizes[i] = 0;
    EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
  }
}

TEST(SplitLeaning, ASizeOf0OffTheAxisSilencesNoSum) {
  Split op = valid_split();
  op.outputs[0] = packed_tensor(DataType::kFloat32, {1, 1, 1, 2});
  op.outputs[0].sizes[0] = 0;
  EXPECT_THAT(validate(op), BreaksExactly({"tensor.sizes-positive", "split.sizes-sum"}));
}

// "Support is judged tensor by tensor, also where ranks differ."
TEST(SplitLeaning, SupportIsJudgedWhereRanksDiffer) {
  Split op = valid_split();
  op.outputs[2] = packed_tensor(DataType::kFloat32, {1, 3, 2});
  const Violations found = validate(op, FeatureLevel::k2_1);
  EXPECT_THAT(found, BreaksExactly({"split.same-rank", "split.support"}));
  EXPECT_THAT(found.list(), SizeIs(2));
}

// "A descriptor that breaks two independent rules breaks both, and both are named."
TEST(SplitLeaning, IndependentRulesAreBothNamed) {
  Split op = valid_split();
  op.outputs[0] = packed_tensor(DataType::kFloat32, {1, 1, 1, 2});
  op.outputs[1] = packed_tensor(DataType::kInt32, {1, 1, 1, 3});
  EXPECT_THAT(validate(op),
              BreaksExactly({"split.sizes-sum", "split.other-sizes", "split.same-data-type"}));
}

}  // namespace
}  // namespace opconform
