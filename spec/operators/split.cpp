#include "spec/operators/split.h"

#include "spec/parts.h"
#include "spec/support_check.h"

namespace opconform {
namespace {

template <void (*check)(const PartFields&, Version, Violations&)>
void on_parts(const Split& op, Version version, Violations& violations) {
  check({"InputTensor", op.input, "OutputTensors", op.outputs, "OutputCount", op.axis}, version,
        violations);
}

bool has_one_output(const Split& op, Version /*version*/) { return op.outputs.size() == 1; }

constexpr std::string_view kSplitPage = "DML_SPLIT_OPERATOR_DESC";
using enum RuleKind;

constexpr Rule<Split> kSplitRules[] = {
    {{"split.partition", kSemantics, kSplitPage,
      "Output i holds the input's elements whose Axis coordinate lies in the i-th run, runs laid "
      "end to end in the "
      "order of the outputs."}},
    {{"split.single-is-copy", kSemantics, kSplitPage, "One output is a copy of the input."},
     nullptr,
     has_one_output},
    {{"split.output-count", kConstraint, kSplitPage, "OutputCount is at least 1."},
     on_parts<check_part_count>},
    {{"split.sizes-sum", kConstraint, kSplitPage,
      "The outputs' sizes along Axis add up to exactly the input's (added without wrapping)."},
     on_parts<check_sizes_sum>},
    {{"split.other-sizes", kConstraint, kSplitPage,
      "In every other dimension each output's size equals the input's."},
     on_parts<check_other_sizes>},
    {{"split.axis-range", kConstraint, kSplitPage,
      "Axis lies in [0, InputTensor.DimensionCount - 1]."},
     on_parts<check_axis_range>},
    {{"split.same-rank", kConstraint, kSplitPage,
      "Input and all outputs have the same DimensionCount."},
     on_parts<check_same_rank>},
    {{"split.same-data-type", kConstraint, kSplitPage,
      "Input and all outputs have the same DataType."},
     on_parts<check_same_data_type>},
    {{"split.support", kSupport, kSplitPage, "The support table. Introduced in 1_0."},
     check_support<Split>},
};

constexpr DataTypeSet kSplitTypesFrom1_0{DataType::kFloat32, DataType::kFloat16, DataType::kInt32,
                                         DataType::kInt16,   DataType::kUint32,  DataType::kUint16};

constexpr std::array<TensorSupport, 2> split_tensors(RankRange ranks, DataTypeSet types) {
  return {{{"InputTensor", ranks, types}, {"OutputTensors", ranks, types}}};
}
constexpr auto kSplitFrom1_0 = split_tensors({4, 4}, kSplitTypesFrom1_0);
constexpr auto kSplitFrom2_1 = split_tensors({4, 4}, kUpTo32Bits);
constexpr auto kSplitFrom3_0 = split_tensors({1, 8}, kUpTo32Bits);
constexpr auto kSplitFrom4_1 = split_tensors({1, 8}, kAllDirectml);
constexpr SupportRow kSplitSupport[] = {
    {FeatureLevel::k1_0, kSplitFrom1_0},
    {FeatureLevel::k2_1, kSplitFrom2_1},
    {FeatureLevel::k3_0, kSplitFrom3_0},
    {FeatureLevel::k4_1, kSplitFrom4_1},
};

}  // namespace

std::span<const Rule<Split>> Split::rules() { return kSplitRules; }
void Split::check(const Split& op, Version version, Violations& violations) {
  check_rules<kSplitRules>(op, version, violations);
}
SupportTable Split::support() { return kSplitSupport; }
std::span<const Erratum> Split::errata() { return {}; }

Split Split::plain(const PlainShape& shape) {
  const TensorDesc values = packed_tensor(shape.data_type, plain_sizes(shape.rank));
  return {.input = values, .outputs = {values}};
}

}  // namespace opconform
