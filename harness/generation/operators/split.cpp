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
  kOutputCount,
  kPartition,
  kSizeClass,  // of the dimensions beside the axis, through the longest
  kInputLayout,
  kOutputLayout,
  kOtherLayout,  // of every second output
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
  // Each output is planned and validated: many cases with many of them would take the time of
  // others.
  model.prefer(model.add("outputs", names(kPartCountNames)), 2);
  model.add("partition", names(kPartitionNames));
  model.leave_open(model.add("size beside axis", names(kSizeClassNames)));
  add_layout(model, "input layout", Access::kInput);
  add_layout(model, "output layout", Access::kOutput);
  add_layout(model, "second output's layout", Access::kOutput);
  model.add("fill", names(kFillKindNames));
  model.add("slack", names(kSlackNames));
  model.add("base alignment", names(kAlignmentNames));

  const SupportTable table = Split::support();
  constrain_type(model, kLevel, kDataType, kDirectmlTypes, table, "InputTensor", "split.support");
  constrain_rank(model, kLevel, kRank, table, "InputTensor", "split.support");
  model.constrain(kRank, kAxis, "split.axis-range",
                  [](std::size_t rank, std::size_t axis) { return axis <= rank; });
  // Rank 1 has no dimension beside the axis.
  for (std::size_t size = 1; size < kSizeClassNames.size(); ++size)
    model.forbid(kRank, 0, kSizeClass, size, "split.other-sizes");
  return model;
}

}  // namespace

const FactorModel& factor_model(std::type_identity<Split> /*op*/) {
  static const FactorModel model = make_model();
  return model;
}

void realise(const Assignment& assignment, Draws& draws, Split& op, Version& version,
             ContentPlan& contents) {
  version = kFeatureLevels[assignment[kLevel]];
  op.axis = static_cast<std::uint32_t>(assignment[kAxis]);
  Parts parts =
      choose_parts({assignment[kOutputCount], assignment[kPartition], assignment[kSizeClass]},
                   assignment[kRank] + 1, op.axis, contents.tier,
                   element_size_bytes(kDirectmlTypes[assignment[kDataType]]), draws);

  const auto make = [&](TensorDesc& tensor, Question layout) {
    tensor.data_type = kDirectmlTypes[assignment[kDataType]];
    tensor.sizes = parts.sizes;
    choose_layout(static_cast<LayoutClass>(assignment[layout]), assignment[kSlack], draws, tensor);
  };
  make(op.input, kInputLayout);
  op.outputs.resize(parts.along_axis.size());
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    parts.sizes[op.axis] = parts.along_axis[k];
    make(op.outputs[k], k % 2 == 0 ? kOutputLayout : kOtherLayout);
  }
  contents.fill = static_cast<FillKind>(assignment[kFill]);
  contents.base_alignment_bytes = kAlignments[assignment[kAlignment]];
}

namespace {

const TensorSupport& listed(Version version) {
  return row_at(Split::support(), version)->tensors.front();
}

TensorDesc& any_output(Draws& draws, Split& op) {
  return op.outputs[draws.below(op.outputs.size())];
}

bool break_output_count(Draws& /*draws*/, Split& op, Version& /*version*/) {
  op.outputs.clear();
  return true;
}
bool break_sizes_sum(Draws& draws, Split& op, Version& /*version*/) {
  change_size(op.axis, draws, draws.one_in(2) ? op.input : any_output(draws, op));
  return true;
}
/// The sizes add up only if 32 bits wrap.
bool break_wrapped_sum(Draws& draws, Split& op, Version& /*version*/) {
  TensorDesc& output = any_output(draws, op);
  const std::uint64_t beside = *element_count(output.sizes) / output.sizes[op.axis];
  if (beside != 1 || op.outputs.size() < 2) return false;
  // 2^32 more in all: half in one output, half in another, each within the element limit.
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  for (const std::size_t k : {std::size_t{0}, op.outputs.size() - 1}) {
    op.outputs[k].sizes[op.axis] += kHalf;
    pack_again(op.outputs[k]);
  }
  return true;
}
bool break_other_sizes(Draws& draws, Split& op, Version& /*version*/) {
  std::size_t dimension = 0;
  if (!choose_beside(op.axis, op.input.rank(), draws, dimension)) return false;
  change_size(dimension, draws, any_output(draws, op));
  return true;
}
bool break_axis_range(Draws& draws, Split& op, Version& /*version*/) {
  op.axis = choose_bad_axis(op.input.rank(), draws);
  return true;
}
bool break_same_rank(Draws& draws, Split& op, Version& version) {
  return change_rank(listed(version).ranks, draws, any_output(draws, op));
}
bool break_same_data_type(Draws& draws, Split& op, Version& version) {
  TensorDesc& output = any_output(draws, op);
  if (!choose_other_type(listed(version).data_types, draws, output.data_type)) return false;
  pack_again(output);
  return true;
}
bool break_support_of_types(Draws& draws, Split& op, Version& version) {
  if (!choose_unlisted_type(listed(version).data_types, draws, op.input.data_type)) return false;
  pack_again(op.input);
  for (TensorDesc& output : op.outputs) {
    output.data_type = op.input.data_type;
    pack_again(output);
  }
  return true;
}
bool break_support_of_ranks(Draws& draws, Split& op, Version& version) {
  Dims sizes = op.input.sizes;
  leave_rank_range(listed(version).ranks, draws, sizes);
  op.axis = sizes.empty() ? 0 : static_cast<std::uint32_t>(sizes.size() - 1);
  op.input.sizes = sizes;
  pack_again(op.input);
  op.outputs.resize(1);
  op.outputs[0].sizes = sizes;
  pack_again(op.outputs[0]);
  return true;
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
  const std::uint64_t beside = *element_count(op.input.sizes) / op.input.sizes[op.axis];
  if (beside < 2) return false;
  return append_huge((std::uint64_t{1} << 32) / beside + draws.between(1, 3), 0, op);
}
bool break_size_overflow(Draws& /*draws*/, Split& op, Version& /*version*/) {
  if (*element_count(op.input.sizes) != op.input.sizes[op.axis] ||
      op.input.element_size_bytes() == 1)
    return false;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return append_huge(kMost - op.input.sizes[op.axis], kMost, op);
}

constexpr Breaker<Split> kBreakers[] = {
    {"split.output-count", break_output_count},     {"split.sizes-sum", break_sizes_sum},
    {"split.sizes-sum", break_wrapped_sum},         {"split.other-sizes", break_other_sizes},
    {"split.axis-range", break_axis_range},         {"split.same-rank", break_same_rank},
    {"split.same-data-type", break_same_data_type}, {"split.support", break_support_of_types},
    {"split.support", break_support_of_ranks},      {"tensor.element-limit", break_element_limit},
    {"tensor.size-overflow", break_size_overflow},
};

}  // namespace

std::span<const Breaker<Split>> breakers(std::type_identity<Split> /*op*/) { return kBreakers; }

void propose_smaller(const Split& op, std::vector<Proposal>& proposals) {
  const std::size_t rank = op.input.rank();
  if (op.axis >= rank) return;
  for (const TensorDesc& output : op.outputs)
    if (output.rank() != rank) return;
  for (std::size_t i = 0; i < rank && rank > 1; ++i) {
    if (i == op.axis) continue;
    Split next = op;
    remove_dimension(i, next.input);
    for (TensorDesc& output : next.outputs) remove_dimension(i, output);
    if (i < op.axis) --next.axis;
    proposals.push_back({next, {i}});
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (i == op.axis) continue;
    for (const std::uint64_t size : smaller_sizes(op.input.sizes[i])) {
      Split next = op;
      next.input.sizes[i] = size;
      for (TensorDesc& output : next.outputs) output.sizes[i] = size;
      proposals.push_back({next, {}});
    }
  }
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    const std::uint64_t part = op.outputs[k].sizes[op.axis];
    for (const std::uint64_t size : smaller_sizes(part)) {
      // Where the parts do not add up, the input may be smaller than one of them.
      if (op.input.sizes[op.axis] <= part - size) continue;
      Split next = op;
      next.outputs[k].sizes[op.axis] = size;
      next.input.sizes[op.axis] -= part - size;
      proposals.push_back({next, {}});
    }
    if (op.outputs.size() < 2 || op.input.sizes[op.axis] <= part) continue;
    Split next = op;
    next.outputs.erase(next.outputs.begin() + static_cast<std::ptrdiff_t>(k));
    next.input.sizes[op.axis] -= part;
    proposals.push_back({next, {}});
  }
}

std::string behaviour(const Split& op, const ChosenFactors& factors, const cases::Case& /*one*/) {
  const std::size_t count = op.outputs.size();
  return "the input is cut into " +
         (count == 1 ? "1 part" : std::to_string(count) + " " + partition_words(factors)) +
         " along axis " + std::string(factors["axis"]) + " of " + std::string(factors["rank"]) +
         ", beside " + beside_words(factors);
}

}  // namespace opconform::generation
