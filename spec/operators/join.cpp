#include "spec/operators/join.h"

#include "spec/parts.h"
#include "spec/support_check.h"

namespace opconform {
namespace {

template <void (*check)(const PartFields&, Version, Violations&)>
void on_parts(const DmlJoin& op, Version version, Violations& violations) {
  check({"OutputTensor", op.output, "InputTensors", op.inputs, "InputCount", op.axis}, version,
        violations);
}

bool has_one_input(const DmlJoin& op, Version /*version*/) { return op.inputs.size() == 1; }
/// Of the same sizes: both may read the same memory.
bool has_two_alike(const DmlJoin& op, Version /*version*/) {
  for (std::size_t k = 1; k < op.inputs.size(); ++k)
    if (op.inputs[k].sizes == op.inputs[k - 1].sizes) return true;
  return false;
}

constexpr std::string_view kJoinPage = "DML_JOIN_OPERATOR_DESC";
using enum RuleKind;

constexpr Rule<DmlJoin> kJoinRules[] = {
    {{"join.concatenation", kSemantics, kJoinPage,
      "The output holds the inputs end to end along Axis, in the order of the array."}},
    {{"join.single-is-copy", kSemantics, kJoinPage, "One input is copied."},
     nullptr,
     has_one_input},
    {{"join.same-input-twice", kSemantics, "implied; IDMLBindingTable::BindInputs",
      "Two inputs may be bound to the same or to overlapping memory, with different layouts too; "
      "each is read as its own descriptor says."},
     nullptr,
     has_two_alike},
    {{"join.input-count", kConstraint, kJoinPage, "InputCount is at least 1."},
     on_parts<check_part_count>},
    {{"join.sizes-sum", kConstraint, kJoinPage,
      "The inputs' sizes along Axis add up to exactly the output's (added without wrapping)."},
     on_parts<check_sizes_sum>},
    {{"join.other-sizes", kConstraint, kJoinPage,
      "In every other dimension each input's size equals the output's."},
     on_parts<check_other_sizes>},
    {{"join.axis-range", kConstraint, kJoinPage,
      "Axis lies in [0, OutputTensor.DimensionCount - 1]."},
     on_parts<check_axis_range>},
    {{"join.same-rank", kConstraint, kJoinPage,
      "All inputs and the output have the same DimensionCount."},
     on_parts<check_same_rank>},
    {{"join.same-data-type", kConstraint, kJoinPage,
      "All inputs and the output have the same DataType."},
     on_parts<check_same_data_type>},
    {{"join.support", kSupport, kJoinPage, "The support table. Introduced in 1_0."},
     check_support<DmlJoin>},
};

constexpr DataTypeSet kJoinTypesFrom1_0{DataType::kFloat32, DataType::kFloat16, DataType::kInt32,
                                        DataType::kInt16,   DataType::kUint32,  DataType::kUint16};

constexpr std::array<TensorSupport, 2> join_tensors(RankRange ranks, DataTypeSet types) {
  return {{{"InputTensors", ranks, types}, {"OutputTensor", ranks, types}}};
}
constexpr auto kJoinFrom1_0 = join_tensors({4, 4}, kJoinTypesFrom1_0);
constexpr auto kJoinFrom2_1 = join_tensors({4, 4}, kUpTo32Bits);
constexpr auto kJoinFrom3_0 = join_tensors({4, 5}, kUpTo32Bits);
constexpr auto kJoinFrom4_1 = join_tensors({1, 8}, kAllDirectml);
constexpr SupportRow kJoinSupport[] = {
    {FeatureLevel::k1_0, kJoinFrom1_0},
    {FeatureLevel::k2_1, kJoinFrom2_1},
    {FeatureLevel::k3_0, kJoinFrom3_0},
    {FeatureLevel::k4_1, kJoinFrom4_1},
};

constexpr Erratum kJoinErrata[] = {
    {"join.ranks-3_1",
     "the table gives ranks 4 to 5 from 3_0 and has no row for 3_1; the level history says that "
     "the largest rank rose from 4 to 8 with 3_1",
     "the page's table stands; the report names the disagreement",
     "the level history of 3_1; SLICE_GRAD and TILE, in the same list of the history, have a 3_1 "
     "row"},
    {"join.rank-below-4",
     "from 3_0 SPLIT takes ranks 1 to 8, JOIN, its inverse, only 4 to 5 until 4_1",
     "as the tables say: between 3_0 and 4_1 a split tensor of rank 3 cannot be joined again "
     "without leading ones",
     "both tables"},
};

}  // namespace

std::span<const Rule<DmlJoin>> DmlJoin::rules() { return kJoinRules; }
void DmlJoin::check(const DmlJoin& op, Version version, Violations& violations) {
  check_rules<kJoinRules>(op, version, violations);
}
SupportTable DmlJoin::support() { return kJoinSupport; }
std::span<const Erratum> DmlJoin::errata() { return kJoinErrata; }

DmlJoin DmlJoin::plain(const PlainShape& shape) {
  const TensorDesc values = packed_tensor(shape.data_type, plain_sizes(shape.rank));
  return {.inputs = {values}, .output = values};
}

}  // namespace opconform
