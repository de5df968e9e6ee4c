#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/output.h"
#include "harness/base/bad_input.h"
#include "reports/atomic_file.h"
#include "reports/comparison.h"
#include "reports/side_by_side.h"

namespace opconform::cli {
namespace {

struct CompareArguments {
  std::vector<std::string> files;
  std::vector<std::string> backends;
  std::string json_file;
  std::string sarif_file;
  std::string markdown_file;
  bool side_by_side = false;
  bool verbose = false;
  bool quiet = false;
};

std::vector<reports::ResultFile> read_files(const CompareArguments& arguments) {
  std::vector<reports::ResultFile> files;
  for (const std::string& path : arguments.files) {
    reports::ResultFile& file = files.emplace_back(reports::read_result_file(path));
    const std::vector<std::string>& wanted = arguments.backends;
    std::erase_if(file.sets, [&](const reports::ResultSet& set) {
      return !wanted.empty() &&
             std::find(wanted.begin(), wanted.end(), set.backend) == wanted.end();
    });
    if (file.sets.empty() && !file.is_interrupted)
      throw base::BadInput(path, "", "has no results of the backends that --backend names");
  }
  return files;
}

/// A table, in which nobody is older than another.
int print_side_by_side(const CompareArguments& arguments) {
  const std::vector<reports::ResultFile> files = read_files(arguments);
  const reports::SideBySide table = reports::side_by_side(files);
  ExitCode exit_code = kAllAsExpected;
  const auto write = [&](const std::string& file, const std::string& text) {
    if (!file.empty()) exit_code = std::max(exit_code, write_or_complain(file, text));
  };
  write(arguments.json_file, json_text(reports::side_by_side_json(table)));
  write(arguments.markdown_file, reports::side_by_side_markdown(table, arguments.verbose));
  if (arguments.json_file != "-" && arguments.markdown_file != "-")
    print(reports::side_by_side_text(table, arguments.verbose));
  return exit_code;
}

int compare_command(const CompareArguments& arguments) {
  demand_distinct({arguments.json_file, arguments.sarif_file, arguments.markdown_file},
                  arguments.files);
  if (arguments.side_by_side) return print_side_by_side(arguments);
  std::vector<reports::ResultFile> files = read_files(arguments);
  const reports::Comparisons comparisons = reports::compare_all(files);

  ExitCode exit_code = kAllAsExpected;
  std::string text;
  for (const reports::Comparison& one : comparisons.all) {
    if (one.is_worse()) exit_code = kNonconformance;
    text += arguments.quiet ? reports::comparison_summary_text(one)
                            : reports::comparison_text(one, arguments.verbose ? 0 : kMostNamed);
  }
  text += reports::unpaired_text(comparisons);
  if (!arguments.json_file.empty())
    exit_code = std::max(exit_code,
                         write_or_complain(arguments.json_file,
                                           json_text(reports::comparisons_to_json(comparisons))));
  if (!arguments.sarif_file.empty())
    exit_code = std::max(
        exit_code,
        write_or_complain(arguments.sarif_file, reports::comparisons_as_sarif(comparisons.all)));
  if (arguments.json_file != "-" && arguments.sarif_file != "-") print(text);
  return exit_code;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* compare =
      app.add_subcommand("compare", "List what changed from one file of results to the next");
  compare
      ->add_option("files", arguments->files,
                   "Files that run --json wrote, the oldest first; from a single file, the command "
                   "compares its backends")
      ->type_name("RESULTS.json")
      ->required();
  add_backends(*compare, arguments->backends,
               "Compare only the results of this backend; repeatable");
  add_file(*compare, "--json", arguments->json_file,
           "Write the changes as JSON; - is standard output");
  add_file(
      *compare, "--sarif", arguments->sarif_file,
      "Write the failures as SARIF 2.1.0, each with its state: new, unchanged, updated or absent");
  CLI::Option* const side_by_side = compare->add_flag(
      "--side-by-side", arguments->side_by_side,
      "Print a table of rules instead: a column for each backend of each file, however many");
  add_file(*compare, "--markdown", arguments->markdown_file, "Write the table as Markdown")
      .needs(side_by_side);
  compare->add_flag("--verbose,-v", arguments->verbose,
                    "Print every change, not only the first of each kind; or every rule, not only "
                    "those that some backend breaks");
  add_quiet(*compare, arguments->quiet);
  compare->callback([arguments, &exit_code] { exit_code = compare_command(*arguments); });
}

}  // namespace opconform::cli
