#include "reports/spec_json.h"

#include <optional>
#include <type_traits>

namespace opconform::reports {

using base::Json;

namespace {

bool holds_indices(const OperatorText& op, std::string_view role) {
  bool holds = false;
  for_each_tensor(make_operator(op.name).value(), [&](const NamedTensor& tensor) {
    holds |= tensor.field.name == role && tensor.field.content == Content::kIndices;
  });
  return holds;
}

std::string role_of(const TensorField& field) {
  const std::string access = field.access == Access::kInput ? "input" : "output";
  return access + (field.content == Content::kIndices ? ", indices" : ", values");
}
std::string role_of(const ScalarField& field) {
  switch (field.role) {
    case ScalarRole::kAxis:
      return "axis";
    case ScalarRole::kLeadingDimensions:
      return "number of leading dimensions";
    case ScalarRole::kOther:
      break;
  }
  return "";
}
std::string role_of(const ArrayField& field) {
  switch (field.role) {
    case ArrayRole::kOffset:
      return "first element, by dimension";
    case ArrayRole::kWindow:
      return "size of the window, by dimension";
    case ArrayRole::kStride:
      return "step from an element to the next, by dimension";
  }
  return "";
}
std::string role_of(const CountField& field) {
  std::string text;
  for (const std::string_view array : field.arrays)
    if (!array.empty()) text += (text.empty() ? "length of " : ", ") + std::string(array);
  return text;
}

/// A visitor of an operator's field list.
struct FieldLister {
  std::vector<FieldText>& fields;

  template <class Field>
  void add(const Field& field, std::string kind, const std::string& more = "") const {
    fields.push_back({std::string(field.name), std::move(kind), role_of(field) + more});
  }
  void operator()(const TensorField& field, const TensorDesc& /*tensor*/) const {
    add(field, "tensor");
  }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& /*tensors*/) const {
    add(field, "tensors");
  }
  void operator()(const CountField& field) const { add(field, "number"); }
  void operator()(const ScalarField& field, std::uint32_t /*number*/) const {
    add(field, "number");
  }
  void operator()(const ScalarField& field, std::optional<std::int64_t> /*number*/) const {
    add(field, "number",
        field.role == ScalarRole::kOther ? "may be left out" : ", may be left out");
  }
  template <class Array>
  void operator()(const ArrayField& field, const Array& /*numbers*/) const {
    add(field, "numbers");
  }
};

Json operator_json(const OperatorText& op) {
  Json rows = Json::array();
  for (const SupportRow& row : op.support) {
    Json tensors = Json::object();
    for (const TensorSupport& tensor : row.tensors)
      tensors[std::string(tensor.role)] = {
          {"content", holds_indices(op, tensor.role) ? "indices" : "values"},
          {"ranks", {tensor.ranks.least, tensor.ranks.most}},
          {"data_types", type_names(tensor.data_types.types(), op.dialect)}};
    Json since = row.since.text();
    if (op.dialect == Dialect::kOnnx) since = row.since.number();
    rows.push_back({{"since", since}, {"tensors", tensors}});
  }
  Json json = {{"name", op.name}};
  if (!op.alias.empty()) json["alias"] = op.alias;
  json["fields"] = Json::array();
  for (const FieldText& field : fields_of(op))
    json["fields"].push_back({{"name", field.name}, {"kind", field.kind}, {"role", field.role}});
  json["versions"] = Json::array();
  for (const Version version : versions_of(op)) json["versions"].push_back(version.text());
  json["support"] = rows;
  return json;
}

}  // namespace

std::vector<FieldText> fields_of(const OperatorText& op) {
  std::vector<FieldText> fields;
  std::visit(
      [&](const auto& own) {
        std::remove_cvref_t<decltype(own)>::visit_fields(own, FieldLister{fields});
      },
      make_operator(op.name).value());
  return fields;
}

Json spec_to_json() {
  Json json = {{"operators", Json::array()}, {"rules", Json::array()}, {"errata", Json::array()}};
  for (const OperatorText& op : all_operators()) json["operators"].push_back(operator_json(op));
  for (const RuleText& rule : all_rules())
    json["rules"].push_back({{"name", rule.name},
                             {"kind", name(rule.kind)},
                             {"statement", rule.statement},
                             {"source", rule.source}});
  for (const Erratum& erratum : all_errata())
    json["errata"].push_back({{"name", erratum.name},
                              {"printed", erratum.printed},
                              {"reading", erratum.reading},
                              {"evidence", erratum.evidence},
                              {"editorial", erratum.editorial}});
  return json;
}

}  // namespace opconform::reports
