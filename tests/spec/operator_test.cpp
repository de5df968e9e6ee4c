// What is asked of every operator alike, by the roles of its fields.
#include "spec/operator.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "spec/validate.h"
#include "tests/spec/samples.h"

namespace opconform {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Operator> samples() {
  return {valid_scatter(), valid_split(), valid_slice1(), valid_gather()};
}

/// Supported by every operator.
PlainShape shape() { return {DataType::kFloat32, 4, DataType::kInt64, 2}; }

TEST(Operators, HavePrefixesThatNoOtherHasAndEachRuleBeginsWithOne) {
  std::set<std::string> prefixes{"tensor"};
  for (const OperatorText& op : all_operators())
    EXPECT_TRUE(prefixes.insert(std::string(op.prefix)).second) << op.prefix;
  for (const RuleText& rule : all_rules())
    EXPECT_EQ(prefixes.count(std::string(rule.name.substr(0, rule.name.find('.')))), 1U)
        << rule.name;
}

TEST(PlainOperator, IsOfTheShapeAndValidWhereThatIsSupported) {
  for (std::size_t i = 0; i < all_operators().size(); ++i) {
    const Operator op = plain_operator(i, shape());
    EXPECT_EQ(op.index(), i);
    const Version version = Version::standard(describe(op).dialect);
    EXPECT_TRUE(validate(op, version).empty()) << describe(op).name;
    EXPECT_TRUE(is_listed(op, version)) << describe(op).name;
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      const bool has_indices = tensor.field.content == Content::kIndices;
      EXPECT_EQ(tensor.desc.data_type, has_indices ? DataType::kInt64 : DataType::kFloat32);
    });
  }
}

TEST(PlainOperator, MayHaveNoDimension) {
  for (std::size_t i = 0; i < all_operators().size(); ++i)
    for_each_tensor(plain_operator(i, {.rank = 0, .index_rank = 0}),
                    [](const NamedTensor& tensor) { EXPECT_EQ(tensor.desc.rank(), 0U); });
}

TEST(PlainOperator, HasOneDimensionAndTypesOf32BitsByDefault) {
  const OnnxGather op = OnnxGather::plain({});
  EXPECT_EQ(op.data.data_type, DataType::kFloat32);
  EXPECT_EQ(op.data.rank(), 1U);
  EXPECT_EQ(op.indices.data_type, DataType::kInt32);
  EXPECT_EQ(op.indices.rank(), 1U);
}

TEST(PlainOperator, NamesBufferSizesInTheDialectThatHasThem) {
  for (std::size_t i = 0; i < all_operators().size(); ++i) {
    const Operator op = plain_operator(i, shape());
    const bool has_them = describe(op).dialect == Dialect::kDirectml;
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      EXPECT_EQ(tensor.desc.total_tensor_size_bytes,
                has_them ? buffer_tensor_size(tensor.desc).value() : 0)
          << describe(op).name << " " << tensor.path.text();
    });
  }
}

TEST(PlainSizes, Are1ButForTheLastThatIs2) {
  EXPECT_THAT(plain_sizes(0), IsEmpty());
  EXPECT_THAT(plain_sizes(1), ElementsAre(2));
  EXPECT_THAT(plain_sizes(3), ElementsAre(1, 1, 2));
}

TEST(TotalElements, AreThoseOfAllTensorsThatCanBeCounted) {
  OnnxGather op = valid_gather();
  EXPECT_EQ(total_elements(op), 60U + 12U + 180U);
  op.data.sizes = {std::uint64_t{1} << 32, std::uint64_t{1} << 32};
  EXPECT_EQ(total_elements(op), 12U + 180U);
}

TEST(SingleElements, AreValidAndOfTheSameTypesAndRanks) {
  for (const Operator& op : samples()) {
    const Operator single = with_single_elements(op);
    const Version version = Version::standard(describe(op).dialect);
    EXPECT_TRUE(validate(single, version).empty()) << describe(op).name;
    std::vector<TensorDesc> before;
    for_each_tensor(op, [&](const NamedTensor& tensor) { before.push_back(tensor.desc); });
    std::size_t i = 0;
    for_each_tensor(single, [&](const NamedTensor& tensor) {
      EXPECT_THAT(tensor.desc.sizes, Each(1U));
      EXPECT_EQ(tensor.desc.rank(), before[i].rank());
      EXPECT_EQ(tensor.desc.data_type, before[i].data_type);
      ++i;
    });
  }
}

TEST(SingleElements, OfArraysAreOneTensorAndOfWindowsOneElement) {
  EXPECT_EQ(std::get<Split>(with_single_elements(valid_split())).outputs.size(), 1U);
  const auto slice = std::get<Slice1>(with_single_elements(valid_slice1()));
  EXPECT_THAT(slice.window_offsets, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(slice.window_sizes, ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(slice.window_strides, valid_slice1().window_strides);
}

TEST(IsListed, AsksTypesRanksAndWhetherThereIsSuchAnOperator) {
  Slice1 op = valid_slice1();
  EXPECT_TRUE(is_listed(op, FeatureLevel::k2_1));
  EXPECT_FALSE(is_listed(op, FeatureLevel::k2_0));
  op.output.data_type = DataType::kFloat64;
  EXPECT_FALSE(is_listed(op, FeatureLevel::k2_1));
  op = valid_slice1();
  op.input.sizes = {4, 4, 4};
  EXPECT_FALSE(is_listed(op, FeatureLevel::k2_1));
}

TEST(NegativeIndices, AreLeftOpenByOneVersionOfOneOperatorAlone) {
  EXPECT_FALSE(defines_negative_indices(valid_gather(), Version::opset(10)));
  EXPECT_TRUE(defines_negative_indices(valid_gather(), Version::opset(11)));
  EXPECT_TRUE(defines_negative_indices(valid_scatter(), FeatureLevel::k1_0));
}

/// Does the operator hold what its rule of that name asks of it?
bool shows(const Operator& op, Version version, std::string_view rule) {
  return std::visit(
      [&](const auto& o) {
        const auto rules = o.rules();
        const auto row = std::find_if(rules.begin(), rules.end(),
                                      [&](const auto& r) { return r.text.name == rule; });
        return shows_rule(op, version, static_cast<std::size_t>(row - rules.begin()));
      },
      op);
}

TEST(ShowsRule, AsksWhatTheRuleSpeaksOf) {
  const Version level = FeatureLevel::k6_4;
  Split split = valid_split();
  EXPECT_FALSE(shows(split, level, "split.single-is-copy"));
  EXPECT_TRUE(shows(split, level, "split.partition"));
  split.outputs.resize(1);
  EXPECT_TRUE(shows(split, level, "split.single-is-copy"));

  Slice1 slice = valid_slice1();
  EXPECT_TRUE(shows(slice, level, "slice1.copy-start"));
  EXPECT_FALSE(shows(slice, level, "slice1.partial"));
  slice.output.sizes[3] = 1;
  EXPECT_TRUE(shows(slice, level, "slice1.partial"));
  slice.window_offsets[3] = 0;
  EXPECT_TRUE(shows(slice, level, "slice1.copy-start"));  // backwards along dimension 2
  slice.window_strides[2] = 2;
  EXPECT_FALSE(shows(slice, level, "slice1.copy-start"));
  slice.window_strides[0] = -1;  // of one element
  EXPECT_FALSE(shows(slice, level, "slice1.copy-start"));
}

/// Of a single dimension, which is the first and the last.
Slice1 slice_of_row(std::uint32_t offset, std::uint32_t window, std::int32_t stride,
                    std::uint64_t output_size) {
  return {.input = packed_tensor(DataType::kFloat32, {4}),
          .output = packed_tensor(DataType::kFloat32, {output_size}),
          .window_offsets = {offset},
          .window_sizes = {window},
          .window_strides = {stride}};
}

TEST(ShowsRule, AsksForACopyThatDoesNotStartAtElement0) {
  const auto starts_behind_0 = [](const Slice1& op) {
    return shows(op, FeatureLevel::k6_4, "slice1.copy-start");
  };
  EXPECT_TRUE(starts_behind_0(slice_of_row(1, 1, 1, 1)));
  EXPECT_FALSE(starts_behind_0(slice_of_row(0, 2, 1, 2)));
  EXPECT_TRUE(starts_behind_0(slice_of_row(0, 2, -1, 2)));
  EXPECT_FALSE(starts_behind_0(slice_of_row(0, 1, -1, 1)));
  EXPECT_TRUE(starts_behind_0(Slice1::plain(shape())));
}

TEST(ShowsRule, AsksForAnOutputSmallerThanTheWindowGives) {
  const auto is_partial = [](const Slice1& op) {
    return shows(op, FeatureLevel::k6_4, "slice1.partial");
  };
  EXPECT_TRUE(is_partial(slice_of_row(0, 4, 2, 1)));
  EXPECT_FALSE(is_partial(slice_of_row(0, 4, 2, 2)));
}

DmlJoin join_of(const std::vector<std::uint64_t>& sizes) {
  DmlJoin op{.inputs = {}, .output = packed_tensor(DataType::kFloat32, {9}), .axis = 0};
  for (const std::uint64_t size : sizes)
    op.inputs.push_back(packed_tensor(DataType::kFloat32, {size}));
  return op;
}

TEST(ShowsRule, AsksForOneInputOrTwoOfTheSameSizes) {
  const Version level = FeatureLevel::k6_4;
  EXPECT_TRUE(shows(join_of({9}), level, "join.single-is-copy"));
  EXPECT_FALSE(shows(join_of({4, 5}), level, "join.single-is-copy"));

  EXPECT_FALSE(shows(join_of({9}), level, "join.same-input-twice"));
  EXPECT_FALSE(shows(join_of({2, 3, 4}), level, "join.same-input-twice"));
  EXPECT_TRUE(shows(join_of({4, 4, 1}), level, "join.same-input-twice"));
  EXPECT_TRUE(shows(join_of({1, 4, 4}), level, "join.same-input-twice"));
}

TEST(ShowsRule, AsksForScalarsAxesAndVersions) {
  const Version opset = Version::opset(13);
  OnnxGather gather = valid_gather();
  EXPECT_FALSE(shows(gather, opset, "gather.scalar-indices"));
  EXPECT_FALSE(shows(gather, opset, "gather.axis-default"));
  EXPECT_FALSE(shows(gather, opset, "gather.axis-negative"));
  gather.axis = 0;
  EXPECT_FALSE(shows(gather, opset, "gather.axis-negative"));
  gather.axis = -1;
  EXPECT_TRUE(shows(gather, opset, "gather.axis-negative"));
  gather.axis.reset();
  EXPECT_TRUE(shows(gather, opset, "gather.axis-default"));
  gather.indices.sizes = {};
  EXPECT_TRUE(shows(gather, opset, "gather.scalar-indices"));
  EXPECT_TRUE(shows(gather, opset, "gather.negative-index"));
  EXPECT_FALSE(shows(gather, opset, "gather.negative-index-v1"));
  EXPECT_TRUE(shows(gather, Version::opset(10), "gather.negative-index-v1"));
  EXPECT_FALSE(shows(gather, Version::opset(10), "gather.negative-index"));
}

}  // namespace
}  // namespace opconform
