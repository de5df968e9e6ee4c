#include <cstdlib>
#include <limits>

#include "harness/generation/operators/common.h"
#include "harness/generation/sentences.h"

namespace opconform::generation {
namespace {

// Window, stride and coverage are those of one dimension, the subject; the other dimensions vary by
// chance.
struct Slice1Questions {
  enum Question : std::size_t {
    kLevel,
    kDataType,
    kRank,
    kSubject,
    kSizeClass,
    kWindow,
    kStrideSign,
    kStrideSize,
    kCoverage,
    kInputLayout,
    kOutputLayout,
    kFill,
    kSlack,
    kAlignment,
  };
};

enum Window : std::size_t { kWhole, kFromStart, kToEnd, kInside, kSingle };
constexpr std::array<std::string_view, 5> kWindowNames{"whole", "from start", "to end", "inside",
                                                       "one element"};
constexpr std::array<std::string_view, 2> kStrideSignNames{"positive", "negative"};
enum StrideSize : std::size_t { kUnit, kTwo, kThreeToEight, kToTheEdge, kBeyondWindow, kExtreme };
constexpr std::array<std::string_view, 6> kStrideSizeNames{
    "1", "2", "3-8", "window-1", "beyond window", "INT_MAX or INT_MIN"};
enum Coverage : std::size_t { kAll, kFewer, kFirst };
constexpr std::array<std::string_view, 3> kCoverageNames{"all", "fewer", "one"};

FactorModel make_slice1_model() {
  using enum Slice1Questions::Question;
  FactorModel model;
  model.add("feature level", level_names());
  model.add("data type", type_names(kDirectmlTypes, Dialect::kDirectml));
  model.add("rank", number_names(1, kMostRank));
  model.add("dimension", number_names(0, kMostRank - 1));
  model.leave_open(model.add("size", names(kSizeClassNames)));
  model.add("window", names(kWindowNames));
  model.add("stride sign", names(kStrideSignNames));
  model.add("stride size", names(kStrideSizeNames));
  model.add("output size", names(kCoverageNames));
  add_layout(model, "input layout", Access::kInput);
  add_layout(model, "output layout", Access::kOutput);
  model.add("fill", names(kFillKindNames));
  model.add("slack", names(kSlackNames));
  model.add("base alignment", names(kAlignmentNames));

  // Or most outputs would have an element or two, and show little.
  model.prefer(kWindow, kWhole);
  model.prefer(kStrideSize, kUnit);
  model.prefer(kCoverage, kAll);

  const SupportTable table = Slice1::support();
  for (std::size_t level = 0; level < kFeatureLevels.size(); ++level)
    if (row_at(table, kFeatureLevels[level]) == nullptr)
      model.forbid(kLevel, level, "slice1.support");
  constrain_type(model, kLevel, kDataType, kDirectmlTypes, table, "InputTensor", "slice1.support");
  constrain_rank(model, kLevel, kRank, table, "InputTensor", "slice1.support");
  model.constrain(kRank, kSubject, "slice1.dimension-count",
                  [](std::size_t rank, std::size_t subject) { return subject <= rank; });
  // Windows that leave something out need a size of 2 or more, or of 3 where they leave out both
  // ends.
  for (const Window window : {kFromStart, kToEnd, kInside})
    model.forbid(kSizeClass, 0, kWindow, window, "slice1.window-not-empty");
  model.forbid(kSizeClass, 1, kWindow, kInside, "slice1.window-not-empty");
  return model;
}

struct Range {
  std::uint64_t offset;
  std::uint64_t size;
};

Range choose_window(std::size_t window, std::uint64_t size, Draws& draws) {
  switch (window) {
    case kFromStart:
      return {0, draws.between(1, size - 1)};
    case kToEnd: {
      const std::uint64_t offset = draws.between(1, size - 1);
      return {offset, size - offset};
    }
    case kInside: {
      const std::uint64_t offset = draws.between(1, size - 2);
      return {offset, draws.between(1, size - 1 - offset)};
    }
    case kSingle:
      return {draws.below(size), 1};
    default:
      return {0, size};
  }
}

std::uint64_t choose_magnitude(std::size_t stride_size, std::uint64_t window_size, bool negative,
                               SizeTier tier, Draws& draws) {
  constexpr std::uint64_t kIntMax = std::numeric_limits<std::int32_t>::max();
  switch (stride_size) {
    case kUnit:
      return 1;
    case kTwo:
      return 2;
    case kThreeToEight: {
      const bool is_open = tier != SizeTier::kSmall && draws.one_in(2);
      return choose_number({3, 8}, is_open, tier, window_size, draws);
    }
    case kToTheEdge:
      return std::max<std::uint64_t>(window_size - 1, 1);
    case kBeyondWindow:
      return window_size + draws.below(3);
    default:
      return kIntMax + (negative ? 1 : 0);
  }
}

void add_dimension(const Range& window, std::uint64_t magnitude, bool negative, Slice1& op) {
  op.window_offsets.push_back(static_cast<std::uint32_t>(window.offset));
  op.window_sizes.push_back(static_cast<std::uint32_t>(window.size));
  const auto signed_magnitude = static_cast<std::int64_t>(magnitude);
  op.window_strides.push_back(
      static_cast<std::int32_t>(negative ? -signed_magnitude : signed_magnitude));
}

}  // namespace

const FactorModel& factor_model(std::type_identity<Slice1> /*op*/) {
  static const FactorModel model = make_slice1_model();
  return model;
}

void realise(const Assignment& assignment, Draws& draws, Slice1& op, Version& version,
             ContentPlan& contents) {
  using enum Slice1Questions::Question;
  version = kFeatureLevels[assignment[kLevel]];
  const std::size_t rank = assignment[kRank] + 1;
  const std::size_t subject = assignment[kSubject];
  const SizeTier tier = contents.tier;
  const std::size_t width = element_size_bytes(kDirectmlTypes[assignment[kDataType]]);
  const std::uint64_t subject_size =
      choose_size(assignment[kSizeClass], tier, most_elements(tier, width), draws);
  const Dims sizes =
      choose_sizes(rank, subject, subject_size, choose_room(rank, tier, width, draws), draws);

  op.window_offsets.clear();
  op.window_sizes.clear();
  op.window_strides.clear();
  Dims output_sizes;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool is_subject = i == subject;
    // Beside the subject: mostly whole windows and small strides, so that the output keeps some
    // elements.
    const std::size_t kind = is_subject                         ? assignment[kWindow]
                             : sizes[i] < 3 || !draws.one_in(3) ? kWhole
                                                                : kInside;
    const bool negative = is_subject ? assignment[kStrideSign] == 1 : draws.one_in(3);
    const Range window = choose_window(kind, sizes[i], draws);
    const std::uint64_t magnitude =
        is_subject ? choose_magnitude(assignment[kStrideSize], window.size, negative, tier, draws)
        : draws.one_in(4) ? 2
                          : 1;
    add_dimension(window, magnitude, negative, op);
    const std::uint64_t reachable = 1 + (window.size - 1) / magnitude;
    const std::size_t coverage = is_subject        ? assignment[kCoverage]
                                 : draws.one_in(6) ? kFewer
                                                   : kAll;
    output_sizes.push_back(coverage == kAll     ? reachable
                           : coverage == kFirst ? 1
                                                : draws.between(1, reachable));
  }

  const auto make = [&](TensorDesc& tensor, const Dims& tensor_sizes,
                        Slice1Questions::Question layout) {
    tensor.data_type = kDirectmlTypes[assignment[kDataType]];
    tensor.sizes = tensor_sizes;
    choose_layout(static_cast<LayoutClass>(assignment[layout]), assignment[kSlack], draws, tensor);
  };
  make(op.input, sizes, kInputLayout);
  make(op.output, output_sizes, kOutputLayout);
  contents.fill = static_cast<FillKind>(assignment[kFill]);
  contents.base_alignment_bytes = kAlignments[assignment[kAlignment]];
}

namespace {

const TensorSupport& listed(Version version) {
  return row_at(Slice1::support(), version)->tensors.front();
}
std::size_t any_dimension(Draws& draws, const Slice1& op) { return draws.below(op.input.rank()); }

bool break_window_not_empty(Draws& draws, Slice1& op, Version& /*version*/) {
  op.window_sizes[any_dimension(draws, op)] = 0;
  return true;
}
bool break_window_in_bounds(Draws& draws, Slice1& op, Version& /*version*/) {
  const std::size_t i = any_dimension(draws, op);
  const std::uint64_t room = op.input.sizes[i] - op.window_sizes[i];
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  // The least that is too far, the most, or an offset whose sum wraps to 0 in 32 bits.
  const std::array offsets{room + 1, kMost, kMost + 1 - op.window_sizes[i]};
  op.window_offsets[i] =
      static_cast<std::uint32_t>(draws.of(std::span<const std::uint64_t>(offsets)));
  return true;
}
bool break_stride_not_zero(Draws& draws, Slice1& op, Version& /*version*/) {
  op.window_strides[any_dimension(draws, op)] = 0;
  return true;
}
bool break_output_sizes(Draws& draws, Slice1& op, Version& /*version*/) {
  const std::size_t i = any_dimension(draws, op);
  const auto magnitude = static_cast<std::uint64_t>(std::llabs(op.window_strides[i]));
  op.output.sizes[i] =
      2 + (op.window_sizes[i] - 1) / magnitude + (draws.one_in(2) ? 0 : draws.below(100));
  pack_again(op.output);
  return true;
}
bool break_dimension_count(Draws& draws, Slice1& op, Version& version) {
  switch (draws.below(4)) {
    case 0:
      return change_rank(listed(version).ranks, draws, op.input);
    case 1:
      return change_rank(listed(version).ranks, draws, op.output);
    case 2:
      op.window_offsets.pop_back();
      op.window_sizes.pop_back();
      op.window_strides.pop_back();
      return true;
    default:
      op.window_offsets.push_back(0);
      op.window_sizes.push_back(1);
      op.window_strides.push_back(1);
      return true;
  }
}
bool break_same_data_type(Draws& draws, Slice1& op, Version& version) {
  TensorDesc& tensor = draws.one_in(2) ? op.input : op.output;
  if (!choose_other_type(listed(version).data_types, draws, tensor.data_type)) return false;
  pack_again(tensor);
  return true;
}
bool break_support_of_types(Draws& draws, Slice1& op, Version& version) {
  if (!choose_unlisted_type(listed(version).data_types, draws, op.input.data_type)) return false;
  op.output.data_type = op.input.data_type;
  pack_again(op.input);
  pack_again(op.output);
  return true;
}
bool break_support_of_ranks(Draws& draws, Slice1& op, Version& version) {
  Dims sizes = op.input.sizes;
  leave_rank_range(listed(version).ranks, draws, sizes);
  op.window_offsets.clear();
  op.window_sizes.clear();
  op.window_strides.clear();
  for (const std::uint64_t size : sizes) add_dimension({0, size}, 1, draws.one_in(2), op);
  for (TensorDesc* tensor : {&op.input, &op.output}) {
    tensor->sizes = sizes;
    pack_again(*tensor);
  }
  return true;
}
bool break_support_of_level(Draws& draws, Slice1& /*op*/, Version& version) {
  return choose_level_before(Slice1::support(), draws, version);
}
/// The input is as large as it likes, the window where it was.
bool break_element_limit(Draws& draws, Slice1& op, Version& /*version*/) {
  const std::size_t i = any_dimension(draws, op);
  const std::uint64_t beside = *element_count(op.input.sizes) / op.input.sizes[i];
  if (beside < 2) return false;
  op.input.sizes[i] = (std::uint64_t{1} << 32) / beside + draws.between(1, 3);
  op.input.strides = Dims(op.input.rank(), 0);
  op.input.total_tensor_size_bytes = 8;
  return true;
}
bool break_size_overflow(Draws& draws, Slice1& op, Version& /*version*/) {
  const std::size_t i = any_dimension(draws, op);
  if (*element_count(op.input.sizes) != op.input.sizes[i] || op.input.element_size_bytes() == 1)
    return false;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  op.input.sizes[i] = kMost;
  op.input.strides = Dims(op.input.rank(), kMost);
  return true;
}

constexpr Breaker<Slice1> kSlice1Breakers[] = {
    {"slice1.window-not-empty", break_window_not_empty},
    {"slice1.window-in-bounds", break_window_in_bounds},
    {"slice1.stride-not-zero", break_stride_not_zero},
    {"slice1.output-sizes", break_output_sizes},
    {"slice1.dimension-count", break_dimension_count},
    {"slice1.same-data-type", break_same_data_type},
    {"slice1.support", break_support_of_types},
    {"slice1.support", break_support_of_ranks},
    {"slice1.support", break_support_of_level},
    {"tensor.element-limit", break_element_limit},
    {"tensor.size-overflow", break_size_overflow},
};

}  // namespace

std::span<const Breaker<Slice1>> breakers(std::type_identity<Slice1> /*op*/) {
  return kSlice1Breakers;
}

void propose_smaller(const Slice1& op, std::vector<Proposal>& proposals) {
  const std::size_t rank = op.input.rank();
  if (op.output.rank() != rank || op.window_offsets.size() != rank ||
      op.window_sizes.size() != rank || op.window_strides.size() != rank)
    return;
  for (std::size_t i = 0; i < rank && rank > 1; ++i) {
    Slice1 next = op;
    remove_dimension(i, next.input);
    remove_dimension(i, next.output);
    next.window_offsets.erase(i);
    next.window_sizes.erase(i);
    next.window_strides.erase(i);
    proposals.push_back({next, {i}});
  }
  const auto shared = std::make_shared<const Slice1>(op);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto change_output = [i](Slice1& next, std::uint64_t size) {
      next.output.sizes[i] = size;
      return true;
    };
    propose_sizes(shared, op.output.sizes[i], change_output, proposals);
    const auto change_input = [i](Slice1& next, std::uint64_t size) {
      next.input.sizes[i] = size;
      if (next.window_offsets[i] >= size) next.window_offsets[i] = 0;
      next.window_sizes[i] = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(next.window_sizes[i], size - next.window_offsets[i]));
      const auto magnitude = static_cast<std::uint64_t>(std::llabs(next.window_strides[i]));
      if (magnitude == 0 || next.window_sizes[i] == 0) return false;
      next.output.sizes[i] =
          std::min(next.output.sizes[i], 1 + (next.window_sizes[i] - 1) / magnitude);
      return true;
    };
    propose_sizes(shared, op.input.sizes[i], change_input, proposals);
    if (op.window_offsets[i] != 0) {
      Slice1 next = op;
      next.window_offsets[i] = 0;
      proposals.push_back({next, {}});
    }
    // Plainer strides: forwards rather than backwards, single steps rather than larger ones.
    for (const std::int32_t stride : {1, -1}) {
      if (op.window_strides[i] == stride || op.window_strides[i] == 1) break;
      Slice1 next = op;
      next.window_strides[i] = stride;
      proposals.push_back({next, {}});
    }
  }
}

std::string behaviour(const Slice1& op, const ChosenFactors& factors, const cases::Case& /*one*/) {
  const auto d = static_cast<std::size_t>(std::stoul(std::string(factors["dimension"])));
  const std::uint64_t size = op.window_sizes[d];
  const std::uint64_t taken = op.output.sizes[d];
  return "a stride of " + std::to_string(op.window_strides[d]) +
         (op.window_strides[d] < 0 ? " goes backward" : " goes forward") + " through " +
         std::to_string(size) + (size == 1 ? " element from " : " elements from ") +
         std::to_string(op.window_offsets[d]) + " of dimension " + std::to_string(d) + " of " +
         typed_sizes(op.input) + "; " + std::to_string(taken) +
         (taken == 1 ? " is taken" : " are taken");
}

}  // namespace opconform::generation
