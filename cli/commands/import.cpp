#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "harness/base/text.h"
#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"
#include "harness/interchange/node_test.h"

namespace opconform::cli {
namespace {

struct ImportArguments {
  std::string from;
  std::string to;
};

/// A case file has the cases of one operator.
int write_case_files(const std::vector<cases::Case>& cases, const std::filesystem::path& to) {
  std::map<std::string, std::vector<cases::Case>> by_operator;
  for (const cases::Case& one : cases) by_operator[one.operator_name].push_back(one);
  std::error_code error;
  std::filesystem::create_directories(to, error);
  int exit_code = kAllAsExpected;
  for (const auto& [name, list] : by_operator)
    exit_code =
        std::max<int>(exit_code, write_or_complain((to / (name + ".json")).string(),
                                                   cases::pretty(cases::cases_to_json(list, ""))));
  return exit_code;
}

int import_command(const ImportArguments& arguments) {
  const interchange::ImportedNodeTests imported =
      interchange::read_node_tests(arguments.from, [] { return !is_asked_to_stop(); });
  int exit_code = write_case_files(imported.cases, arguments.to);
  print(std::to_string(imported.cases.size()) + " cases" + " written to " + arguments.to + "; " +
        std::to_string(imported.of_other_operators) + " models" +
        " of other operators passed over\n");
  for (const interchange::ImportedNodeTests::LeftOut& one : imported.left_out)
    print("left out: " + base::printable(one.name) + ": " + base::printable(one.why) + "\n");
  for (const std::string& message : imported.bad_input) complain(message);
  if (!imported.bad_input.empty() || imported.cases.empty()) raise_to(exit_code, kBadInput);
  if (is_asked_to_stop()) {
    complain("interrupted");
    return kHarnessFailed;
  }
  return exit_code;
}

}  // namespace

void add_import(CLI::App& app, int& exit_code) {
  CLI::App* importing = app.add_subcommand("import", "Make cases from the tests of other projects");
  importing->require_subcommand(1);
  const auto arguments = std::make_shared<ImportArguments>();
  CLI::App* onnx =
      importing->add_subcommand("onnx", "Convert ONNX node tests of supported operators to cases");
  onnx->add_option("from", arguments->from, "A folder that holds node tests, at any depth")
      ->type_name(kFolderType)
      ->required();
  onnx->add_option("--to", arguments->to, "The folder to write to: a case file for each operator")
      ->type_name(kFolderType)
      ->required();
  onnx->callback([arguments, &exit_code] { exit_code = import_command(*arguments); });
}

}  // namespace opconform::cli
