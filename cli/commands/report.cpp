#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/output.h"
#include "reports/atomic_file.h"
#include "reports/renderers.h"
#include "reports/report.h"

namespace opconform::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  std::string title;
  std::string json_file;
  ReportFiles outputs;
};

int report_command(const ReportArguments& arguments) {
  std::vector<std::string> outputs = arguments.outputs.all();
  outputs.push_back(arguments.json_file);
  demand_distinct(outputs, arguments.files);
  reports::ReportBuilder builder;
  for (const std::string& file : arguments.files) builder.add_file(file);
  const base::Json report = builder.take(arguments.title);
  ExitCode exit_code = write_report(report, arguments.outputs);
  if (!arguments.json_file.empty())
    exit_code = std::max(exit_code, write_or_complain(arguments.json_file, json_text(report, -1)));
  if (!arguments.outputs.any() && arguments.json_file.empty())
    print(reports::report_as_markdown(report));
  return exit_code;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* report =
      app.add_subcommand("report", "Make one report from the JSON files of other commands");
  report
      ->add_option("files", arguments->files,
                   "JSON files of run, fuzz, grid, selftest, tools/coverage, tools/mutate and "
                   "tools/bench, and coverage files")
      ->type_name(kFileType)
      ->required();
  report
      ->add_option("--title", arguments->title,
                   "Set the title of the report (default: the names of the backends)")
      ->type_name("TEXT");
  add_report_files(*report, arguments->outputs);
  add_file(*report, "--json", arguments->json_file,
           "Write the whole report as one JSON document; - is standard output");
  report->footer("Without any of these options, the command prints Markdown.");
  report->callback([arguments, &exit_code] { exit_code = report_command(*arguments); });
}

}  // namespace opconform::cli
