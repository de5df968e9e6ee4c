#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/output.h"
#include "harness/running/case_summary.h"
#include "harness/running/runner.h"

namespace opconform::cli {
namespace {

using base::Json;

struct ListArguments {
  std::vector<std::string> paths;
  running::Selection selection;
  bool json = false;
};

int list_command(const ListArguments& arguments) {
  int exit_code = kAllAsExpected;
  const cases::LoadedCases loaded = load(arguments.paths, exit_code);
  const auto cases = running::select(loaded.cases, arguments.selection);
  if (arguments.json) {
    Json array = Json::array();
    for (const cases::Case* one : cases) array.push_back(running::case_summary_to_json(*one));
    print(array.dump(1) + "\n");
  } else {
    std::string text;
    for (const cases::Case* one : cases) text += one->id + "  " + base::printable(one->says) + "\n";
    print(text);
  }
  if (cases.empty()) {
    if (exit_code == kAllAsExpected) complain("no case is selected");
    exit_code = std::max<int>(exit_code, kBadInput);
  }
  return exit_code;
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ListArguments>();
  CLI::App* list = app.add_subcommand("list", "List cases");
  list->add_option("paths", arguments->paths,
                   "Case files and directories (default: the committed cases)")
      ->type_name("CASE-FILE|DIR");
  add_filter(*list, arguments->selection.filters);
  list->add_flag("--json", arguments->json, "Print a JSON array");
  list->callback([arguments, &exit_code] { exit_code = list_command(*arguments); });
}

}  // namespace opconform::cli
