#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "harness/base/json_document.h"
#include "spec/validate.h"

namespace opconform::cli {
namespace {

using base::Json;

struct ValidateArguments {
  std::vector<std::string> paths;
  bool json = false;
};

/// Does `expect` permit a descriptor that breaks exactly these rules? None broken means that it is
/// valid.
bool permits(const cases::Expectation& expectation, const std::vector<std::string>& broken) {
  using Kind = cases::Expectation::Kind;
  if (expectation.kind == Kind::kRejected) return expectation.rules == broken;
  if (expectation.kind != Kind::kAnyOf) return broken.empty();
  return std::any_of(expectation.any_of.begin(), expectation.any_of.end(),
                     [&](const cases::Expectation& one) { return permits(one, broken); });
}

int validate_command(const ValidateArguments& arguments) {
  int exit_code = kAllAsExpected;
  const cases::LoadedCases loaded = load_all(arguments.paths, exit_code);
  Json array = Json::array();
  std::string text;
  for (const cases::Case& one : loaded.cases) {
    const Violations violations = validate(one.op, one.version);
    Json list = Json::array();
    text += one.id + (violations.empty() ? ": valid\n" : "\n");
    for (const Violation& violation : violations.list()) {
      text += "  " + std::string(violation.rule) + " at " + violation.field + ": " +
              violation.message + "\n";
      list.push_back(
          {{"rule", violation.rule}, {"field", violation.field}, {"message", violation.message}});
    }
    Json undecided = Json::array();
    for (const Violation& violation : violations.undecided()) {
      text += "  undecided: " + std::string(violation.rule) + " at " + violation.field + "\n";
      undecided.push_back(
          {{"rule", violation.rule}, {"field", violation.field}, {"message", violation.message}});
      complain(one.file + ": " + one.id + ": " + violation.message);
      raise_to(exit_code, kBadInput);
    }
    array.push_back({{"id", one.id}, {"valid", violations.empty()}, {"violations", list}});
    if (!undecided.empty()) array.back()["undecided"] = undecided;
    const auto rules = violations.rules();
    if (!permits(one.expect, {rules.begin(), rules.end()})) raise_to(exit_code, kNonconformance);
  }
  print(arguments.json ? array.dump(1) + "\n" : text);
  return exit_code;
}

}  // namespace

void add_validate(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ValidateArguments>();
  CLI::App* validate = app.add_subcommand("validate", "List the rules that each descriptor breaks");
  validate
      ->add_option("paths", arguments->paths,
                   "Case files and directories; exit code 1 if a descriptor breaks rules other "
                   "than those that its case names")
      ->type_name(kCaseFilesType)
      ->required();
  validate->add_flag("--json", arguments->json, "Print a JSON array");
  validate->callback([arguments, &exit_code] { exit_code = validate_command(*arguments); });
}

}  // namespace opconform::cli
