#include <limits>

#include "harness/generation/operators/common.h"
#include "harness/generation/sentences.h"

namespace opconform::generation {
namespace {

struct ScatterQuestions {
  enum Question : std::size_t {
    kLevel,
    kDataType,
    kIndexType,
    kRank,
    kAxis,
    kSizeClass,    // of the Axis dimension
    kIndexExtent,  // of IndicesTensor along Axis, against InputTensor
    kIndex,
    kInputLayout,
    kIndicesLayout,
    kUpdatesLayout,
    kOutputLayout,
    kFill,
    kSlack,
    kAlignment,
  };
};

constexpr std::array kScatterIndexTypes{DataType::kInt64, DataType::kInt32, DataType::kUint64,
                                        DataType::kUint32};
bool is_signed(std::size_t index_type) { return index_type < 2; }

enum IndexExtent : std::size_t { kOne, kSmaller, kEqual, kLarger };
constexpr std::array<std::string_view, 4> kIndexExtentNames{"1", "smaller", "equal", "larger"};

FactorModel make_scatter_model() {
  using enum ScatterQuestions::Question;
  FactorModel model;
  model.add("feature level", level_names());
  model.add("data type", type_names(kDirectmlTypes, Dialect::kDirectml));
  model.add("index type", type_names(kScatterIndexTypes, Dialect::kDirectml));
  model.add("rank", number_names(1, kMostRank));
  model.add("axis", number_names(0, kMostRank - 1));
  model.leave_open(model.add("size along axis", names(kSizeClassNames)));
  model.add("index extent", names(kIndexExtentNames));
  model.add("index class", names(kIndexClassNames));
  add_layout(model, "input layout", Access::kInput);
  add_layout(model, "indices layout", Access::kInput);
  add_layout(model, "updates layout", Access::kInput);
  add_layout(model, "output layout", Access::kOutput);
  model.add("fill", names(kFillKindNames));
  model.add("slack", names(kSlackNames));
  model.add("base alignment", names(kAlignmentNames));

  const SupportTable table = Scatter::support();
  constrain_type(model, kLevel, kDataType, kDirectmlTypes, table, "InputTensor", "scatter.support");
  constrain_type(model, kLevel, kIndexType, kScatterIndexTypes, table, "IndicesTensor",
                 "scatter.support");
  constrain_rank(model, kLevel, kRank, table, "InputTensor", "scatter.support");
  model.constrain(kRank, kAxis, "scatter.axis-range",
                  [](std::size_t rank, std::size_t axis) { return axis <= rank; });
  model.constrain(
      kIndexType, kIndex, "scatter.negative-index", [](std::size_t type, std::size_t index) {
        const auto index_class = static_cast<IndexClass>(index);
        return is_signed(type) ||
               (index_class != IndexClass::kNegative && index_class != IndexClass::kMixedSign);
      });
  // A dimension of size 1 has nothing smaller than it but itself, and no two elements to tell
  // apart.
  model.forbid(kSizeClass, 0, kIndexExtent, kSmaller, "tensor.sizes-positive");
  // More indices than elements must name one twice; one index cannot.
  model.forbid(kIndexExtent, kLarger, kIndex, static_cast<std::size_t>(IndexClass::kDistinct),
               "scatter.overlap-any-winner");
  model.forbid(kIndexExtent, kOne, kIndex, static_cast<std::size_t>(IndexClass::kDuplicate),
               "scatter.overlap-any-winner");
  return model;
}

std::uint64_t index_extent(std::size_t extent, std::uint64_t size, Draws& draws) {
  switch (extent) {
    case kOne:
      return 1;
    case kSmaller:
      return draws.between(1, size - 1);
    case kEqual:
      return size;
    default:
      return size + draws.between(1, 3);
  }
}

}  // namespace

const FactorModel& factor_model(std::type_identity<Scatter> /*op*/) {
  static const FactorModel model = make_scatter_model();
  return model;
}

void realise(const Assignment& assignment, Draws& draws, Scatter& op, Version& version,
             ContentPlan& contents) {
  using enum ScatterQuestions::Question;
  version = kFeatureLevels[assignment[kLevel]];
  op.axis = static_cast<std::uint32_t>(assignment[kAxis]);
  const SizeTier tier = contents.tier;
  const std::size_t width =
      std::max(element_size_bytes(kDirectmlTypes[assignment[kDataType]]),
               element_size_bytes(kScatterIndexTypes[assignment[kIndexType]]));
  const std::uint64_t size =
      choose_size(assignment[kSizeClass], tier, most_elements(tier, width), draws);
  const std::uint64_t extent = index_extent(assignment[kIndexExtent], size, draws);
  const std::size_t rank = assignment[kRank] + 1;
  Room room = choose_room(rank, tier, width, draws);
  // Less than others have: four tensors of about that size make these the slowest cases.
  room.most_elements = room.most_elements * 5 / 8;
  Dims sizes = choose_sizes(rank, op.axis, std::max(size, extent), room, draws);
  Dims index_sizes = sizes;
  sizes[op.axis] = size;
  index_sizes[op.axis] = extent;

  const auto make = [&](TensorDesc& tensor, DataType type, const Dims& tensor_sizes,
                        ScatterQuestions::Question layout) {
    tensor.data_type = type;
    tensor.sizes = tensor_sizes;
    choose_layout(static_cast<LayoutClass>(assignment[layout]), assignment[kSlack], draws, tensor);
  };
  const DataType type = kDirectmlTypes[assignment[kDataType]];
  make(op.input, type, sizes, kInputLayout);
  make(op.indices, kScatterIndexTypes[assignment[kIndexType]], index_sizes, kIndicesLayout);
  make(op.updates, type, index_sizes, kUpdatesLayout);
  make(op.output, type, sizes, kOutputLayout);
  contents.fill = static_cast<FillKind>(assignment[kFill]);
  contents.index_class = static_cast<IndexClass>(assignment[kIndex]);
  contents.base_alignment_bytes = kAlignments[assignment[kAlignment]];
}

namespace {

DataTypeSet listed_values(Version version) {
  return row_at(Scatter::support(), version)->tensors.front().data_types;
}
RankRange listed_ranks(Version version) {
  return row_at(Scatter::support(), version)->tensors.front().ranks;
}

TensorDesc& any_tensor(Draws& draws, Scatter& op) {
  const std::array<TensorDesc*, 4> all{&op.input, &op.indices, &op.updates, &op.output};
  return *all[draws.below(all.size())];
}

bool break_same_rank(Draws& draws, Scatter& op, Version& version) {
  return change_rank(listed_ranks(version), draws, any_tensor(draws, op));
}
bool break_same_data_type(Draws& draws, Scatter& op, Version& version) {
  const std::array<TensorDesc*, 3> values{&op.input, &op.updates, &op.output};
  TensorDesc& tensor = *values[draws.below(values.size())];
  if (!choose_other_type(listed_values(version), draws, tensor.data_type)) return false;
  pack_again(tensor);
  return true;
}
bool break_indices_sizes(Draws& draws, Scatter& op, Version& /*version*/) {
  std::size_t dimension = 0;
  if (!choose_beside(op.axis, op.input.rank(), draws, dimension)) return false;
  change_size(dimension, draws, op.indices);
  op.updates.sizes = op.indices.sizes;  // or it would be updates-sizes as well
  pack_again(op.updates);
  return true;
}
bool break_updates_sizes(Draws& draws, Scatter& op, Version& /*version*/) {
  change_size(draws.below(op.updates.rank()), draws, op.updates);
  return true;
}
bool break_output_sizes(Draws& draws, Scatter& op, Version& /*version*/) {
  change_size(draws.below(op.output.rank()), draws, op.output);
  return true;
}
bool break_axis_range(Draws& draws, Scatter& op, Version& /*version*/) {
  op.axis = choose_bad_axis(op.output.rank(), draws);
  return true;
}
bool break_support_of_values(Draws& draws, Scatter& op, Version& version) {
  if (!choose_unlisted_type(listed_values(version), draws, op.input.data_type)) return false;
  for (TensorDesc* tensor : {&op.input, &op.updates, &op.output}) {
    tensor->data_type = op.input.data_type;
    pack_again(*tensor);
  }
  return true;
}
bool break_support_of_indices(Draws& draws, Scatter& op, Version& version) {
  const TensorSupport* indices = find_role(*row_at(Scatter::support(), version), "IndicesTensor");
  choose_unlisted_type(indices->data_types, draws, op.indices.data_type);
  pack_again(op.indices);
  return true;
}
bool break_support_of_ranks(Draws& draws, Scatter& op, Version& version) {
  for (TensorDesc* tensor : {&op.indices, &op.updates}) tensor->sizes = op.input.sizes;
  Dims sizes = op.input.sizes;
  leave_rank_range(listed_ranks(version), draws, sizes);
  for (TensorDesc* tensor : {&op.input, &op.indices, &op.updates, &op.output}) {
    tensor->sizes = sizes;
    pack_again(*tensor);
  }
  op.axis = sizes.empty() ? 0 : static_cast<std::uint32_t>(draws.below(sizes.size()));
  return true;
}
/// More elements, or more bytes, than there can be: an index tensor may be as long as it likes
/// along the axis.
bool lengthen(std::uint64_t size, std::uint64_t stride, Scatter& op) {
  for (TensorDesc* tensor : {&op.indices, &op.updates}) {
    tensor->sizes[op.axis] = size;
    tensor->strides = Dims(tensor->rank(), 0);
    tensor->total_tensor_size_bytes = 8;
  }
  (*op.indices.strides)[op.axis] = stride;
  op.indices.total_tensor_size_bytes = buffer_tensor_size(op.indices).value_or(8);
  return true;
}
bool break_element_limit(Draws& draws, Scatter& op, Version& /*version*/) {
  const std::uint64_t beside = *element_count(op.indices.sizes) / op.indices.sizes[op.axis];
  if (beside < 2) return false;
  return lengthen((std::uint64_t{1} << 32) / beside + 1 + draws.below(3), 0, op);
}
bool break_size_overflow(Draws& /*draws*/, Scatter& op, Version& /*version*/) {
  if (*element_count(op.indices.sizes) != op.indices.sizes[op.axis]) return false;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return lengthen(kMost, kMost, op);
}

constexpr Breaker<Scatter> kScatterBreakers[] = {
    {"scatter.same-rank", break_same_rank},
    {"scatter.same-data-type", break_same_data_type},
    {"scatter.indices-sizes", break_indices_sizes},
    {"scatter.updates-sizes", break_updates_sizes},
    {"scatter.output-sizes", break_output_sizes},
    {"scatter.axis-range", break_axis_range},
    {"scatter.support", break_support_of_values},
    {"scatter.support", break_support_of_indices},
    {"scatter.support", break_support_of_ranks},
    {"tensor.element-limit", break_element_limit},
    {"tensor.size-overflow", break_size_overflow},
};

}  // namespace

std::span<const Breaker<Scatter>> breakers(std::type_identity<Scatter> /*op*/) {
  return kScatterBreakers;
}

void propose_smaller(const Scatter& op, std::vector<Proposal>& proposals) {
  const std::size_t rank = op.input.rank();
  if (op.indices.rank() != rank || op.updates.rank() != rank || op.output.rank() != rank) return;
  const auto each = [](Scatter& o, auto&& f) {
    for (TensorDesc* tensor : {&o.input, &o.indices, &o.updates, &o.output}) f(*tensor);
  };
  for (std::size_t i = 0; i < rank && rank > 1; ++i) {
    if (i == op.axis) continue;
    Scatter next = op;
    each(next, [&](TensorDesc& tensor) { remove_dimension(i, tensor); });
    if (i < op.axis) --next.axis;
    proposals.push_back({next, {i, i, i}});
  }
  const auto shared = std::make_shared<const Scatter>(op);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto change = [i](Scatter& next, std::uint64_t size) {
      next.input.sizes[i] = next.output.sizes[i] = size;
      if (i != next.axis) next.indices.sizes[i] = next.updates.sizes[i] = size;
      return true;
    };
    propose_sizes(shared, op.input.sizes[i], change, proposals);
    if (i != op.axis) continue;
    const auto change_updates = [i](Scatter& next, std::uint64_t size) {
      next.indices.sizes[i] = next.updates.sizes[i] = size;
      return true;
    };
    propose_sizes(shared, op.indices.sizes[i], change_updates, proposals);
  }
}

std::string behaviour(const Scatter& op, const ChosenFactors& factors, const cases::Case& one) {
  const std::string axis = "axis " + std::to_string(op.axis) + " of " + sizes_text(op.input);
  return indices_clause(factors, one, op.indices, axis, "leaves the output unspecified") +
         (has_rivals(one) ? "; any update of an element may win" : "");
}

}  // namespace opconform::generation
