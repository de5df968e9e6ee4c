#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/selection.h"
#include "reports/spec_json.h"

namespace opconform::cli {
namespace {

std::string operator_text(const OperatorText& op) {
  std::string text =
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
  return text + "\n";
}

bool is_of(const RuleText& rule, const OperatorText& op) {
  return rule.name.substr(0, rule.name.find('.')) == op.prefix;
}

/// Of the operators at those places in all_operators(), with the rules of all tensors; of all
/// operators where there are none.
std::string spec_text(const std::vector<std::size_t>& operators) {
  const std::vector<OperatorText> all = all_operators();
  std::vector<OperatorText> chosen;
  chosen.reserve(operators.size());
  for (const std::size_t place : operators) chosen.push_back(all[place]);
  if (operators.empty()) chosen = all;
  std::string text;
  for (const OperatorText& op : chosen) text += operator_text(op);
  const auto is_chosen = [&](const RuleText& rule) {
    const auto has = [&](const OperatorText& op) { return is_of(rule, op); };
    return std::any_of(chosen.begin(), chosen.end(), has) ||
           std::none_of(all.begin(), all.end(), has);
  };
  for (const RuleText& rule : all_rules())
    if (is_chosen(rule))
      text += std::string(rule.name) + " (" + std::string(name(rule.kind)) + ", " +
              std::string(rule.source) + ")\n  " + std::string(rule.statement) + "\n";
  if (!operators.empty()) return text;
  text += "\n";
  for (const Erratum& erratum : all_errata())
    text += std::string(erratum.name) + "\n  printed:  " + std::string(erratum.printed) +
            "\n  read as:  " + std::string(erratum.reading) +
            "\n  evidence: " + std::string(erratum.evidence) + "\n";
  return text;
}

}  // namespace

void add_spec(CLI::App& app, int& exit_code) {
  struct Arguments {
    bool json = false;
    std::vector<std::size_t> operators;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* spec = app.add_subcommand(
      "spec", "Print each operator's fields and support table, the rules and the errata");
  CLI::Option* const json = spec->add_flag("--json", arguments->json, "Print a JSON object");
  add_operators(*spec, arguments->operators,
                "Print only this operator, and the rules that it can break")
      ->excludes(json);
  spec->callback([arguments, &exit_code] {
    print(arguments->json ? reports::spec_to_json().dump(1) + "\n"
                          : spec_text(arguments->operators));
    exit_code = kAllAsExpected;
  });
}

}  // namespace opconform::cli
