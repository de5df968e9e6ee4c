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

namespace opconform::cli {
namespace {

struct CompareArguments {
  std::vector<std::string> files;
  std::vector<std::string> backends;
  std::string json_file;
  std::string sarif_file;
  bool verbose = false;
  bool quiet = false;
};

int compare_command(const CompareArguments& arguments) {
  demand_distinct({arguments.json_file, arguments.sarif_file}, arguments.files);
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
  compare->add_flag("--verbose,-v", arguments->verbose,
                    "Print every change, not only the first of each kind");
  add_quiet(*compare, arguments->quiet);
  compare->callback([arguments, &exit_code] { exit_code = compare_command(*arguments); });
}

}  // namespace opconform::cli
