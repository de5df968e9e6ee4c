#include <algorithm>
#include <iterator>
#include <limits>

#include "harness/generation/operators/common.h"
#include "harness/generation/sentences.h"

namespace opconform::generation {
namespace {

struct GatherQuestions {
  enum Question : std::size_t {
    kOpset,
    kDataType,
    kIndexType,
    kRank,
    kAxis,
    kAxisForm,
    kIndexRank,
    kSizeClass,  // of data along the axis
    kIndexCount,
    kEmptiness,
    kIndex,
    kFill,
    kAlignment,
  };
};

constexpr std::array<std::uint32_t, 6> kOpsets{1, 10, 11, 12, 13, 21};
constexpr std::array kTypes{
    DataType::kFloat64, DataType::kFloat32,   DataType::kFloat16,    DataType::kInt64,
    DataType::kInt32,   DataType::kInt16,     DataType::kInt8,       DataType::kUint64,
    DataType::kUint32,  DataType::kUint16,    DataType::kUint8,      DataType::kBfloat16,
    DataType::kBool,    DataType::kComplex64, DataType::kComplex128, DataType::kString};
constexpr std::array kGatherIndexTypes{DataType::kInt32, DataType::kInt64};

constexpr std::array<std::string_view, 4> kIndexCountNames{"1", "2-7", "8-17", "18-40"};
constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, 4> kIndexCounts{
    {{1, 1}, {2, 7}, {8, 17}, {18, 40}}};
enum Emptiness : std::size_t { kNone, kNoIndices, kNoDataBesideAxis, kNoDataAlongAxis };
constexpr std::array<std::string_view, 4> kEmptinessNames{"none", "indices", "data beside axis",
                                                          "data along axis"};

FactorModel make_gather_model() {
  using enum GatherQuestions::Question;
  FactorModel model;
  std::vector<std::string> opsets;
  opsets.reserve(std::size(kOpsets));
  for (const std::uint32_t opset : kOpsets) opsets.push_back(std::to_string(opset));
  model.add("opset", opsets);
  model.add("data type", type_names(kTypes, Dialect::kOnnx));
  model.add("index type", type_names(kGatherIndexTypes, Dialect::kOnnx));
  model.add("rank of data", number_names(1, kMostRank));
  model.add("axis", number_names(0, kMostRank - 1));
  model.add("axis given", names(kAxisFormNames));
  model.add("rank of indices", number_names(0, kMostRank));
  model.leave_open(model.add("size along axis", names(kSizeClassNames)));
  model.leave_open(model.add("number of indices", names(kIndexCountNames)));
  model.prefer(model.add("empty", names(kEmptinessNames)), kNone);
  model.add("index class", names(kIndexClassNames));
  model.add("fill", names(kFillKindNames));
  model.add("base alignment", names(kAlignmentNames));

  model.constrain(kOpset, kDataType, "gather.support", [](std::size_t opset, std::size_t type) {
    return row_at(OnnxGather::support(), Version::opset(kOpsets[opset]))
        ->tensors.front()
        .data_types.contains(kTypes[type]);
  });
  model.constrain(kRank, kAxis, "gather.axis-range",
                  [](std::size_t rank, std::size_t axis) { return axis <= rank; });
  for (std::size_t axis = 1; axis < kMostRank; ++axis)
    model.forbid(kAxis, axis, kAxisForm, static_cast<std::size_t>(AxisForm::kLeftOut),
                 "gather.axis-default");
  for (std::size_t count = 1; count < kIndexCounts.size(); ++count)
    model.forbid(kIndexRank, 0, kIndexCount, count, "gather.scalar-indices");
  for (const Emptiness empty : {kNoIndices, kNoDataAlongAxis})
    model.forbid(kIndexRank, 0, kEmptiness, empty, "gather.scalar-indices");
  model.forbid(kRank, 0, kEmptiness, kNoDataBesideAxis, "gather.data-rank");
  // Without an element along the axis every index is out of range, so that there can be none.
  constexpr auto kDistinct = static_cast<std::size_t>(IndexClass::kDistinct);
  for (std::size_t index = 0; index < kIndexClassNames.size(); ++index) {
    if (index != kDistinct)
      model.forbid(kEmptiness, kNoDataAlongAxis, kIndex, index, "gather.index-range");
    if (index != kDistinct)
      model.forbid(kEmptiness, kNoIndices, kIndex, index, "gather.index-range");
  }
  model.forbid(kIndexCount, 0, kIndex, static_cast<std::size_t>(IndexClass::kDuplicate),
               "gather.semantics");
  return model;
}

/// Sizes of that rank whose product is about `count`.
Dims factored(std::size_t rank, std::uint64_t count, Draws& draws) {
  Dims sizes(rank, 1);
  for (std::size_t i = 0; i < rank && count > 1; ++i) {
    const bool is_last = i + 1 == rank;
    sizes[i] = is_last ? count : draws.between(1, std::min<std::uint64_t>(count, 4));
    count /= sizes[i];
  }
  return sizes;
}

}  // namespace

const FactorModel& factor_model(std::type_identity<OnnxGather> /*op*/) {
  static const FactorModel model = make_gather_model();
  return model;
}

void realise(const Assignment& assignment, Draws& draws, OnnxGather& op, Version& version,
             ContentPlan& contents) {
  using enum GatherQuestions::Question;
  version = Version::opset(kOpsets[assignment[kOpset]]);
  const std::size_t rank = assignment[kRank] + 1;
  const std::size_t axis = assignment[kAxis];
  const std::size_t emptiness = assignment[kEmptiness];
  const auto signed_axis = static_cast<std::int64_t>(axis);
  switch (static_cast<AxisForm>(assignment[kAxisForm])) {
    case AxisForm::kLeftOut:
      op.axis.reset();
      break;
    case AxisForm::kFromFront:
      op.axis = signed_axis;
      break;
    case AxisForm::kFromBack:
      op.axis = signed_axis - static_cast<std::int64_t>(rank);
  }

  const SizeTier tier = contents.tier;
  const std::size_t width = std::max(element_size_bytes(kTypes[assignment[kDataType]]),
                                     element_size_bytes(kGatherIndexTypes[assignment[kIndexType]]));
  const std::uint64_t most = most_elements(tier, width);
  const std::size_t count_class = assignment[kIndexCount];
  Dims index_sizes =
      factored(assignment[kIndexRank],
               choose_number(kIndexCounts[count_class], count_class + 1 == kIndexCounts.size(),
                             tier, most, draws),
               draws);
  const std::uint64_t index_count = element_count(index_sizes).value_or(1);
  const std::uint64_t size = choose_size(assignment[kSizeClass], tier, most, draws);
  // What stands beside the axis is repeated for every index: the room is for data and output alike.
  Dims sizes = choose_sizes(rank, axis, std::max(size, index_count),
                            choose_room(rank, tier, width, draws), draws);
  sizes[axis] = size;
  if (emptiness == kNoIndices) index_sizes[draws.below(index_sizes.size())] = 0;
  if (emptiness == kNoDataBesideAxis) sizes[(axis + 1 + draws.below(rank - 1)) % rank] = 0;
  if (emptiness == kNoDataAlongAxis) {
    sizes[axis] = 0;
    index_sizes[draws.below(index_sizes.size())] = 0;
  }
  Dims output_sizes(sizes.begin(), sizes.begin() + axis);
  for (const std::uint64_t index_size : index_sizes) output_sizes.push_back(index_size);
  for (std::size_t i = axis + 1; i < rank; ++i) output_sizes.push_back(sizes[i]);

  const auto make = [](TensorDesc& tensor, DataType type, const Dims& tensor_sizes) {
    tensor.data_type = type;
    tensor.sizes = tensor_sizes;
  };
  make(op.data, kTypes[assignment[kDataType]], sizes);
  make(op.indices, kGatherIndexTypes[assignment[kIndexType]], index_sizes);
  make(op.output, kTypes[assignment[kDataType]], output_sizes);
  contents.fill = static_cast<FillKind>(assignment[kFill]);
  contents.index_class = static_cast<IndexClass>(assignment[kIndex]);
  contents.base_alignment_bytes = kAlignments[assignment[kAlignment]];
}

namespace {

bool break_output_shape(Draws& draws, OnnxGather& op, Version& /*version*/) {
  Dims& sizes = op.output.sizes;
  const std::uint64_t way = draws.below(3);
  if (way == 0) {
    sizes.insert(draws.below(sizes.size() + 1), 1);
  } else if (sizes.empty()) {
    return false;
  } else if (way == 1) {
    sizes.erase(draws.below(sizes.size()));
  } else {
    std::uint64_t& size = sizes[draws.below(sizes.size())];
    size = size == 0 || draws.one_in(2) ? size + 1 : size - 1;
  }
  return true;
}
bool break_axis_range(Draws& draws, OnnxGather& op, Version& /*version*/) {
  const auto rank = static_cast<std::int64_t>(op.data.rank());
  const std::array<std::int64_t, 6> axes{rank,
                                         -rank - 1,
                                         std::numeric_limits<std::int64_t>::max(),
                                         std::numeric_limits<std::int64_t>::min(),
                                         std::int64_t{1} << 32,
                                         -(std::int64_t{1} << 32)};
  op.axis = axes[draws.below(axes.size())];
  return true;
}
bool break_data_rank(Draws& /*draws*/, OnnxGather& op, Version& /*version*/) {
  op.data.sizes.clear();
  return true;
}
bool break_same_data_type(Draws& draws, OnnxGather& op, Version& version) {
  const DataTypeSet types = row_at(OnnxGather::support(), version)->tensors.front().data_types;
  const DataType other = kTypes[draws.below(kTypes.size())];
  if (!types.contains(other) || other == op.data.data_type) return false;
  (draws.one_in(2) ? op.data : op.output).data_type = other;
  return true;
}
bool break_support_of_values(Draws& /*draws*/, OnnxGather& op, Version& version) {
  if (row_at(OnnxGather::support(), version)
          ->tensors.front()
          .data_types.contains(DataType::kBfloat16))
    return false;
  op.data.data_type = DataType::kBfloat16;
  op.output.data_type = DataType::kBfloat16;
  return true;
}
bool break_support_of_indices(Draws& draws, OnnxGather& op, Version& version) {
  const DataType other = kTypes[draws.below(kTypes.size())];
  if (find_role(*row_at(OnnxGather::support(), version), "indices")->data_types.contains(other))
    return false;
  op.indices.data_type = other;
  return true;
}
bool break_size_overflow(Draws& draws, OnnxGather& op, Version& /*version*/) {
  if (has_empty_dimension(op.data)) return false;
  // The size along the axis stands in no other tensor. ONNX counts sizes in 64 bits with a sign.
  std::uint64_t& size = op.data.sizes[op.axis_from_front()];
  const std::uint64_t beside = *element_count(op.data.sizes) / size * op.data.element_size_bytes();
  const std::uint64_t wanted =
      std::numeric_limits<std::uint64_t>::max() / beside + draws.between(1, 3);
  if (beside == 1 || wanted > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return false;
  size = wanted;
  return true;
}

constexpr Breaker<OnnxGather> kGatherBreakers[] = {
    {"gather.output-shape", break_output_shape},   {"gather.axis-range", break_axis_range},
    {"gather.data-rank", break_data_rank},         {"gather.same-data-type", break_same_data_type},
    {"gather.support", break_support_of_values},   {"gather.support", break_support_of_indices},
    {"tensor.size-overflow", break_size_overflow},
};

}  // namespace

std::span<const Breaker<OnnxGather>> breakers(std::type_identity<OnnxGather> /*op*/) {
  return kGatherBreakers;
}

void propose_smaller(const OnnxGather& op, std::vector<Proposal>& proposals) {
  const std::size_t rank = op.data.rank();
  const std::size_t index_rank = op.indices.rank();
  const std::size_t axis = op.axis_from_front();
  if (axis >= rank || op.output.rank() != rank + index_rank - 1) return;
  const auto output_dimension = [&](std::size_t i) { return i < axis ? i : i + index_rank - 1; };
  for (std::size_t i = 0; i < rank; ++i) {
    if (i == axis) continue;
    OnnxGather next = op;
    remove_dimension(i, next.data);
    remove_dimension(output_dimension(i), next.output);
    if (op.axis && *op.axis >= 0 && i < axis) --*next.axis;
    if (op.axis && *op.axis < 0 && i > axis) ++*next.axis;
    proposals.push_back({next, {i, kNoDimension}});
  }
  for (std::size_t i = 0; i < index_rank; ++i) {
    OnnxGather next = op;
    remove_dimension(i, next.indices);
    remove_dimension(axis + i, next.output);
    proposals.push_back({next, {kNoDimension, i}});
  }
  const auto shared = std::make_shared<const OnnxGather>(op);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto change = [i, of_output = i == axis ? kNoDimension : output_dimension(i)](
                            OnnxGather& next, std::uint64_t size) {
      next.data.sizes[i] = size;
      if (of_output != kNoDimension) next.output.sizes[of_output] = size;
      return true;
    };
    propose_sizes(shared, op.data.sizes[i], change, proposals);
  }
  for (std::size_t i = 0; i < index_rank; ++i) {
    const auto change = [i, axis](OnnxGather& next, std::uint64_t size) {
      next.indices.sizes[i] = next.output.sizes[axis + i] = size;
      return true;
    };
    propose_sizes(shared, op.indices.sizes[i], change, proposals);
  }
}

std::string behaviour(const OnnxGather& op, const ChosenFactors& factors, const cases::Case& one) {
  const std::string axis = "axis " + std::to_string(op.axis_from_front()) + " of " +
                           sizes_text(op.data) +
                           (!op.axis       ? " (left out)"
                            : *op.axis < 0 ? " (given as " + std::to_string(*op.axis) + ")"
                                           : "");
  return indices_clause(factors, one, op.indices, axis, "fails the execution");
}

}  // namespace opconform::generation
