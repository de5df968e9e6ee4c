#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/adapters.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/selection.h"
#include "harness/base/suggestion.h"
#include "harness/running/case_summary.h"
#include "planted/registry.h"
#include "reports/columns.h"

namespace opconform::cli {
namespace {

using base::Json;

struct ListArguments {
  std::vector<std::string> paths;
  running::Selection selection;
  std::string label;
  bool json = false;
};

/// A path that is none may be meant for one of the other lists.
void demand_paths(const CLI::App& list, const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const CLI::App* one : list.get_subcommands(nullptr)) names.push_back(one->get_name());
  std::error_code error;
  for (const std::string& path : paths)
    if (const std::string question = base::did_you_mean(path, {names.begin(), names.end()});
        !question.empty() && !std::filesystem::exists(path, error))
      throw CLI::ValidationError("no such file or folder: " + base::in_quotes(path) + question);
}

int list_command(const ListArguments& arguments) {
  int exit_code = kAllAsExpected;
  const cases::LoadedCases loaded = load_labelled(arguments.label, arguments.paths, exit_code);
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
    if (exit_code == kAllAsExpected) complain(selects_none_text(arguments.selection, loaded));
    exit_code = std::max<int>(exit_code, kBadInput);
  }
  return exit_code;
}

std::string backends_text() {
  std::string text;
  for (std::size_t i = 0; i < backends::kBuiltInBackends.size(); ++i)
    text += reports::left(std::string(backends::kBuiltInBackends[i]), 17) +
            std::string(backends::kWhatBuiltInBackendsAre[i]) + "\n";
  return text + "faulty:NAME      one of " + std::to_string(planted::all_planted().size()) +
         " implementations that show what the suite sees (opconform list planted)\n"
         "plugin:PATH      a shared library of your own: opconform/plugin.h\n"
         "process:COMMAND  a program of your own, in any language: docs/protocol.md\n"
         "adapter:NAME     an engine of others, by an adapter that came with the program "
         "(opconform list adapters)\n"
         "recorded:DIR     what somebody computed for an export: docs/interchange.md\n";
}

std::string_view heading(planted::Kind kind) {
  switch (kind) {
    case planted::Kind::kBug:
      return "planted bugs, which cases must catch";
    case planted::Kind::kPermitted:
      return "permitted, which no case may accuse";
    case planted::Kind::kBehaviour:
      return "what crashes, hangs or floods, to see what the program makes of it";
  }
  return "";
}

/// Behind what is said: the operators, unless it concerns all.
std::string operators_of(const planted::Row& row) {
  if (row.operators == planted::kAll) return "";
  std::string text;
  const std::vector<OperatorText> operators = all_operators();
  for (std::size_t i = 0; i < operators.size(); ++i)
    if ((row.operators >> i & 1U) != 0)
      text += (text.empty() ? "" : ", ") + std::string(operators[i].name);
  return " (" + text + ")";
}

std::string planted_text() {
  std::string text;
  for (const planted::Kind kind :
       {planted::Kind::kBug, planted::Kind::kPermitted, planted::Kind::kBehaviour}) {
    text += std::string(heading(kind)) + "\n";
    for (const planted::Planted& one : planted::all_planted())
      if (one.kind == kind)
        text += "  faulty:" + std::string(one.row->name) + "  " + std::string(one.row->says) +
                operators_of(*one.row) + "\n";
  }
  return text;
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ListArguments>();
  CLI::App* list =
      app.add_subcommand("list", "List cases, backends, adapters, profiles or planted bugs");
  const auto add_listing = [&](const char* name, const char* what, std::string (*text)()) {
    list->add_subcommand(name, what)->callback([text, &exit_code] {
      print(text());
      exit_code = kAllAsExpected;
    });
  };
  add_listing("backends", "List what --backend takes, a line each", backends_text);
  add_listing("adapters", "List the engines of others that --backend takes, a line each",
              adapters_text);
  add_listing("profiles", "List the promises that --profile takes by name", profiles_text);
  add_listing("planted", "List the planted bugs, and what is wrong with each", planted_text);
  add_case_paths(*list, arguments->paths);  // after the others, which have none
  add_selection(*list, arguments->selection);
  add_label(*list, arguments->label, "List");
  list->add_flag("--json", arguments->json, "Print a JSON array");
  list->callback([list, arguments, &exit_code] {
    if (!list->get_subcommands().empty()) return;
    demand_paths(*list, arguments->paths);
    exit_code = list_command(*arguments);
  });
}

}  // namespace opconform::cli
