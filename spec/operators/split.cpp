#include "spec/operators/split.h"

#include <algorithm>

#include "spec/support_check.h"

namespace opconform {
namespace {

bool ranks_agree(const Split& op) {
  return std::all_of(op.outputs.begin(), op.outputs.end(),
                     [&](const TensorDesc& output) { return output.rank() == op.input.rank(); });
}
bool axis_in_range(const Split& op) { return op.axis < op.input.rank(); }

void output_count(const Split& op, Version /*version*/, Violations& violations) {
  if (op.outputs.empty()) violations.add("OutputCount", "OutputCount is 0, but must be at least 1");
}

void sizes_sum(const Split& op, Version /*version*/, Violations& violations) {
  if (op.outputs.empty() || !ranks_agree(op) || !axis_in_range(op)) return;
  const std::uint64_t input_size = op.input.sizes[op.axis];
  bool any_empty = input_size == 0;
  std::uint64_t sum = 0;  // sizes are UINTs: 64 bits cannot wrap
  for (const TensorDesc& output : op.outputs) {
    sum += output.sizes[op.axis];
    any_empty |= output.sizes[op.axis] == 0;
  }
  // A size of 0 is tensor.sizes-positive's business.
  if (any_empty || sum == input_size) return;
  violations.add("OutputTensors", "the sizes of OutputTensors along Axis ", op.axis, " add up to ",
                 sum, ", but InputTensor.Sizes[", op.axis, "] is ", input_size);
}

void other_sizes(const Split& op, Version /*version*/, Violations& violations) {
  if (!ranks_agree(op) || !axis_in_range(op)) return;
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    for (std::size_t i = 0; i < op.input.rank(); ++i) {
      const std::uint64_t size = op.outputs[k].sizes[i];
      const std::uint64_t input_size = op.input.sizes[i];
      if (i == op.axis || size == input_size || size == 0 || input_size == 0) continue;
      const FieldPath path{"OutputTensors", k};
      violations.add(path.text() + ".Sizes[" + std::to_string(i) + "]", path, ".Sizes[", i, "] is ",
                     size, ", but InputTensor.Sizes[", i, "] is ", input_size);
    }
  }
}

void axis_range(const Split& op, Version /*version*/, Violations& violations) {
  if (!ranks_agree(op) || op.input.rank() == 0 || axis_in_range(op)) return;
  violations.add("Axis", "Axis is ", op.axis, ", but InputTensor has rank ", op.input.rank());
}

void same_rank(const Split& op, Version /*version*/, Violations& violations) {
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    if (op.outputs[k].rank() == op.input.rank()) continue;
    const FieldPath path{"OutputTensors", k};
    violations.add(path.text() + ".Sizes", path, " has rank ", op.outputs[k].rank(),
                   ", but InputTensor has rank ", op.input.rank());
  }
}

void same_data_type(const Split& op, Version version, Violations& violations) {
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    if (op.outputs[k].data_type == op.input.data_type) continue;
    const FieldPath path{"OutputTensors", k};
    violations.add(path.text() + ".DataType", path, ".DataType is ",
                   name(op.outputs[k].data_type, version.dialect()),
                   ", but InputTensor.DataType is ", name(op.input.data_type, version.dialect()));
  }
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
    {{"split.output-count", kConstraint, kPage, "OutputCount is at least 1."}, output_count},
    {{"split.sizes-sum", kConstraint, kPage,
      "The outputs' sizes along Axis add up to exactly the input's (added without wrapping)."},
     sizes_sum},
    {{"split.other-sizes", kConstraint, kPage,
      "In every other dimension each output's size equals the input's."},
     other_sizes},
    {{"split.axis-range", kConstraint, kPage, "Axis lies in [0, InputTensor.DimensionCount - 1]."},
     axis_range},
    {{"split.same-rank", kConstraint, kPage, "Input and all outputs have the same DimensionCount."},
     same_rank},
    {{"split.same-data-type", kConstraint, kPage, "Input and all outputs have the same DataType."},
     same_data_type},
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
