#include "reports/spec_json.h"

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
  json["versions"] = Json::array();
  for (const Version version : versions_of(op)) json["versions"].push_back(version.text());
  json["support"] = rows;
  return json;
}

}  // namespace

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
