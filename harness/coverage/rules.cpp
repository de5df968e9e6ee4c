#include "harness/coverage/rules.h"

#include <algorithm>

#include "harness/cases/case.h"

namespace opconform::harness {
namespace {

using Traits = CaseTraits;

template <LayoutClass layout>
bool has_layout(const Operator& /*op*/, Version /*version*/, const Traits& traits) {
  return traits.has_layout(layout);
}
bool always(const Operator& /*op*/, Version /*version*/, const Traits& /*traits*/) { return true; }
bool has_output_gaps(const Operator& /*op*/, Version /*version*/, const Traits& traits) {
  return (traits.output_layouts & bit_of(LayoutClass::kPadded)) != 0 || traits.has_slack;
}
bool has_given_strides(const Operator& /*op*/, Version /*version*/, const Traits& traits) {
  return (traits.layouts & ~bit_of(LayoutClass::kPacked)) != 0;
}
bool has_fragile_bits(const Operator& /*op*/, Version /*version*/, const Traits& traits) {
  return traits.has_fragile_bits;
}
bool has_leading_ones(const Operator& op, Version version, const Traits& /*traits*/) {
  if (version.dialect() != Dialect::kDirectml) return false;
  bool found = false;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const Dims& sizes = tensor.desc.sizes;
    const bool is_padded_up = (sizes.size() == 4 || sizes.size() == 5) && sizes[0] == 1;
    found = found || (is_padded_up && element_count(sizes).value_or(0) > 1);
  });
  return found;
}

bool has_duplicates(const Operator& /*op*/, Version /*version*/, const Traits& traits) {
  return traits.has_index(IndexClass::kDuplicate);
}
bool has_negative_index(const Operator& /*op*/, Version /*version*/, const Traits& traits) {
  return traits.has_negative_index();
}
bool has_index_outside(const Operator& /*op*/, Version /*version*/, const Traits& traits) {
  return traits.has_index_outside();
}
bool is_by_alias(const Operator& /*op*/, Version /*version*/, const Traits& traits) {
  return traits.by_alias;
}

bool has_one_output(const Operator& op, Version /*version*/, const Traits& /*traits*/) {
  return std::get<Split>(op).outputs.size() == 1;
}

/// Calls `holds(op, dimension)` until it is true.
template <class Holds>
bool in_some_dimension(const Operator& op, Holds&& holds) {
  const auto& slice = std::get<Slice1>(op);
  for (std::size_t i = 0; i < slice.input.rank(); ++i)
    if (holds(slice, i)) return true;
  return false;
}
bool starts_behind_0(const Operator& op, Version /*version*/, const Traits& /*traits*/) {
  return in_some_dimension(op, [](const Slice1& slice, std::size_t i) {
    return slice.window_offsets[i] > 0 ||
           (slice.window_strides[i] < 0 && slice.window_sizes[i] > 1);
  });
}
bool is_partial(const Operator& op, Version /*version*/, const Traits& /*traits*/) {
  return in_some_dimension(op, [](const Slice1& slice, std::size_t i) {
    const std::int64_t stride = slice.window_strides[i];
    const auto magnitude = static_cast<std::uint64_t>(stride < 0 ? -stride : stride);
    return slice.output.sizes[i] < 1 + (slice.window_sizes[i] - 1) / magnitude;
  });
}

bool has_scalar_indices(const Operator& op, Version /*version*/, const Traits& /*traits*/) {
  return std::get<Gather>(op).indices.rank() == 0;
}
bool leaves_axis_out(const Operator& op, Version /*version*/, const Traits& /*traits*/) {
  return !std::get<Gather>(op).axis;
}
bool has_negative_axis(const Operator& op, Version /*version*/, const Traits& /*traits*/) {
  return std::get<Gather>(op).axis.value_or(0) < 0;
}
bool is_negative_in_version_1(const Operator& /*op*/, Version version, const Traits& traits) {
  return version < kGatherNegativeIndicesSince && traits.has_negative_index();
}
bool is_negative_after_version_1(const Operator& /*op*/, Version version, const Traits& traits) {
  return version >= kGatherNegativeIndicesSince && traits.has_negative_index();
}

constexpr ShownWhen kRows[] = {
    {"tensor.implicit-strides", has_layout<LayoutClass::kPacked>},
    {"tensor.any-layout", has_layout<LayoutClass::kPermuted>},
    {"tensor.broadcast", has_layout<LayoutClass::kBroadcast>},
    {"tensor.padding", has_layout<LayoutClass::kPadded>},
    {"tensor.size-one-stride", has_layout<LayoutClass::kAbsurd>},
    {"tensor.gaps-dont-care", has_output_gaps},
    {"tensor.stride-count", has_given_strides},
    {"tensor.leading-ones", has_leading_ones},
    {"tensor.bits-preserved", has_fragile_bits},
    // ONNX operators obey these as well.
    {"tensor.outside-intact", always},
    {"tensor.input-intact", always},
    {"tensor.size-overflow", always},
    {"scatter.overlap-any-winner", has_duplicates},
    {"scatter.negative-index", has_negative_index},
    {"scatter.index-range", has_index_outside},
    {"scatter.alias", is_by_alias},
    {"split.single-is-copy", has_one_output},
    {"slice1.copy-start", starts_behind_0},
    {"slice1.partial", is_partial},
    {"gather.scalar-indices", has_scalar_indices},
    {"gather.axis-default", leaves_axis_out},
    {"gather.axis-negative", has_negative_axis},
    {"gather.negative-index", is_negative_after_version_1},
    {"gather.negative-index-v1", is_negative_in_version_1},
};

}  // namespace

const ShownWhen* shown_when(std::string_view rule) {
  const auto* const found = std::find_if(std::begin(kRows), std::end(kRows),
                                         [&](const ShownWhen& row) { return row.rule == rule; });
  return found == std::end(kRows) ? nullptr : found;
}

std::span<const ShownWhen> all_shown_when() { return kRows; }

}  // namespace opconform::harness
