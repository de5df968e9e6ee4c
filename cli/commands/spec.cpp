#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "reports/spec_json.h"

namespace opconform::cli {
namespace {

std::string spec_text() {
  std::string text;
  for (const OperatorText& op : all_operators()) {
    text +=
        std::string(op.name) + (op.alias.empty() ? "" : ", also " + std::string(op.alias)) + "\n";
    text += "  fields\n";
    for (const reports::FieldText& field : reports::fields_of(op))
      text += "    " + field.name + ": " + field.kind +
              (field.role.empty() ? "" : ", " + field.role) + "\n";
    for (const SupportRow& row : op.support) {
      text += "  from " + row.since.text() + "\n";
      for (const TensorSupport& tensor : row.tensors) {
        text += "    " + std::string(tensor.role) + ": rank " + std::to_string(tensor.ranks.least);
        if (tensor.ranks.least != tensor.ranks.most)
          text += " to " + std::to_string(tensor.ranks.most);
        text += ",";
        for (const std::string& type : type_names(tensor.data_types.types(), op.dialect))
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
  CLI::App* spec = app.add_subcommand(
      "spec", "Print each operator's fields and support table, the rules and the errata");
  spec->add_flag("--json", *json, "Print a JSON object");
  spec->callback([json, &exit_code] {
    print(*json ? reports::spec_to_json().dump(1) + "\n" : spec_text());
    exit_code = kAllAsExpected;
  });
}

}  // namespace opconform::cli
