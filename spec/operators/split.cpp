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

constexpr std::string_view kPage = "DML_SPLIT_OPERATOR_DESC";
using enum RuleKind;

constexpr Rule<Split> kRules[] = {
    {{"split.partition", kSemantics, kPage,
      "Output i holds the input's elements whose Axis coordinate lies in the i-th run, runs laid "
      "end to end in the "
      "order of the outputs."}},
    {{"split.single-is-copy", kSemantics, kPage, "One output is a copy of the input."},
     nullptr,
     has_one_output},
    {{"split.output-count", kConstraint, kPage, "OutputCount is at least 1."},
     on_parts<check_part_count>},
    {{"split.sizes-sum", kConstraint, kPage,
      "The outputs' sizes along Axis add up to exactly the input's (added without wrapping)."},
     on_parts<check_sizes_sum>},
    {{"split.other-sizes", kConstraint, kPage,
      "In every other dimension each output's size equals the input's."},
     on_parts<check_other_sizes>},
    {{"split.axis-range", kConstraint, kPage, "Axis lies in [0, InputTensor.DimensionCount - 1]."},
     on_parts<check_axis_range>},
    {{"split.same-rank", kConstraint, kPage, "Input and all outputs have the same DimensionCount."},
     on_parts<check_same_rank>},
    {{"split.same-data-type", kConstraint, kPage, "Input and all outputs have the same DataType."},
     on_parts<check_same_data_type>},
    {{"split.support", kSupport, kPage, "The support table. Introduced in 1_0."},
     check_support<Split>},
};

constexpr DataTypeSet kFrom1_0Types{DataType::kFloat32, DataType::kFloat16, DataType::kInt32,
                                    DataType::kInt16,   DataType::kUint32,  DataType::kUint16};
constexpr RankRange kFour{4, 4};
constexpr RankRange kOneToEight{1, 8};

constexpr std::array<TensorSupport, 2> tensors(RankRange ranks, DataTypeSet types) {
  return {{{"InputTensor", ranks, types}, {"OutputTensors", ranks, types}}};
}
constexpr auto kFrom1_0 = tensors(kFour, kFrom1_0Types);
constexpr auto kFrom2_1 = tensors(kFour, kUpTo32Bits);
constexpr auto kFrom3_0 = tensors(kOneToEight, kUpTo32Bits);
constexpr auto kFrom4_1 = tensors(kOneToEight, kAllDirectml);
constexpr SupportRow kSupportRows[] = {
    {FeatureLevel::k1_0, kFrom1_0},
    {FeatureLevel::k2_1, kFrom2_1},
    {FeatureLevel::k3_0, kFrom3_0},
    {FeatureLevel::k4_1, kFrom4_1},
};

}  // namespace

std::span<const Rule<Split>> Split::rules() { return kRules; }
SupportTable Split::support() { return kSupportRows; }
std::span<const Erratum> Split::errata() { return {}; }

Split Split::plain(const PlainShape& shape) {
  const TensorDesc values = packed_tensor(shape.data_type, plain_sizes(shape.rank));
  return {.input = values, .outputs = {values}};
}

}  // namespace opconform
