#include "harness/coverage/coverage.h"

#include <algorithm>
#include <stdexcept>

#include "harness/coverage/bit_patterns.h"
#include "harness/coverage/roles.h"

namespace opconform::coverage {
namespace {

/// The last version of the model that is not above it.
std::size_t version_place(const OperatorBins& bins, Version version) {
  std::size_t place = bins.versions.size() - 1;
  while (place > 0 && bins.versions[place] > version) --place;
  return place;
}

std::size_t place_of(const std::vector<DataType>& types, DataType type) {
  return static_cast<std::size_t>(std::find(types.begin(), types.end(), type) - types.begin());
}

/// A set for each tensor field. An array of tensors has one: a bin counts cases.
using SetsByField = InlineVector<ClassSet, 16>;

/// Calls `f(field, tensor)` for each tensor, with the place of its field among the model's.
template <class F>
void for_each_tensor_of(const Operator& op, const OperatorBins& bins, F&& f) {
  std::size_t field = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    while (bins.tensors[field].field.name != tensor.field.name) ++field;
    f(field, tensor);
  });
}

}  // namespace

Coverage::Coverage() : own_(counter_count()), counters_(own_) {}

Coverage::Coverage(std::span<std::uint64_t> counters) : counters_(counters) {
  if (counters.size() != counter_count())
    throw std::invalid_argument("coverage: not as many counters as the model has");
}

void Coverage::observe(const Observation& observation) {
  const OperatorBins& bins = coverage_model().of(observation.op.index());
  const std::size_t version = version_place(bins, observation.version);
  count(CoverageModel::case_counter(observation.origin, observation.due));
  if (observation.due == Due::kRejected)
    observe_rejection(observation, bins, version);
  else
    observe_execution(observation, bins, version);
}

void Coverage::observe_rejection(const Observation& observation, const OperatorBins& bins,
                                 std::size_t version) {
  bool is_unsupported = false;
  for (const OperatorBins::OfRule& rule : bins.rules) {
    const bool is_broken = std::find(observation.rules.begin(), observation.rules.end(),
                                     rule.text.name) != observation.rules.end();
    if (!is_broken) continue;
    is_unsupported = is_unsupported || rule.text.kind == RuleKind::kSupport;
    // Beside another broken rule, it might have gone unnoticed.
    if (observation.rules.size() == 1 && rule.broken != kNoBin)
      count(rule.broken + static_cast<std::size_t>(observation.origin));
  }
  if (!is_unsupported) return;
  if (bins.not_introduced[version] != kNoBin) return count(bins.not_introduced[version]);
  const SupportRow* row = row_at(describe(observation.op).support, observation.version);
  const auto& [below, above] = bins.outside_ranks[version];
  const RankRange listed = row->tensors.front().ranks;
  SetsByField unlisted(bins.tensors.size());
  bool is_below = false;
  bool is_above = false;
  for_each_tensor_of(observation.op, bins, [&](std::size_t field, const NamedTensor& tensor) {
    const auto type = static_cast<std::size_t>(tensor.desc.data_type);
    if (bins.tensors[field].outside[version * kDataTypeCount + type] != kNoBin)
      unlisted[field] |= bit_of(type);
    is_below = is_below || tensor.desc.rank() + 1 == listed.least;
    is_above = is_above || tensor.desc.rank() == listed.most + std::size_t{1};
  });
  for (std::size_t field = 0; field < unlisted.size(); ++field)
    for (std::size_t type = 0; type < kDataTypeCount; ++type)
      if ((unlisted[field] & bit_of(type)) != 0)
        count(bins.tensors[field].outside[version * kDataTypeCount + type]);
  if (is_below && below != kNoBin) count(below);
  if (is_above && above != kNoBin) count(above);
}

void Coverage::observe_execution(const Observation& observation, const OperatorBins& bins,
                                 std::size_t version) {
  CaseTraits traits{.by_alias = observation.by_alias};
  observe_tensors(observation, bins, traits);
  observe_inside(bins, version, observation);
  observe_axis(observation, bins);
  observe_strides(observation, bins);
  observe_rules(observation, bins, traits);
}

void Coverage::observe_tensors(const Observation& observation, const OperatorBins& bins,
                               CaseTraits& traits) {
  SetsByField layouts(bins.tensors.size());
  SetsByField sizes(bins.tensors.size());
  SetsByField reaches(bins.tensors.size());
  InlineVector<std::uint64_t, SetsByField::capacity()> counts(bins.tensors.size());
  ClassSet patterns = 0;
  DataType value_type{};
  std::size_t input = 0;
  for_each_tensor_of(observation.op, bins, [&](std::size_t field, const NamedTensor& tensor) {
    const TensorDesc& desc = tensor.desc;
    const ClassSet layout = layout_classes(desc);
    const std::uint64_t extent = extent_elements(desc).value_or(0);
    ++counts[field];
    layouts[field] |= layout;
    reaches[field] |= bit_of(reach_class(extent * desc.element_size_bytes()));
    if (desc.rank() > 0) sizes[field] |= bit_of(size_class(desc.sizes[desc.rank() - 1]));
    // ONNX names no largest rank, so there may be one that the table does not speak of.
    const OperatorBins::OfTensor& places = bins.tensors[field];
    if (places.rank != kNoBin && places.ranks.contains(desc.rank()))
      count(places.rank + desc.rank() - places.ranks.least);
    traits.layouts |= layout;
    if (tensor.field.access == Access::kOutput) {
      traits.output_layouts |= layout;
      traits.has_slack =
          traits.has_slack || desc.total_tensor_size_bytes > extent * desc.element_size_bytes();
      return;
    }
    const std::span<const std::byte> buffer = input < observation.inputs.size()
                                                  ? observation.inputs[input]
                                                  : std::span<const std::byte>();
    ++input;
    if (extent == 0 || buffer.size() / desc.element_size_bytes() < extent) return;
    if (tensor.field.content == Content::kIndices) {
      traits.indices = observe_indices(observation, bins, desc, buffer);
    } else {
      value_type = desc.data_type;
      patterns |= bit_patterns(desc, layout, buffer);
    }
  });
  for (std::size_t field = 0; field < bins.tensors.size(); ++field) {
    if (bins.tensors[field].layout != kNoBin) count_all(bins.tensors[field].layout, layouts[field]);
    count_all(bins.tensors[field].size, sizes[field]);
    count_all(bins.tensors[field].reach, reaches[field]);
    if (bins.tensors[field].count != kNoBin)  // an array has one tensor at least
      count(bins.tensors[field].count + size_class(counts[field]) - 1);
  }
  if (patterns == 0) return;
  count_all(bins.bits[static_cast<std::size_t>(value_type)], patterns);
  traits.has_fragile_bits = are_fragile(kind(value_type), patterns);
}

ClassSet Coverage::observe_indices(const Observation& observation, const OperatorBins& bins,
                                   const TensorDesc& indices, std::span<const std::byte> buffer) {
  const std::optional<std::uint64_t> size = indexed_size(observation.op);
  const std::size_t type = place_of(bins.index_types, indices.data_type);
  if (!size) return 0;
  const ClassSet classes =
      indices_.classify(indices, line_dimension(observation.op), *size, buffer);
  count_all(bins.index + type * generation::kIndexClassNames.size(), classes);
  return classes;
}

void Coverage::observe_inside(const OperatorBins& bins, std::size_t version,
                              const Observation& observation) {
  const TensorDesc* values = nullptr;
  const TensorDesc* indices = nullptr;
  for_each_tensor(observation.op, [&](const NamedTensor& tensor) {
    const TensorDesc*& first = tensor.field.content == Content::kIndices ? indices : values;
    if (first == nullptr) first = &tensor.desc;
  });
  const std::size_t rank = values->rank();
  if (!bins.ranks.contains(rank)) return;
  std::size_t cell = version * bins.types.size() + place_of(bins.types, values->data_type);
  if (indices != nullptr)
    cell = cell * bins.index_types.size() + place_of(bins.index_types, indices->data_type);
  const std::size_t ranks = bins.ranks.most - bins.ranks.least + std::size_t{1};
  count(bins.inside + cell * ranks + rank - bins.ranks.least);
}

void Coverage::observe_axis(const Observation& observation, const OperatorBins& bins) {
  if (bins.axis == kNoBin) return;
  const std::optional<Axis> axis = axis_of(observation.op);
  const TensorDesc& first = *first_tensor(observation.op);
  const auto from_front = static_cast<std::size_t>(axis->from_front(first.rank()));
  if (first.rank() <= kMostCoveredRank) count(bins.axis + position_bin(first.rank(), from_front));
  if (bins.axis_form != kNoBin) count(bins.axis_form + static_cast<std::size_t>(axis->form));
  count(bins.axis_size + size_class(first.sizes[from_front]));
}

void Coverage::observe_strides(const Observation& observation, const OperatorBins& bins) {
  if (bins.strides.empty()) return;
  const Windows windows = windows_of(observation.op);
  const Dims& reached = first_output(observation.op)->sizes;
  const std::size_t rank = windows.sizes.numbers->size();
  for (std::size_t field = 0; field < bins.strides.size(); ++field) {
    const IntArray& strides = *windows.strides[field].numbers;
    ClassSet classes = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      classes |= stride_classes(strides[i], (*windows.sizes.numbers)[i]);
      if (rank <= kMostCoveredRank && reached[i] > 1)
        count(bins.strides[field].dimensions + position_bin(rank, i) +
              (strides[i] < 0 ? kPositionCount : 0));
    }
    count_all(bins.strides[field].classes, classes);
  }
}

void Coverage::observe_rules(const Observation& observation, const OperatorBins& bins,
                             const CaseTraits& traits) {
  const auto origin = static_cast<std::size_t>(observation.origin);
  const bool has_failed = observation.due == Due::kFailed;
  for (const OperatorBins::OfRule& rule : bins.rules) {
    const bool is_shown = holds(observation.op, observation.version, traits, rule.text.shown_by) &&
                          (rule.own_place == kNoBin ||
                           shows_rule(observation.op, observation.version, rule.own_place));
    const bool is_freedom = rule.text.kind == RuleKind::kFreedom;
    // Without a result no rule about results can be seen; what a document leaves open can. With an
    // index out of range, no value of the output is promised.
    const bool is_open = rule.text.kind == RuleKind::kSemantics && traits.has_index_outside();
    if (is_shown && (!has_failed || is_freedom) && !is_open) count(rule.shown + origin);
  }
  // A negative index may fail where a document leaves it open, and lies within the range for all
  // that.
  if (!has_failed || (!traits.has_index_outside() && traits.indices != 0)) return;
  for (const OperatorBins::OfRule& rule : bins.rules)
    if (rule.broken != kNoBin && std::find(observation.rules.begin(), observation.rules.end(),
                                           rule.text.name) != observation.rules.end())
      count(rule.broken + origin);
}

}  // namespace opconform::coverage
