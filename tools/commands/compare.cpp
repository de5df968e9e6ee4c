#include <algorithm>
#include <memory>

#include "harness/bad_input.h"
#include "reports/atomic_file.h"
#include "reports/comparison.h"
#include "tools/command.h"

namespace opconform::tools {
namespace {

struct CompareArguments {
  std::vector<std::string> files;
  std::vector<std::string> backends;
  std::string json_file;
  std::string sarif_file;
  bool verbose = false;
};

int compare_command(const CompareArguments& arguments) {
  std::vector<std::vector<reports::ResultSet>> files;
  for (const std::string& file : arguments.files) {
    std::vector<reports::ResultSet>& sets = files.emplace_back(reports::read_result_sets(file));
    const std::vector<std::string>& wanted = arguments.backends;
    std::erase_if(sets, [&](const reports::ResultSet& set) {
      return !wanted.empty() &&
             std::find(wanted.begin(), wanted.end(), set.backend) == wanted.end();
    });
    if (sets.empty())
      throw harness::BadInput(file, "", "has no results of the backends that --backend names");
  }
  const std::vector<reports::Comparison> comparisons = reports::compare_all(files);

  ExitCode exit_code = kAllAsExpected;
  harness::Json json = {
      {"kind", "comparison"}, {"version", 1}, {"comparisons", harness::Json::array()}};
  std::string text;
  for (const reports::Comparison& one : comparisons) {
    if (one.is_worse()) exit_code = kNonconformance;
    json["comparisons"].push_back(reports::comparison_to_json(one));
    text += reports::comparison_text(one, arguments.verbose ? 0 : kMostNamed);
  }
  if (!arguments.json_file.empty())
    exit_code = std::max(exit_code, write_or_complain(arguments.json_file, json_text(json)));
  if (!arguments.sarif_file.empty())
    exit_code = std::max(exit_code, write_or_complain(arguments.sarif_file,
                                                      reports::comparisons_as_sarif(comparisons)));
  if (arguments.json_file != "-" && arguments.sarif_file != "-") print(text);
  return exit_code;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* compare = app.add_subcommand(
      "compare", "Tell what changed from one file of results to the next, by rule");
  compare
      ->add_option("files", arguments->files,
                   "Files of run --json, the oldest first; one with results of several backends "
                   "compares these")
      ->type_name("RESULTS.json")
      ->required();
  compare->add_option("--backend", arguments->backends, "Only results of this one, repeatable")
      ->type_name("B")
      ->allow_extra_args(false);
  add_file(*compare, "--json", arguments->json_file, "Write the changes; - is standard output");
  add_file(*compare, "--sarif", arguments->sarif_file,
           "Write the failures as SARIF, with what became of each since");
  compare->add_flag("--verbose,-v", arguments->verbose, "Name every change");
  compare->callback([arguments, &exit_code] { exit_code = compare_command(*arguments); });
}

}  // namespace opconform::tools
