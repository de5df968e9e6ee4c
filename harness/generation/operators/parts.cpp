#include "harness/generation/operators/parts.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

namespace opconform::generation {
namespace {

/// How many parts, each class from the fewest to the most.
constexpr std::array<std::string_view, 6> kPartCountNames{"1", "2", "3", "4-5", "6-8", "9-20"};
constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, kPartCountNames.size()> kPartCounts{
    {{1, 1}, {2, 2}, {3, 3}, {4, 5}, {6, 8}, {9, 20}}};

/// In a large case: each is planned by itself, and none of them may be empty.
constexpr std::uint64_t kMostParts = 2048;

enum Partition : std::size_t { kOnes, kEven, kUneven };
constexpr std::array<std::string_view, 3> kPartitionNames{"ones", "equal", "uneven"};

struct PartQuestions {
  enum Question : std::size_t {
    kLevel,
    kDataType,
    kRank,
    kAxis,
    kPartCount,
    kPartition,
    kSizeClass,    // of the dimensions beside the axis, through the longest
    kFirstLayout,  // the inputs' layouts, then the outputs'; the parts have two, in turn
    kSecondLayout,
    kThirdLayout,
    kFill,
    kSlack,
    kAlignment,
  };
};

/// The places of the factors' values, each in its list of names.
struct PartFactors {
  std::size_t count;
  std::size_t partition;
  std::size_t size_beside;  ///< in kSizeClassNames: the longest dimension beside the axis
};

struct Parts {
  Dims sizes;  ///< of the whole
  std::vector<std::uint64_t> along_axis;
};

Parts choose_parts(const PartFactors& factors, std::size_t rank, std::size_t axis, SizeTier tier,
                   std::size_t element_size_bytes, Draws& draws) {
  const std::uint64_t count = choose_number(
      kPartCounts[factors.count], factors.count + 1 == kPartCounts.size(), tier, kMostParts, draws);
  const Room room = choose_room(rank, tier, element_size_bytes, draws);
  // The longest dimension beside the axis, then the parts along it, then what room is left for
  // others.
  const std::uint64_t beside =
      rank == 1
          ? 1
          : std::min(choose_size(factors.size_beside, tier, room.most_elements / count, draws),
                     room.most_elements / count);
  const std::uint64_t longest_part =
      factors.partition == kOnes
          ? 1
          : std::clamp<std::uint64_t>(room.most_elements / (beside * count), 1, room.longest);
  const auto part = [&] {
    return tier == SizeTier::kSmall ? draws.between(1, longest_part)
                                    : choose_large(longest_part, draws);
  };
  const std::uint64_t equal_part = part();
  Parts parts{Dims(rank, 1), {}};
  parts.along_axis.reserve(count);
  std::uint64_t axis_size = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    parts.along_axis.push_back(factors.partition == kUneven ? part() : equal_part);
    axis_size += parts.along_axis.back();
  }
  parts.sizes[axis] = axis_size;
  if (rank > 1) parts.sizes[(axis + 1 + draws.below(rank - 1)) % rank] = beside;
  assert(axis_size > 0);  // each part is at least 1 long
  std::uint64_t left = room.most_elements / 2 / (axis_size * beside);
  for (std::size_t i = 0; i < rank && left > 1; ++i) {
    if (parts.sizes[i] != 1 || i == axis) continue;
    parts.sizes[i] = choose_other_size(left, room, draws);
    left /= parts.sizes[i];
  }
  return parts;
}

struct Layouts {
  PartQuestions::Question whole;
  PartQuestions::Question part;
  PartQuestions::Question other_part;
};
constexpr Layouts layouts_of(Access parts_access) {
  using enum PartQuestions::Question;
  return parts_access == Access::kInput ? Layouts{kThirdLayout, kFirstLayout, kSecondLayout}
                                        : Layouts{kFirstLayout, kSecondLayout, kThirdLayout};
}

const TensorSupport& listed(const MutableParts& op, Version version) {
  return row_at(op.table, version)->tensors.front();
}

}  // namespace

FactorModel make_part_model(const PartModel& of, SupportTable table) {
  using enum PartQuestions::Question;
  const bool parts_are_inputs = of.parts_access == Access::kInput;
  FactorModel model;
  model.add("feature level", level_names());
  model.add("data type", type_names(kDirectmlTypes, Dialect::kDirectml));
  model.add("rank", number_names(1, kMostRank));
  model.add("axis", number_names(0, kMostRank - 1));
  // Each part is planned and validated: many cases with many of them would take the time of others.
  model.prefer(model.add(parts_are_inputs ? "inputs" : "outputs", names(kPartCountNames)), 2);
  model.add("partition", names(kPartitionNames));
  model.leave_open(model.add("size beside axis", names(kSizeClassNames)));
  add_layout(model, "input layout", Access::kInput);
  if (parts_are_inputs) add_layout(model, "second input's layout", Access::kInput);
  add_layout(model, "output layout", Access::kOutput);
  if (!parts_are_inputs) add_layout(model, "second output's layout", Access::kOutput);
  model.add("fill", names(kFillKindNames));
  model.add("slack", names(kSlackNames));
  model.add("base alignment", names(kAlignmentNames));

  constrain_type(model, kLevel, kDataType, kDirectmlTypes, table, of.whole_field, of.support_rule);
  constrain_rank(model, kLevel, kRank, table, of.whole_field, of.support_rule);
  model.constrain(kRank, kAxis, of.axis_rule,
                  [](std::size_t rank, std::size_t axis) { return axis <= rank; });
  // Rank 1 has no dimension beside the axis.
  for (std::size_t size = 1; size < kSizeClassNames.size(); ++size)
    model.forbid(kRank, 0, kSizeClass, size, of.other_sizes_rule);
  return model;
}

void realise_parts(const Assignment& assignment, Draws& draws, const PartModel& model,
                   const MutableParts& op, Version& version, ContentPlan& contents) {
  using enum PartQuestions::Question;
  version = kFeatureLevels[assignment[kLevel]];
  op.axis = static_cast<std::uint32_t>(assignment[kAxis]);
  Parts parts =
      choose_parts({assignment[kPartCount], assignment[kPartition], assignment[kSizeClass]},
                   assignment[kRank] + 1, op.axis, contents.tier,
                   element_size_bytes(kDirectmlTypes[assignment[kDataType]]), draws);

  const auto make = [&](TensorDesc& tensor, PartQuestions::Question layout) {
    tensor.data_type = kDirectmlTypes[assignment[kDataType]];
    tensor.sizes = parts.sizes;
    choose_layout(static_cast<LayoutClass>(assignment[layout]), assignment[kSlack], draws, tensor);
  };
  const Layouts layouts = layouts_of(model.parts_access);
  make(op.whole, layouts.whole);
  op.parts.resize(parts.along_axis.size());
  for (std::size_t k = 0; k < op.parts.size(); ++k) {
    parts.sizes[op.axis] = parts.along_axis[k];
    make(op.parts[k], k % 2 == 0 ? layouts.part : layouts.other_part);
  }
  contents.fill = static_cast<FillKind>(assignment[kFill]);
  contents.base_alignment_bytes = kAlignments[assignment[kAlignment]];
}

TensorDesc& any_part(Draws& draws, const MutableParts& op) {
  return op.parts[draws.below(op.parts.size())];
}

std::uint64_t count_beside_axis(const TensorDesc& tensor, std::size_t axis) {
  return *element_count(tensor.sizes) / tensor.sizes[axis];
}

namespace parts {

bool break_count(Draws& /*draws*/, const MutableParts& op, Version /*version*/) {
  op.parts.clear();
  return true;
}
bool break_sizes_sum(Draws& draws, const MutableParts& op, Version /*version*/) {
  change_size(op.axis, draws, draws.one_in(2) ? op.whole : any_part(draws, op));
  return true;
}
bool break_other_sizes(Draws& draws, const MutableParts& op, Version /*version*/) {
  std::size_t dimension = 0;
  if (!choose_beside(op.axis, op.whole.rank(), draws, dimension)) return false;
  change_size(dimension, draws, any_part(draws, op));
  return true;
}
bool break_axis_range(Draws& draws, const MutableParts& op, Version /*version*/) {
  op.axis = choose_bad_axis(op.whole.rank(), draws);
  return true;
}
bool break_same_rank(Draws& draws, const MutableParts& op, Version version) {
  return change_rank(listed(op, version).ranks, draws, any_part(draws, op));
}
bool break_same_data_type(Draws& draws, const MutableParts& op, Version version) {
  TensorDesc& part = any_part(draws, op);
  if (!choose_other_type(listed(op, version).data_types, draws, part.data_type)) return false;
  pack_again(part);
  return true;
}
bool break_support_of_types(Draws& draws, const MutableParts& op, Version version) {
  if (!choose_unlisted_type(listed(op, version).data_types, draws, op.whole.data_type))
    return false;
  pack_again(op.whole);
  for (TensorDesc& part : op.parts) {
    part.data_type = op.whole.data_type;
    pack_again(part);
  }
  return true;
}
bool break_support_of_ranks(Draws& draws, const MutableParts& op, Version version) {
  Dims sizes = op.whole.sizes;
  leave_rank_range(listed(op, version).ranks, draws, sizes);
  op.axis = sizes.empty() ? 0 : static_cast<std::uint32_t>(sizes.size() - 1);
  op.whole.sizes = sizes;
  pack_again(op.whole);
  op.parts = {op.whole};
  return true;
}

}  // namespace parts

bool wrap_sizes_sum(const MutableParts& op) {
  if (op.parts.size() < 2) return false;
  // 2^32 more in all: half in one part, half in another, each within the element limit.
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  for (TensorDesc* part : {&op.parts.front(), &op.parts.back()}) {
    part->sizes[op.axis] += kHalf;
    pack_again(*part);
  }
  return true;
}

}  // namespace opconform::generation
