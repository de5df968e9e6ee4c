#include <limits>

#include "harness/generation/operators/parts.h"
#include "harness/generation/sentences.h"

namespace opconform::generation {
namespace {

constexpr PartModel kSplitModel{.parts_access = Access::kOutput,
                                .whole_field = "InputTensor",
                                .support_rule = "split.support",
                                .axis_rule = "split.axis-range",
                                .other_sizes_rule = "split.other-sizes"};

MutableParts fields(Split& op) { return {op.input, op.outputs, op.axis, Split::support()}; }

template <bool (*break_parts)(Draws&, const MutableParts&, Version)>
bool on_parts(Draws& draws, Split& op, Version& version) {
  return break_parts(draws, fields(op), version);
}

/// The sizes add up only if 32 bits wrap.
bool break_wrapped_sum(Draws& draws, Split& op, Version& /*version*/) {
  if (count_beside_axis(any_part(draws, fields(op)), op.axis) != 1) return false;
  return wrap_sizes_sum(fields(op));
}
/// One output more, of that size along the axis, and room for it in the input, which repeats one
/// place.
bool append_huge(std::uint64_t size, std::uint64_t stride, Split& op) {
  op.outputs.push_back(op.outputs.back());
  TensorDesc& output = op.outputs.back();
  output.sizes[op.axis] = size;
  if (stride == 0) {
    pack_again(output);
  } else {
    output.strides = Dims(output.rank(), 0);
    (*output.strides)[op.axis] = stride;
    output.total_tensor_size_bytes = 8;
  }
  op.input.sizes[op.axis] += size;
  op.input.strides = Dims(op.input.rank(), 0);
  op.input.total_tensor_size_bytes = 8;
  return true;
}
bool break_element_limit(Draws& draws, Split& op, Version& /*version*/) {
  const std::uint64_t beside = count_beside_axis(op.input, op.axis);
  if (beside < 2) return false;
  return append_huge((std::uint64_t{1} << 32) / beside + draws.between(1, 3), 0, op);
}
bool break_size_overflow(Draws& /*draws*/, Split& op, Version& /*version*/) {
  if (count_beside_axis(op.input, op.axis) != 1 || op.input.element_size_bytes() == 1) return false;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return append_huge(kMost - op.input.sizes[op.axis], kMost, op);
}

constexpr Breaker<Split> kSplitBreakers[] = {
    {"split.output-count", on_parts<parts::break_count>},
    {"split.sizes-sum", on_parts<parts::break_sizes_sum>},
    {"split.sizes-sum", break_wrapped_sum},
    {"split.other-sizes", on_parts<parts::break_other_sizes>},
    {"split.axis-range", on_parts<parts::break_axis_range>},
    {"split.same-rank", on_parts<parts::break_same_rank>},
    {"split.same-data-type", on_parts<parts::break_same_data_type>},
    {"split.support", on_parts<parts::break_support_of_types>},
    {"split.support", on_parts<parts::break_support_of_ranks>},
    {"tensor.element-limit", break_element_limit},
    {"tensor.size-overflow", break_size_overflow},
};

}  // namespace

const FactorModel& factor_model(std::type_identity<Split> /*op*/) {
  static const FactorModel model = make_part_model(kSplitModel, Split::support());
  return model;
}

void realise(const Assignment& assignment, Draws& draws, Split& op, Version& version,
             ContentPlan& contents) {
  realise_parts(assignment, draws, kSplitModel, fields(op), version, contents);
}

std::span<const Breaker<Split>> breakers(std::type_identity<Split> /*op*/) {
  return kSplitBreakers;
}

void propose_smaller(const Split& op, std::vector<Proposal>& proposals) {
  propose_smaller_parts(op, fields, kSplitModel.parts_access, proposals);
}

std::string behaviour(const Split& op, const ChosenFactors& factors, const cases::Case& /*one*/) {
  return typed_sizes(op.input) + " is cut along axis " + std::to_string(op.axis) + " into " +
         parts_clause(op.outputs, op.axis, factors);
}

}  // namespace opconform::generation
