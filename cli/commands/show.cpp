#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/case_text.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "harness/diagnosis/picture.h"
#include "reports/picture_text.h"

namespace opconform::cli {
namespace {

using cases::Case;

struct ShowArguments {
  std::string id;
  std::vector<std::string> paths;
  bool whole = false;
};

int show_command(const ShowArguments& arguments) {
  int exit_code = kAllAsExpected;
  const cases::LoadedCases loaded = load_all(arguments.paths, exit_code);
  const auto found = std::find_if(loaded.cases.begin(), loaded.cases.end(),
                                  [&](const Case& one) { return one.id == arguments.id; });
  if (found == loaded.cases.end()) {
    if (exit_code == kAllAsExpected) complain(no_such_case(loaded.cases, arguments.id));
    return kBadInput;
  }
  const reports::Style style(stdout);
  const std::string picture =
      reports::picture_text(diagnosis::picture_of(*found), style, reports::paper_of(stdout, style));
  print(case_text(*found, arguments.whole ? Shown::kWhole : Shown::kShortened, picture));
  return exit_code;
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App* show = app.add_subcommand(
      "show", "Explain one case: descriptor, contents, what conforms, a picture, rules, errata");
  show->add_option("id", arguments->id, "The case's id")->type_name(kCaseIdType)->required();
  add_case_paths(*show, arguments->paths,
                 "Case files and directories to search (default: the committed cases)");
  show->add_flag("--whole", arguments->whole,
                 "Print every element; without this option, long rows appear as runs and ramps");
  show->callback([arguments, &exit_code] { exit_code = show_command(*arguments); });
}

}  // namespace opconform::cli
