#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/selection.h"
#include "cli/signals.h"
#include "harness/base/text.h"
#include "harness/interchange/dxdispatch.h"
#include "harness/interchange/folder.h"
#include "harness/interchange/node_test.h"
#include "harness/interchange/npy.h"

namespace opconform::cli {
namespace {

struct ExportArguments {
  std::vector<std::string> paths;
  running::Selection selection;
  std::string label;
  std::string to;
  bool verbose = false;
};

struct Format {
  const char* name;
  const char* says;
  void (*write)(const cases::Case& one, const std::filesystem::path& folder);
};

constexpr Format kFormats[] = {
    {"onnx", "Write ONNX node tests: a model and its data for each case with a single result",
     interchange::write_node_test},
    {"npy", "Write NumPy arrays: the inputs of each case, and what is expected",
     interchange::write_npy_case},
    {"dxdispatch",
     "Write models that DxDispatch runs on DirectML, with a script that runs them all",
     interchange::write_dxdispatch_case},
};

/// How many cases could not be said, for each reason.
std::string reasons_text(const interchange::Exported& exported, bool verbose) {
  std::string text;
  std::map<std::string, std::size_t> reasons;
  for (const interchange::Exported::LeftOut& one : exported.left_out) {
    ++reasons[one.why];
    if (verbose) text += "left out: " + one.id + ": " + one.why + "\n";
  }
  for (const auto& [why, count] : reasons)
    text += "  " + std::to_string(count) + " left out: " + why + "\n";
  return text;
}

int export_command(const ExportArguments& arguments, const Format& format) {
  int exit_code = kAllAsExpected;
  const cases::LoadedCases loaded = load_labelled(arguments.label, arguments.paths, exit_code);
  const auto chosen = running::select(loaded.cases, arguments.selection);
  if (chosen.empty()) {
    if (exit_code == kAllAsExpected) complain(selects_none_text(arguments.selection, loaded));
    return std::max<int>(exit_code, kBadInput);
  }
  const interchange::Exported exported = interchange::export_cases(
      chosen, arguments.to, format.write, [] { return !is_asked_to_stop(); });
  if (format.write == interchange::write_dxdispatch_case)
    interchange::write_file(std::filesystem::path(arguments.to) / interchange::kDxdispatchScript,
                            interchange::dxdispatch_script());
  print(std::to_string(exported.written) + " of " + std::to_string(chosen.size()) + " cases" +
        " written to " + arguments.to + "\n" + reasons_text(exported, arguments.verbose));
  if (is_asked_to_stop()) {
    complain("interrupted");
    return kHarnessFailed;
  }
  return exit_code;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  CLI::App* exporting =
      app.add_subcommand("export", "Write cases in formats that other programs run");
  exporting->require_subcommand(1);
  for (const Format& format : kFormats) {
    const auto arguments = std::make_shared<ExportArguments>();
    CLI::App* one = exporting->add_subcommand(format.name, format.says);
    add_case_paths(*one, arguments->paths);
    add_selection(*one, arguments->selection);
    add_label(*one, arguments->label, "Write");
    one->add_option("--to", arguments->to, "The folder to write to, new or empty")
        ->type_name(kFolderType)
        ->required();
    one->add_flag("-v,--verbose", arguments->verbose, "Name each case that is left out");
    one->callback(
        [arguments, &format, &exit_code] { exit_code = export_command(*arguments, format); });
  }
}

}  // namespace opconform::cli
