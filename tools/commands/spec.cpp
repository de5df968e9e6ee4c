#include <memory>

#include "harness/json_document.h"
#include "tools/command.h"

namespace opconform::tools {
namespace {

using harness::Json;

std::vector<std::string> type_names(DataTypeSet types, Dialect dialect) {
  std::vector<std::string> names;
  for (const DataType type : all_data_types())
    if (types.contains(type)) names.emplace_back(name(type, dialect));
  return names;
}

Json operator_json(const OperatorText& op) {
  Json rows = Json::array();
  for (const SupportRow& row : op.support) {
    Json tensors = Json::object();
    for (const TensorSupport& tensor : row.tensors)
      tensors[std::string(tensor.role)] = {
          {"ranks", {tensor.ranks.least, tensor.ranks.most}},
          {"data_types", type_names(tensor.data_types, op.dialect)}};
    Json since = row.since.text();
    if (op.dialect == Dialect::kOnnx) since = row.since.number();
    rows.push_back({{"since", since}, {"tensors", tensors}});
  }
  Json json = {{"name", op.name}};
  if (!op.alias.empty()) json["alias"] = op.alias;
  json["support"] = rows;
  return json;
}

Json spec_json() {
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

std::string spec_text() {
  std::string text;
  for (const OperatorText& op : all_operators()) {
    text +=
        std::string(op.name) + (op.alias.empty() ? "" : ", also " + std::string(op.alias)) + "\n";
    for (const SupportRow& row : op.support) {
      text += "  from " + row.since.text() + "\n";
      for (const TensorSupport& tensor : row.tensors) {
        text += "    " + std::string(tensor.role) + ": rank " + std::to_string(tensor.ranks.least);
        if (tensor.ranks.least != tensor.ranks.most)
          text += " to " + std::to_string(tensor.ranks.most);
        text += ",";
        for (const std::string& type : type_names(tensor.data_types, op.dialect))
          text += " " + type;
        text += "\n";
      }
    }
    text += "\n";
  }
  for (const RuleText& rule : all_rules())
    text += std::string(rule.name) + " (" + std::string(name(rule.kind)) + ", " +
            std::string(rule.source) + ")\n  " + std::string(rule.statement) + "\n";
  text += "\n";
  for (const Erratum& erratum : all_errata())
    text += std::string(erratum.name) + "\n  printed:  " + std::string(erratum.printed) +
            "\n  read as:  " + std::string(erratum.reading) +
            "\n  evidence: " + std::string(erratum.evidence) + "\n";
  return text;
}

}  // namespace

void add_spec(CLI::App& app, int& exit_code) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* spec = app.add_subcommand("spec", "Print the support tables, the rules and the errata");
  spec->add_flag("--json", *json, "As a JSON object");
  spec->callback([json, &exit_code] {
    print(*json ? spec_json().dump(1) + "\n" : spec_text());
    exit_code = kAllAsExpected;
  });
}

}  // namespace opconform::tools
