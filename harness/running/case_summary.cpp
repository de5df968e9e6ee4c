#include "harness/running/case_summary.h"

#include <algorithm>
#include <limits>
#include <set>

#include "harness/base/index.h"

namespace opconform::running {
namespace {

using base::Json;
using Numbers = std::set<std::int64_t>;

struct Traits {
  Numbers axes;
  Numbers strides;
  Numbers indices;
  std::set<std::string_view> layouts;
};

struct NumbersOfFields {
  Traits& traits;

  void operator()(const ScalarField& field, std::uint32_t value) const { add(field, value); }
  void operator()(const ScalarField& field, const std::optional<std::int64_t>& value) const {
    add(field, value.value_or(0));
  }
  void operator()(const ArrayField& field, const IntArray& values) const {
    if (field.role == ArrayRole::kStride) traits.strides.insert(values.begin(), values.end());
  }
  void operator()(const ArrayField& /*field*/, const UintArray& /*values*/) const {}
  void operator()(const TensorField& /*field*/, const auto& /*tensors*/) const {}
  void operator()(const CountField& /*field*/) const {}

 private:
  void add(const ScalarField& field, std::int64_t value) const {
    if (field.role == ScalarRole::kAxis) traits.axes.insert(value);
  }
};

void add_layout(const TensorDesc& tensor, Traits& traits) {
  if (!tensor.strides || !stride_count_matches(tensor)) return;
  const Dims packed = packed_strides(tensor.sizes);
  for (std::size_t i = 0; i < tensor.rank(); ++i) {
    const std::uint64_t stride = (*tensor.strides)[i];
    if (tensor.sizes[i] < 2 || stride == packed[i]) continue;
    traits.layouts.insert(stride == 0 ? "broadcast" : "strided");
  }
}

/// Only where a case gives them one by one: what a pattern makes is never out of bounds.
void add_indices(const TensorDesc& tensor, const cases::Contents& contents, Traits& traits) {
  if (contents.kind != cases::Contents::Kind::kLogical || !base::is_index_type(tensor.data_type))
    return;
  const std::size_t width = tensor.element_size_bytes();
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::optional<std::int64_t> least;
  std::int64_t most = 0;
  for (std::size_t at = 0; at + width <= contents.bytes.size(); at += width) {
    const base::Index index = base::read_index(tensor.data_type, contents.bytes.data() + at);
    const auto value =
        static_cast<std::int64_t>(index.is_negative ? index.bits : std::min(index.bits, kMost));
    most = least ? std::max(most, value) : value;
    least = least ? std::min(*least, value) : value;
  }
  if (least) traits.indices.insert({*least, most});
}

Json traits_to_json(const cases::Case& one) {
  Traits traits;
  std::visit([&](const auto& op) { op.visit_fields(op, NumbersOfFields{traits}); }, one.op);
  std::size_t input = 0;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    add_layout(tensor.desc, traits);
    if (tensor.field.access != Access::kInput) return;
    if (tensor.field.content == Content::kIndices && input < one.inputs.size())
      add_indices(tensor.desc, one.inputs[input], traits);
    ++input;
  });
  Json json = Json::object();
  const auto add = [&](const char* name, const auto& values) {
    if (!values.empty()) json[name] = values;
  };
  add("axis", traits.axes);
  add("stride", traits.strides);
  add("index", traits.indices);
  add("layout", traits.layouts);
  return json;
}

std::string_view expectation_name(const cases::Expectation& expectation) {
  switch (expectation.kind) {
    case cases::Expectation::Kind::kOutputs:
      return "outputs";
    case cases::Expectation::Kind::kRejected:
      return "rejected";
    case cases::Expectation::Kind::kError:
      return "error";
    case cases::Expectation::Kind::kAnyOf:
      return "any_of";
    case cases::Expectation::Kind::kReference:
      break;
  }
  return "reference";
}

}  // namespace

Json case_summary_to_json(const cases::Case& one) {
  const OperatorText op = describe(one.op);
  std::optional<TensorDesc> first;
  std::optional<TensorDesc> indices;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    auto& place = tensor.field.content == Content::kIndices ? indices : first;
    if (!place) place = tensor.desc;
  });
  const auto type_name = [&](const std::optional<TensorDesc>& tensor) {
    return tensor ? name(tensor->data_type, op.dialect) : "";
  };
  return {{"id", one.id},
          {"says", one.says},
          {"file", one.file},
          {"line", one.line},
          {"operator", op.name},
          {"version", one.version.text()},
          {"data_type", type_name(first)},
          {"index_type", type_name(indices)},
          {"rank", first ? first->sizes.size() : 0},
          {"rules", one.rules},
          {"errata", one.errata},
          {"expect", expectation_name(one.expect)},
          {"traits", traits_to_json(one)}};
}

}  // namespace opconform::running
