#include "spec/operators/join.h"

#include <gmock/gmock.h>

#include <set>
#include <utility>

#include "spec/operator.h"
#include "tests/spec/matchers.h"

namespace opconform {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using enum FeatureLevel;

/// Example 1 of the document, and one input more. Valid at every level.
DmlJoin valid_join() {
  return {.inputs = {packed_tensor(DataType::kFloat32, {1, 1, 2, 3}),
                     packed_tensor(DataType::kFloat32, {1, 1, 2, 4}),
                     packed_tensor(DataType::kFloat32, {1, 1, 2, 1})},
          .output = packed_tensor(DataType::kFloat32, {1, 1, 2, 8}),
          .axis = 3};
}

TEST(JoinRules, TheSampleIsValidAtEveryLevel) {
  for (const FeatureLevel level : kFeatureLevels)
    EXPECT_THAT(validate(valid_join(), level), IsValid());
}

TEST(JoinRules, ASizeOf3IsMadeInFourWays) {
  const std::vector<std::vector<std::uint64_t>> ways{{1, 1, 1}, {1, 2}, {2, 1}, {3}};
  for (const std::vector<std::uint64_t>& way : ways) {
    DmlJoin op{.inputs = {}, .output = packed_tensor(DataType::kFloat32, {2, 3}), .axis = 1};
    for (const std::uint64_t size : way)
      op.inputs.push_back(packed_tensor(DataType::kFloat32, {2, size}));
    EXPECT_THAT(validate(op), IsValid());
  }
}

TEST(JoinRules, InputsMayRepeatAndOverlap) {
  DmlJoin op = valid_join();
  op.inputs[0] = strided_tensor(DataType::kFloat32, {1, 1, 2, 3}, {0, 0, 0, 0});
  op.inputs[1] = strided_tensor(DataType::kFloat32, {1, 1, 2, 4}, {1, 1, 1, 1});
  EXPECT_THAT(validate(op), IsValid());
}

TEST(JoinRules, OutputsMayNot) {
  DmlJoin op = valid_join();
  op.output = strided_tensor(DataType::kFloat32, {1, 1, 2, 8}, {0, 0, 0, 1});
  EXPECT_THAT(validate(op), BreaksOnly("tensor.output-no-overlap"));
}

TEST(JoinRules, InputCount) {
  DmlJoin op = valid_join();
  op.inputs.clear();
  EXPECT_THAT(validate(op), BreaksOnly("join.input-count"));
  EXPECT_THAT(validate(op), Reports("InputCount", {"InputCount is 0", "at least 1"}));
}

TEST(JoinRules, SizesSumTooSmall) {
  DmlJoin op = valid_join();
  op.inputs.pop_back();
  EXPECT_THAT(validate(op), BreaksOnly("join.sizes-sum"));
  EXPECT_THAT(validate(op),
              Reports("InputTensors", {"Axis 3", "add up to 7", "OutputTensor.Sizes[3] is 8"}));
}

TEST(JoinRules, SizesSumTooLarge) {
  DmlJoin op = valid_join();
  op.inputs.push_back(op.inputs.back());
  EXPECT_THAT(validate(op), BreaksOnly("join.sizes-sum"));
  EXPECT_THAT(validate(op), Reports("InputTensors", {"add up to 9", "is 8"}));
}

TEST(JoinRules, SizesSumDoesNotWrapAtThirtyTwoBits) {
  const DmlJoin op{.inputs = {packed_tensor(DataType::kFloat32, {4294967295}),
                              packed_tensor(DataType::kFloat32, {7})},
                   .output = packed_tensor(DataType::kFloat32, {6}),
                   .axis = 0};
  EXPECT_THAT(validate(op), BreaksOnly("join.sizes-sum"));
  EXPECT_THAT(validate(op), Reports("InputTensors", {"add up to 4294967302", "is 6"}));
}

TEST(JoinRules, OtherSizes) {
  DmlJoin op = valid_join();
  op.inputs[1] = packed_tensor(DataType::kFloat32, {1, 1, 3, 4});
  EXPECT_THAT(validate(op), BreaksOnly("join.other-sizes"));
  EXPECT_THAT(validate(op), Reports("InputTensors[1].Sizes[2]", {"InputTensors[1].Sizes[2] is 3",
                                                                 "OutputTensor.Sizes[2] is 2"}));
}

TEST(JoinRules, OtherSizesAreJudgedBeforeAndBehindTheAxis) {
  DmlJoin op{.inputs = {packed_tensor(DataType::kFloat32, {2, 5, 1, 2})},
             .output = packed_tensor(DataType::kFloat32, {1, 5, 1, 1}),
             .axis = 1};
  EXPECT_THAT(validate(op), BreaksOnly("join.other-sizes"));
  EXPECT_THAT(validate(op).list(), SizeIs(2));
}

TEST(JoinRules, AxisRange) {
  for (const std::uint32_t axis : {4U, 4294967295U}) {
    DmlJoin op = valid_join();
    op.axis = axis;
    EXPECT_THAT(validate(op), BreaksOnly("join.axis-range"));
    EXPECT_THAT(validate(op), Reports("Axis", {"Axis is " + std::to_string(axis), "rank 4"}));
  }
}

TEST(JoinRules, SameRank) {
  DmlJoin op = valid_join();
  op.inputs[2] = packed_tensor(DataType::kFloat32, {1, 2, 1});
  EXPECT_THAT(validate(op), BreaksOnly("join.same-rank"));
  EXPECT_THAT(validate(op), Reports("InputTensors[2].Sizes",
                                    {"InputTensors[2] has rank 3", "OutputTensor has rank 4"}));
}

TEST(JoinRules, SameDataType) {
  DmlJoin op = valid_join();
  op.inputs[1].data_type = DataType::kUint32;
  EXPECT_THAT(validate(op), BreaksOnly("join.same-data-type"));
  EXPECT_THAT(validate(op),
              Reports("InputTensors[1].DataType",
                      {"InputTensors[1].DataType is UINT32", "OutputTensor.DataType is FLOAT32"}));
}

TEST(JoinRules, SupportNamesThePlaceOfTheInput) {
  DmlJoin op = valid_join();
  op.output.data_type = DataType::kInt8;
  for (TensorDesc& input : op.inputs) input.data_type = DataType::kInt8;
  const Violations found = validate(op, k2_0);
  EXPECT_THAT(found, BreaksOnly("join.support"));
  EXPECT_THAT(found, Reports("InputTensors[2].DataType", {"InputTensors[2] is INT8", "2_0"}));
  EXPECT_THAT(found.list(), SizeIs(4));
  EXPECT_THAT(validate(op, k2_1), IsValid());
}

// "Where ranks differ or Axis is out of range, no sizes are [judged]."
TEST(JoinLeaning, WhereRanksDifferOnlyTheRankRuleSpeaks) {
  DmlJoin op = valid_join();
  op.inputs[0] = packed_tensor(DataType::kFloat32, {9, 9, 9, 9});
  op.inputs[1] = packed_tensor(DataType::kFloat32, {9, 9, 9});
  op.axis = 7;
  EXPECT_THAT(validate(op), BreaksOnly("join.same-rank"));
}

TEST(JoinLeaning, WhereTheAxisIsOutOfRangeNoSizesAreJudged) {
  DmlJoin op = valid_join();
  op.axis = 4;
  op.inputs[0] = packed_tensor(DataType::kFloat32, {9, 9, 9, 9});
  EXPECT_THAT(validate(op), BreaksOnly("join.axis-range"));
}

// "Without inputs the sum is not judged."
TEST(JoinLeaning, WithoutInputsAxisAndSupportAreStillJudged) {
  DmlJoin op = valid_join();
  op.inputs.clear();
  op.axis = 4;
  op.output.data_type = DataType::kInt64;
  op.output.total_tensor_size_bytes = 128;
  EXPECT_THAT(validate(op, k4_0),
              BreaksExactly({"join.input-count", "join.axis-range", "join.support"}));
}

// "Data of rank 0 has no axis and no output shape to judge."
TEST(JoinLeaning, Rank0HasNoAxisToJudge) {
  const DmlJoin op{.inputs = {packed_tensor(DataType::kFloat32, {})},
                   .output = packed_tensor(DataType::kFloat32, {}),
                   .axis = 1};
  EXPECT_THAT(validate(op), BreaksOnly("join.support"));
}

// "A size of 0 is tensor.sizes-positive's business."
TEST(JoinLeaning, ASizeOf0IsNeitherSummedNorCompared) {
  for (std::size_t i = 0; i < 4; ++i) {
    DmlJoin op = valid_join();
    op.inputs[1].sizes[i] = 0;
    EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
    op = valid_join();
    op.output.sizes[i] = 0;
    EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
  }
}

TEST(JoinLeaning, ASizeOf0OffTheAxisSilencesNoSum) {
  DmlJoin op = valid_join();
  op.inputs.pop_back();
  op.inputs[0].sizes[0] = 0;
  EXPECT_THAT(validate(op), BreaksExactly({"tensor.sizes-positive", "join.sizes-sum"}));
}

// "Support is judged tensor by tensor, also where ranks differ."
TEST(JoinLeaning, SupportIsJudgedWhereRanksDiffer) {
  DmlJoin op = valid_join();
  op.inputs[2] = packed_tensor(DataType::kFloat32, {1, 2, 1});
  const Violations found = validate(op, k3_0);
  EXPECT_THAT(found, BreaksExactly({"join.same-rank", "join.support"}));
  EXPECT_THAT(found.list(), SizeIs(2));
}

// "A descriptor that breaks two independent rules breaks both, and both are named."
TEST(JoinLeaning, IndependentRulesAreBothNamed) {
  DmlJoin op = valid_join();
  op.inputs[0] = packed_tensor(DataType::kFloat32, {1, 1, 2, 2});
  op.inputs[1] = packed_tensor(DataType::kInt32, {1, 1, 3, 4});
  EXPECT_THAT(validate(op),
              BreaksExactly({"join.sizes-sum", "join.other-sizes", "join.same-data-type"}));
}

/// A row of the document's table: valid until the row above it.
struct JoinRow {
  FeatureLevel since;
  std::size_t least_rank;
  std::size_t most_rank;
  std::set<DataType> data_types;
};

/// From the highest level down, as it stands in the document.
const std::vector<JoinRow>& join_table() {
  using enum DataType;
  static const std::vector<JoinRow> rows{
      {k4_1,
       1,
       8,
       {kFloat64, kFloat32, kFloat16, kInt64, kInt32, kInt16, kInt8, kUint64, kUint32, kUint16,
        kUint8}},
      {k3_0, 4, 5, {kFloat32, kFloat16, kInt32, kInt16, kInt8, kUint32, kUint16, kUint8}},
      {k2_1, 4, 4, {kFloat32, kFloat16, kInt32, kInt16, kInt8, kUint32, kUint16, kUint8}},
      {k1_0, 4, 4, {kFloat32, kFloat16, kInt32, kInt16, kUint32, kUint16}},
  };
  return rows;
}

const JoinRow& join_row(FeatureLevel level) {
  return *std::find_if(join_table().begin(), join_table().end(),
                       [&](const JoinRow& row) { return row.since <= level; });
}

TEST(JoinSupport, EveryCell) {
  for (const FeatureLevel level : kFeatureLevels) {
    const JoinRow& row = join_row(level);
    for (const DataType type : all_data_types()) {
      if (name(type, Dialect::kDirectml).empty()) continue;
      for (std::size_t rank = 0; rank < 10; ++rank) {
        const TensorDesc tensor = packed_tensor(type, Dims(rank, 1));
        const Violations found =
            validate(DmlJoin{.inputs = {tensor}, .output = tensor, .axis = 0}, level);
        const bool is_listed =
            row.least_rank <= rank && rank <= row.most_rank && row.data_types.count(type) == 1;
        ASSERT_THAT(found, is_listed ? IsValid() : BreaksOnly("join.support"))
            << Version(level).text() << " rank " << rank;
      }
    }
  }
}

TEST(JoinSupport, RowsAreThoseOfTheDocument) {
  const SupportTable found = DmlJoin::support();
  ASSERT_THAT(found, SizeIs(join_table().size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const JoinRow& row = join_table()[join_table().size() - 1 - i];
    EXPECT_EQ(found[i].since, Version(row.since));
    for (const std::string_view role : {"InputTensors", "OutputTensor"}) {
      const TensorSupport* tensor = find_role(found[i], role);
      ASSERT_NE(tensor, nullptr) << role;
      EXPECT_EQ(tensor->ranks.least, row.least_rank);
      EXPECT_EQ(tensor->ranks.most, row.most_rank);
      for (const DataType type : all_data_types())
        EXPECT_EQ(tensor->data_types.contains(type), row.data_types.count(type) == 1);
    }
  }
}

TEST(JoinLedger, HasEachRuleWithItsKind) {
  using enum RuleKind;
  const std::vector<std::pair<std::string_view, RuleKind>> expected{
      {"join.concatenation", kSemantics},    {"join.single-is-copy", kSemantics},
      {"join.same-input-twice", kSemantics}, {"join.input-count", kConstraint},
      {"join.sizes-sum", kConstraint},       {"join.other-sizes", kConstraint},
      {"join.axis-range", kConstraint},      {"join.same-rank", kConstraint},
      {"join.same-data-type", kConstraint},  {"join.support", kSupport},
  };
  std::vector<std::pair<std::string_view, RuleKind>> found;
  for (const Rule<DmlJoin>& rule : DmlJoin::rules())
    found.emplace_back(rule.text.name, rule.text.kind);
  EXPECT_EQ(found, expected);
}

TEST(JoinLedger, OnlyTheBindingOfOneInputTwiceIsImplied) {
  for (const Rule<DmlJoin>& rule : DmlJoin::rules())
    EXPECT_EQ(rule.text.source.starts_with("implied"), rule.text.name == "join.same-input-twice")
        << rule.text.name;
}

TEST(JoinLedger, HasTwoErrataWithCases) {
  std::vector<std::string_view> found;
  for (const Erratum& erratum : DmlJoin::errata()) {
    EXPECT_FALSE(erratum.editorial);
    found.push_back(erratum.name);
  }
  EXPECT_THAT(found, ElementsAre("join.ranks-3_1", "join.rank-below-4"));
}

TEST(JoinFields, AreThoseOfTheDocumentInItsOrder) {
  const DmlJoin op = valid_join();
  std::vector<std::string> names;
  DmlJoin::visit_fields(
      op, [&](const auto& field, const auto&... /*value*/) { names.emplace_back(field.name); });
  EXPECT_THAT(names, ElementsAre("InputCount", "InputTensors", "OutputTensor", "Axis"));
  std::vector<std::string> paths;
  for_each_tensor(op, [&](const NamedTensor& tensor) { paths.push_back(tensor.path.text()); });
  EXPECT_THAT(paths,
              ElementsAre("InputTensors[0]", "InputTensors[1]", "InputTensors[2]", "OutputTensor"));
}

}  // namespace
}  // namespace opconform
