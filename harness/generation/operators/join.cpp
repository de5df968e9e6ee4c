#include <algorithm>
#include <limits>

#include "harness/generation/operators/parts.h"
#include "harness/generation/sentences.h"

namespace opconform::generation {
namespace {

enum Question : std::size_t {
  kLevel,
  kDataType,
  kRank,
  kAxis,
  kInputCount,
  kPartition,
  kSizeClass,  // of the dimensions beside the axis, through the longest
  kInputLayout,
  kOtherLayout,  // of every second input
  kOutputLayout,
  kFill,
  kSlack,
  kAlignment,
};

FactorModel make_model() {
  FactorModel model;
  model.add("feature level", level_names());
  model.add("data type", type_names(kDirectmlTypes, Dialect::kDirectml));
  model.add("rank", number_names(1, kMostRank));
  model.add("axis", number_names(0, kMostRank - 1));
  // Each input is planned and validated: many cases with many of them would take the time of
  // others.
  model.prefer(model.add("inputs", names(kPartCountNames)), 2);
  model.add("partition", names(kPartitionNames));
  model.leave_open(model.add("size beside axis", names(kSizeClassNames)));
  add_layout(model, "input layout", Access::kInput);
  add_layout(model, "second input's layout", Access::kInput);
  add_layout(model, "output layout", Access::kOutput);
  model.add("fill", names(kFillKindNames));
  model.add("slack", names(kSlackNames));
  model.add("base alignment", names(kAlignmentNames));

  const SupportTable table = DmlJoin::support();
  constrain_type(model, kLevel, kDataType, kDirectmlTypes, table, "OutputTensor", "join.support");
  constrain_rank(model, kLevel, kRank, table, "OutputTensor", "join.support");
  model.constrain(kRank, kAxis, "join.axis-range",
                  [](std::size_t rank, std::size_t axis) { return axis <= rank; });
  // Rank 1 has no dimension beside the axis.
  for (std::size_t size = 1; size < kSizeClassNames.size(); ++size)
    model.forbid(kRank, 0, kSizeClass, size, "join.other-sizes");
  return model;
}

}  // namespace

const FactorModel& factor_model(std::type_identity<DmlJoin> /*op*/) {
  static const FactorModel model = make_model();
  return model;
}

void realise(const Assignment& assignment, Draws& draws, DmlJoin& op, Version& version,
             ContentPlan& contents) {
  version = kFeatureLevels[assignment[kLevel]];
  op.axis = static_cast<std::uint32_t>(assignment[kAxis]);
  Parts parts =
      choose_parts({assignment[kInputCount], assignment[kPartition], assignment[kSizeClass]},
                   assignment[kRank] + 1, op.axis, contents.tier,
                   element_size_bytes(kDirectmlTypes[assignment[kDataType]]), draws);

  const auto make = [&](TensorDesc& tensor, Question layout) {
    tensor.data_type = kDirectmlTypes[assignment[kDataType]];
    tensor.sizes = parts.sizes;
    choose_layout(static_cast<LayoutClass>(assignment[layout]), assignment[kSlack], draws, tensor);
  };
  make(op.output, kOutputLayout);
  op.inputs.resize(parts.along_axis.size());
  for (std::size_t k = 0; k < op.inputs.size(); ++k) {
    parts.sizes[op.axis] = parts.along_axis[k];
    make(op.inputs[k], k % 2 == 0 ? kInputLayout : kOtherLayout);
  }
  contents.fill = static_cast<FillKind>(assignment[kFill]);
  contents.base_alignment_bytes = kAlignments[assignment[kAlignment]];
}

namespace {

const TensorSupport& listed(Version version) {
  return row_at(DmlJoin::support(), version)->tensors.front();
}

TensorDesc& any_input(Draws& draws, DmlJoin& op) {
  return op.inputs[draws.below(op.inputs.size())];
}

/// Elements of a slice of the output across the axis.
std::uint64_t count_beside_axis(const DmlJoin& op) {
  return *element_count(op.output.sizes) / op.output.sizes[op.axis];
}

bool break_input_count(Draws& /*draws*/, DmlJoin& op, Version& /*version*/) {
  op.inputs.clear();
  return true;
}
bool break_sizes_sum(Draws& draws, DmlJoin& op, Version& /*version*/) {
  change_size(op.axis, draws, draws.one_in(2) ? op.output : any_input(draws, op));
  return true;
}
/// The sizes add up only if 32 bits wrap.
bool break_wrapped_sum(Draws& /*draws*/, DmlJoin& op, Version& /*version*/) {
  if (count_beside_axis(op) != 1 || op.inputs.size() < 2) return false;
  // 2^32 more in all: half in one input, half in another, each within the element limit.
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  for (TensorDesc* input : {&op.inputs.front(), &op.inputs.back()}) {
    input->sizes[op.axis] += kHalf;
    pack_again(*input);
  }
  return true;
}
bool break_other_sizes(Draws& draws, DmlJoin& op, Version& /*version*/) {
  std::size_t dimension = 0;
  if (!choose_beside(op.axis, op.output.rank(), draws, dimension)) return false;
  change_size(dimension, draws, any_input(draws, op));
  return true;
}
bool break_axis_range(Draws& draws, DmlJoin& op, Version& /*version*/) {
  op.axis = choose_bad_axis(op.output.rank(), draws);
  return true;
}
bool break_same_rank(Draws& draws, DmlJoin& op, Version& version) {
  return change_rank(listed(version).ranks, draws, any_input(draws, op));
}
bool break_same_data_type(Draws& draws, DmlJoin& op, Version& version) {
  TensorDesc& input = any_input(draws, op);
  if (!choose_other_type(listed(version).data_types, draws, input.data_type)) return false;
  pack_again(input);
  return true;
}
bool break_support_of_types(Draws& draws, DmlJoin& op, Version& version) {
  if (!choose_unlisted_type(listed(version).data_types, draws, op.output.data_type)) return false;
  pack_again(op.output);
  for (TensorDesc& input : op.inputs) {
    input.data_type = op.output.data_type;
    pack_again(input);
  }
  return true;
}
bool break_support_of_ranks(Draws& draws, DmlJoin& op, Version& version) {
  Dims sizes = op.output.sizes;
  leave_rank_range(listed(version).ranks, draws, sizes);
  op.axis = sizes.empty() ? 0 : static_cast<std::uint32_t>(sizes.size() - 1);
  op.output.sizes = sizes;
  pack_again(op.output);
  op.inputs = {op.output};
  return true;
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
  const std::uint64_t beside = count_beside_axis(op);
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
  if (count_beside_axis(op) != 1 || op.output.element_size_bytes() == 1) return false;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  TensorDesc& input = append_repeated(kMost - op.output.sizes[op.axis], op);
  (*input.strides)[op.axis] = kMost;
  return true;
}

constexpr Breaker<DmlJoin> kBreakers[] = {
    {"join.input-count", break_input_count},       {"join.sizes-sum", break_sizes_sum},
    {"join.sizes-sum", break_wrapped_sum},         {"join.other-sizes", break_other_sizes},
    {"join.axis-range", break_axis_range},         {"join.same-rank", break_same_rank},
    {"join.same-data-type", break_same_data_type}, {"join.support", break_support_of_types},
    {"join.support", break_support_of_ranks},      {"tensor.element-limit", break_element_limit},
    {"tensor.size-overflow", break_size_overflow},
};

}  // namespace

std::span<const Breaker<DmlJoin>> breakers(std::type_identity<DmlJoin> /*op*/) { return kBreakers; }

void propose_smaller(const DmlJoin& op, std::vector<Proposal>& proposals) {
  const std::size_t rank = op.output.rank();
  if (op.axis >= rank) return;
  for (const TensorDesc& input : op.inputs)
    if (input.rank() != rank) return;
  for (std::size_t i = 0; i < rank && rank > 1; ++i) {
    if (i == op.axis) continue;
    DmlJoin next = op;
    remove_dimension(i, next.output);
    for (TensorDesc& input : next.inputs) remove_dimension(i, input);
    if (i < op.axis) --next.axis;
    proposals.push_back({next, std::vector<std::size_t>(op.inputs.size(), i)});
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (i == op.axis) continue;
    for (const std::uint64_t size : smaller_sizes(op.output.sizes[i])) {
      DmlJoin next = op;
      next.output.sizes[i] = size;
      for (TensorDesc& input : next.inputs) input.sizes[i] = size;
      proposals.push_back({next, {}});
    }
  }
  for (std::size_t k = 0; k < op.inputs.size(); ++k) {
    const std::uint64_t part = op.inputs[k].sizes[op.axis];
    for (const std::uint64_t size : smaller_sizes(part)) {
      // Where the parts do not add up, the output may be smaller than one of them.
      if (op.output.sizes[op.axis] <= part - size) continue;
      DmlJoin next = op;
      next.inputs[k].sizes[op.axis] = size;
      next.output.sizes[op.axis] -= part - size;
      proposals.push_back({next, {}});
    }
    if (op.inputs.size() < 2 || op.output.sizes[op.axis] <= part) continue;
    DmlJoin next = op;
    next.inputs.erase(next.inputs.begin() + static_cast<std::ptrdiff_t>(k));
    next.output.sizes[op.axis] -= part;
    proposals.push_back({next, {}, k});
  }
}

std::string behaviour(const DmlJoin& op, const ChosenFactors& factors, const cases::Case& /*one*/) {
  const std::size_t count = op.inputs.size();
  return "the output is made of " +
         (count == 1 ? "1 part" : std::to_string(count) + " " + partition_words(factors)) +
         " along axis " + std::string(factors["axis"]) + " of " + std::string(factors["rank"]) +
         ", beside " + beside_words(factors);
}

}  // namespace opconform::generation
