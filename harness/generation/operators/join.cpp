#include <limits>

#include "harness/generation/operators/parts.h"
#include "harness/generation/sentences.h"

namespace opconform::generation {
namespace {

constexpr PartModel kJoinModel{.parts_access = Access::kInput,
                               .whole_field = "OutputTensor",
                               .support_rule = "join.support",
                               .axis_rule = "join.axis-range",
                               .other_sizes_rule = "join.other-sizes"};

MutableParts fields(DmlJoin& op) { return {op.output, op.inputs, op.axis, DmlJoin::support()}; }

template <bool (*break_parts)(Draws&, const MutableParts&, Version)>
bool on_parts(Draws& draws, DmlJoin& op, Version& version) {
  return break_parts(draws, fields(op), version);
}

/// The sizes add up only if 32 bits wrap.
bool break_wrapped_sum(Draws& /*draws*/, DmlJoin& op, Version& /*version*/) {
  return count_beside_axis(op.output, op.axis) == 1 && wrap_sizes_sum(fields(op));
}
/// One input more, of that size along the axis, which repeats one place.
TensorDesc& append_repeated(std::uint64_t size, DmlJoin& op) {
  op.inputs.push_back(op.inputs.back());
  TensorDesc& input = op.inputs.back();
  input.sizes[op.axis] = size;
  input.strides = Dims(input.rank(), 0);
  input.total_tensor_size_bytes = 8;
  op.output.sizes[op.axis] += size;
  pack_again(op.output);
  return input;
}
/// Of the output, and of one input or of none.
bool break_element_limit(Draws& draws, DmlJoin& op, Version& /*version*/) {
  const std::uint64_t beside = count_beside_axis(op.output, op.axis);
  if (beside < 2) return false;
  const std::uint64_t size = (std::uint64_t{1} << 32) / beside + draws.between(1, 3);
  if (draws.one_in(2)) {
    append_repeated(size, op);
  } else {
    append_repeated(size / 2, op);
    append_repeated(size - size / 2, op);
  }
  return true;
}
bool break_size_overflow(Draws& /*draws*/, DmlJoin& op, Version& /*version*/) {
  if (count_beside_axis(op.output, op.axis) != 1 || op.output.element_size_bytes() == 1)
    return false;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  TensorDesc& input = append_repeated(kMost - op.output.sizes[op.axis], op);
  (*input.strides)[op.axis] = kMost;
  return true;
}

constexpr Breaker<DmlJoin> kJoinBreakers[] = {
    {"join.input-count", on_parts<parts::break_count>},
    {"join.sizes-sum", on_parts<parts::break_sizes_sum>},
    {"join.sizes-sum", break_wrapped_sum},
    {"join.other-sizes", on_parts<parts::break_other_sizes>},
    {"join.axis-range", on_parts<parts::break_axis_range>},
    {"join.same-rank", on_parts<parts::break_same_rank>},
    {"join.same-data-type", on_parts<parts::break_same_data_type>},
    {"join.support", on_parts<parts::break_support_of_types>},
    {"join.support", on_parts<parts::break_support_of_ranks>},
    {"tensor.element-limit", break_element_limit},
    {"tensor.size-overflow", break_size_overflow},
};

}  // namespace

const FactorModel& factor_model(std::type_identity<DmlJoin> /*op*/) {
  static const FactorModel model = make_part_model(kJoinModel, DmlJoin::support());
  return model;
}

void realise(const Assignment& assignment, Draws& draws, DmlJoin& op, Version& version,
             ContentPlan& contents) {
  realise_parts(assignment, draws, kJoinModel, fields(op), version, contents);
}

std::span<const Breaker<DmlJoin>> breakers(std::type_identity<DmlJoin> /*op*/) {
  return kJoinBreakers;
}

void propose_smaller(const DmlJoin& op, std::vector<Proposal>& proposals) {
  propose_smaller_parts(op, fields, kJoinModel.parts_access, proposals);
}

std::string behaviour(const DmlJoin& op, const ChosenFactors& factors, const cases::Case& /*one*/) {
  return typed_sizes(op.output) + " is made along axis " + std::to_string(op.axis) + " of " +
         parts_clause(op.inputs, op.axis, factors);
}

}  // namespace opconform::generation
