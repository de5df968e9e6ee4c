#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/output.h"
#include "harness/cases/pretty.h"
#include "reports/atomic_file.h"
#include "reports/coverage_report.h"
#include "reports/run_info.h"

namespace opconform::cli {
namespace {

struct CoverageArguments {
  std::vector<std::string> files;
  std::string json_file;
  std::string output_file;
  std::string glob = "*";
  std::optional<double> least_percent;
  bool missing = false;
  bool counts = false;
  bool quiet = false;
};

int coverage_command(const CoverageArguments& arguments) {
  const coverage::CollectedCoverage coverage = coverage::read_coverage_files(arguments.files);
  const reports::CoverageFigures figures = reports::coverage_figures(coverage, arguments.glob);
  if (figures.groups.empty() && figures.combinations.empty()) {
    complain("--group: no group has a name that matches " + base::in_quotes(arguments.glob));
    return kBadInput;
  }
  ExitCode exit_code = kAllAsExpected;
  if (!arguments.output_file.empty()) exit_code = write_coverage(arguments.output_file, coverage);
  if (!arguments.json_file.empty())
    exit_code = std::max(
        exit_code,
        write_or_complain(arguments.json_file,
                          cases::pretty(reports::coverage_figures_to_json(coverage, figures))));
  if (arguments.json_file != "-" && arguments.output_file != "-") {
    if (arguments.counts) print(reports::coverage_counts_text(coverage, figures) + "\n");
    print(arguments.quiet ? reports::coverage_summary_text(figures)
                          : reports::coverage_text(coverage, figures, arguments.missing));
  }
  if (arguments.least_percent && figures.total.percent() < *arguments.least_percent) {
    char text[64];
    (void)std::snprintf(text, sizeof text, "coverage is %.2f %%, below %g %%",
                        std::floor(figures.total.percent() * 100) / 100, *arguments.least_percent);
    complain(text);
    exit_code = std::max(exit_code, kNonconformance);
  }
  return exit_code;
}

}  // namespace

void add_coverage(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CoverageArguments>();
  CLI::App* coverage =
      app.add_subcommand("coverage", "Merge coverage files and list what no case reached");
  coverage
      ->add_option("files", arguments->files, "Files that run --coverage or fuzz --coverage wrote")
      ->type_name(kFileType)
      ->required();
  coverage
      ->add_option("--group", arguments->glob, "Print only the groups whose name matches the glob")
      ->type_name("GLOB");
  coverage->add_flag("--missing", arguments->missing,
                     "List the bins that no case reached, and the impossible ones with the rule "
                     "that forbids them");
  coverage->add_flag("--counts", arguments->counts, "Print first how many cases reached each bin");
  coverage
      ->add_option(
          "--fail-under", arguments->least_percent,
          "Exit with code 1 if the cases reached less than this share of the reachable bins")
      ->type_name("PERCENT")
      ->check([](const std::string& text) {
        const std::optional<double> percent = parse_decimal(text);
        return percent && *percent <= 100
                   ? ""
                   : base::in_quotes(text) + " is no percentage from 0 to 100";
      });
  add_file(*coverage, "--json", arguments->json_file,
           "Write the figures as JSON; - is standard output");
  add_file(*coverage, "--output", arguments->output_file,
           "Write the merged coverage; - is standard output");
  add_quiet(*coverage, arguments->quiet);
  coverage->callback([arguments, &exit_code] {
    demand_distinct({arguments->json_file, arguments->output_file}, arguments->files);
    exit_code = coverage_command(*arguments);
  });
}

}  // namespace opconform::cli
