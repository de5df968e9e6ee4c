#include "spec/operators/gather.h"

#include <gmock/gmock.h>

#include "tests/spec/matchers.h"
#include "tests/spec/samples.h"

namespace opconform {
namespace {

using testing::SizeIs;

TEST(GatherRules, TheSampleIsValidInEveryOpset) {
  for (std::uint32_t opset = 1; opset <= 22; ++opset)
    EXPECT_THAT(validate(valid_gather(), Version::opset(opset)), IsValid());
}

OnnxGather gather(const Dims& data, const Dims& indices, std::int64_t axis, const Dims& output) {
  return {.data = packed_tensor(DataType::kFloat32, data),
          .indices = packed_tensor(DataType::kInt64, indices),
          .output = packed_tensor(DataType::kFloat32, output),
          .axis = axis};
}

TEST(GatherRules, OutputShapesOfTheDocumentsTable) {
  EXPECT_THAT(validate(gather({5, 7}, {}, 0, {7})), IsValid());            // (P, Q), scalar
  EXPECT_THAT(validate(gather({5, 7, 9}, {}, 1, {5, 9})), IsValid());      // (P, Q, R), scalar
  EXPECT_THAT(validate(gather({5, 7}, {2, 3}, 0, {2, 3, 7})), IsValid());  // (R, S, Q)
  EXPECT_THAT(validate(gather({5, 7}, {2, 3}, 1, {5, 2, 3})), IsValid());  // (P, R, S)
  EXPECT_THAT(validate(gather({3, 2}, {2, 2}, 0, {2, 2, 2})), IsValid());  // the examples
  EXPECT_THAT(validate(gather({3, 3}, {1, 2}, 1, {3, 1, 2})), IsValid());
}

TEST(GatherRules, OutputShapeOfAnotherRank) {
  const OnnxGather op = gather({3, 4, 5}, {2, 6}, 1, {3, 2, 5});
  EXPECT_THAT(validate(op), BreaksOnly("gather.output-shape"));
  EXPECT_THAT(validate(op), Reports("output.shape", {"output has rank 3", "indices of rank 2",
                                                     "data of rank 3", "give 4"}));
}

TEST(GatherRules, OutputShapeBeforeTheAxis) {
  const OnnxGather op = gather({3, 4, 5}, {2, 6}, 1, {9, 2, 6, 5});
  EXPECT_THAT(validate(op), BreaksOnly("gather.output-shape"));
  EXPECT_THAT(validate(op),
              Reports("output.shape[0]", {"output.shape[0] is 9", "data.shape[0] is 3"}));
}

TEST(GatherRules, OutputShapeInPlaceOfTheAxis) {
  const OnnxGather op = gather({3, 4, 5}, {2, 6}, 1, {3, 2, 9, 5});
  EXPECT_THAT(validate(op), BreaksOnly("gather.output-shape"));
  EXPECT_THAT(validate(op),
              Reports("output.shape[2]", {"output.shape[2] is 9", "indices.shape[1] is 6"}));
}

TEST(GatherRules, OutputShapeBehindTheAxis) {
  const OnnxGather op = gather({3, 4, 5}, {2, 6}, 1, {3, 2, 6, 9});
  EXPECT_THAT(validate(op), BreaksOnly("gather.output-shape"));
  EXPECT_THAT(validate(op),
              Reports("output.shape[3]", {"output.shape[3] is 9", "data.shape[2] is 5"}));
}

TEST(GatherRules, OutputShapeOfEmptyTensors) {
  EXPECT_THAT(validate(gather({0}, {0}, 0, {0})), IsValid());
  EXPECT_THAT(validate(gather({3, 0}, {2}, 0, {2, 0})), IsValid());
  EXPECT_THAT(validate(gather({3, 0}, {2}, 0, {2, 1})), BreaksOnly("gather.output-shape"));
  EXPECT_THAT(validate(gather({3, 2}, {0}, 0, {1, 2})), BreaksOnly("gather.output-shape"));
}

TEST(GatherRules, OutputShapeOfTheLargestRanks) {
  const Dims data(8, 2);
  const Dims indices(8, 1);
  for (std::int64_t axis = 0; axis < 8; ++axis) {
    Dims output(7, 2);
    for (std::size_t i = 0; i < 8; ++i) output.insert(static_cast<std::size_t>(axis), 1);
    EXPECT_THAT(validate(gather(data, indices, axis, output)), IsValid());
  }
}

// Ranks are those that the suite exercises; no rule is about them.
TEST(GatherSupport, TheLargestOutputIsThatOfTheLargestDataAndIndices) {
  for (const SupportRow& row : OnnxGather::support()) {
    const RankRange output = find_role(row, "output")->ranks;
    EXPECT_EQ(output.least, 0);
    EXPECT_EQ(output.most,
              find_role(row, "data")->ranks.most + find_role(row, "indices")->ranks.most - 1);
  }
}

TEST(GatherRules, OutputShapeWithANegativeAxis) {
  EXPECT_THAT(validate(gather({3, 4, 5}, {2, 6}, -1, {3, 4, 2, 6})), IsValid());
  EXPECT_THAT(validate(gather({3, 4, 5}, {2, 6}, -2, {3, 2, 6, 5})), IsValid());
  EXPECT_THAT(validate(gather({3, 4, 5}, {2, 6}, -3, {2, 6, 4, 5})), IsValid());
  EXPECT_THAT(validate(gather({3, 4, 5}, {2, 6}, -3, {3, 2, 6, 5})),
              BreaksOnly("gather.output-shape"));
}

TEST(GatherRules, OutputShapeWithTheAxisLeftOutIsThatOfAxis0) {
  OnnxGather op = gather({3, 4, 5}, {2, 6}, 1, {2, 6, 4, 5});
  EXPECT_THAT(validate(op), BreaksOnly("gather.output-shape"));
  op.axis.reset();
  EXPECT_THAT(validate(op), IsValid());
}

TEST(GatherRules, AxisRange) {
  for (const std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, INT64_MAX, INT64_MIN}) {
    OnnxGather op = valid_gather();
    op.axis = axis;
    EXPECT_THAT(validate(op), BreaksOnly("gather.axis-range"));
    EXPECT_THAT(validate(op), Reports("axis", {"axis is " + std::to_string(axis), "rank 3"}));
  }
}

TEST(GatherRules, AxisRangeHoldsInVersion1Too) {
  OnnxGather op = gather({3, 4, 5}, {2, 6}, -3, {2, 6, 4, 5});
  EXPECT_THAT(validate(op, Version::opset(1)), IsValid());
  op.axis = -4;
  EXPECT_THAT(validate(op, Version::opset(1)), BreaksOnly("gather.axis-range"));
}

TEST(GatherRules, DataRank) {
  OnnxGather op = gather({}, {2}, 0, {2});
  EXPECT_THAT(validate(op), BreaksOnly("gather.data-rank"));
  EXPECT_THAT(validate(op), Reports("data.shape", {"data has rank 0", "at least rank 1"}));
}

TEST(GatherRules, SameDataType) {
  OnnxGather op = valid_gather();
  op.output.data_type = DataType::kFloat64;
  EXPECT_THAT(validate(op), BreaksOnly("gather.same-data-type"));
  EXPECT_THAT(validate(op),
              Reports("output.type", {"output.type is double", "data.type is float"}));
}

TEST(GatherRules, SupportNamesTypeRowAndOpset) {
  OnnxGather op = valid_gather();
  op.data.data_type = op.output.data_type = DataType::kBfloat16;
  const Violations found = validate(op, Version::opset(12));
  EXPECT_THAT(found, BreaksOnly("gather.support"));
  EXPECT_THAT(found, Reports("data.type", {"data is bfloat16", "11", "opset 12"}));
  EXPECT_THAT(found.list(), SizeIs(2));
  EXPECT_THAT(validate(op, Version::opset(13)), IsValid());
}

TEST(GatherRules, SupportOfIndices) {
  OnnxGather op = valid_gather();
  op.indices.data_type = DataType::kUint32;
  EXPECT_THAT(validate(op), BreaksOnly("gather.support"));
  EXPECT_THAT(validate(op), Reports("indices.type", {"indices is uint32", "13"}));
}

// "Where an axis is out of range, rules that use the axis are silent."
TEST(GatherLeaning, WhereTheAxisIsOutOfRangeTheOutputShapeIsNotJudged) {
  EXPECT_THAT(validate(gather({3, 4, 5}, {2, 6}, 3, {9})), BreaksOnly("gather.axis-range"));
}

// "Data of rank 0 has no axis and no output shape to judge."
TEST(GatherLeaning, DataOfRank0HasNoAxisAndNoOutputShapeToJudge) {
  EXPECT_THAT(validate(gather({}, {2, 6}, 7, {9, 9, 9})), BreaksOnly("gather.data-rank"));
}

// "Support is judged tensor by tensor, also where ranks differ."
TEST(GatherLeaning, SupportIsJudgedTensorByTensor) {
  OnnxGather op = gather({}, {2}, 0, {2});
  op.output.data_type = DataType::kBfloat16;
  const Violations found = validate(op, Version::opset(1));
  EXPECT_THAT(found,
              BreaksExactly({"gather.data-rank", "gather.same-data-type", "gather.support"}));
  EXPECT_THAT(found.list(), SizeIs(3));
}

// "A descriptor that breaks two independent rules breaks both, and both are named."
TEST(GatherLeaning, IndependentRulesAreBothNamed) {
  OnnxGather op = gather({3, 4, 5}, {2, 6}, 1, {3, 2, 6, 9});
  op.output.data_type = DataType::kInt32;
  op.indices.data_type = DataType::kInt16;
  EXPECT_THAT(validate(op),
              BreaksExactly({"gather.output-shape", "gather.same-data-type", "gather.support"}));
}

}  // namespace
}  // namespace opconform
