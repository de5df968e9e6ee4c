#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "cli/case_folder.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "harness/base/suggestion.h"
#include "harness/running/selection.h"
#include "harness/strength/selftest.h"
#include "planted/registry.h"
#include "reports/atomic_file.h"
#include "reports/figures.h"
#include "reports/terminal.h"

namespace opconform::cli {
namespace {

using strength::Stage;
using strength::Suspect;
using strength::SuspectResult;

struct SelftestArguments {
  std::vector<std::string> paths;
  std::vector<std::string> only;
  std::string label;
  std::string json_file;
  unsigned jobs = 1;
  std::chrono::milliseconds fuzz_time{10'000};
  std::uint64_t seed = 1;
  std::uint64_t enough = 0;  // 0: all
  bool no_fuzz = false;
  bool quiet = false;
};

Suspect suspect_of(const planted::Planted& planted) {
  Suspect suspect;
  suspect.name = planted.row->name;
  suspect.says = planted.row->says;
  suspect.is_bug = planted.kind == planted::Kind::kBug;
  for (std::size_t i = 0; i < std::variant_size_v<Operator>; ++i)
    if ((planted.row->operators >> i & 1U) != 0) suspect.operators.push_back(i);
  suspect.make = [row = planted.row] { return planted::make_faulty(*row); };
  suspect.until_caught = !planted.row->label.empty();
  for (const std::string_view rule : planted::rules_of(*planted.row))
    suspect.rules.emplace_back(rule);
  return suspect;
}

/// A bug that only the cases of some label show runs with these alone, and then no others run.
bool is_shown(const planted::Row& row, const std::string& label) {
  return row.label == (cases::is_case_label(label) ? label : "");
}

/// Those that are to be run: behaviours show what the program does, not what the suite sees. Who
/// names some gets these, whatever their label.
std::vector<Suspect> suspects_of(const SelftestArguments& arguments) {
  std::vector<Suspect> suspects;
  for (const planted::Planted& planted : planted::all_planted()) {
    const auto matches = [&](const std::string& glob) {
      return running::matches_glob(glob, std::string(planted.row->name));
    };
    if (planted.kind != planted::Kind::kBehaviour &&
        (arguments.only.empty()
             ? is_shown(*planted.row, arguments.label)
             : std::any_of(arguments.only.begin(), arguments.only.end(), matches)))
      suspects.push_back(suspect_of(planted));
  }
  if (suspects.empty()) {
    std::vector<std::string_view> names;
    for (const planted::Planted& planted : planted::all_planted())
      if (planted.kind != planted::Kind::kBehaviour) names.push_back(planted.row->name);
    throw CLI::ValidationError("--only", "no planted bug has a name that matches" +
                                             base::did_you_mean(arguments.only.front(), names) +
                                             " (opconform list planted lists them)");
  }
  return suspects;
}

/// The operators to which the bug applies: the name of one, or "all", or the first letters of each.
std::string operators_text(const Suspect& suspect) {
  if (suspect.operators.size() == std::variant_size_v<Operator>) return "all";
  std::string text;
  for (const std::size_t place : suspect.operators) {
    const std::string_view own = all_operators()[place].prefix;
    text += (text.empty() ? "" : "+") +
            std::string(own.substr(0, suspect.operators.size() > 1 ? 3 : own.size()));
  }
  return text;
}

std::string after_text(const Stage& stage) {
  return stage.caught_after ? std::to_string(*stage.caught_after) : "-";
}
std::string share_text(const Stage& stage) {
  return std::to_string(stage.caught_by.size()) + "/" + std::to_string(stage.cases);
}

std::string_view naming_text(const Suspect& suspect, const SuspectResult& result) {
  if (!suspect.is_bug) return "";
  switch (strength::naming_of(suspect, result)) {
    case strength::Naming::kRight:
      return "right";
    case strength::Naming::kWrong:
      return "WRONG";
    case strength::Naming::kNone:
      break;
  }
  return "-";
}

std::string line_text(const Suspect& suspect, const SuspectResult& result) {
  char line[256];
  (void)std::snprintf(line, sizeof line, "  %-35s %-11s %6s %10s %7s %11s %8s %6s%s\n",
                      suspect.name.c_str(), operators_text(suspect).c_str(),
                      after_text(result.documents).c_str(), share_text(result.documents).c_str(),
                      after_text(result.suite).c_str(), share_text(result.suite).c_str(),
                      after_text(result.fuzz).c_str(), naming_text(suspect, result).data(),
                      strength::is_as_it_should(suspect, result) ? ""
                      : suspect.is_bug                           ? "  SURVIVED"
                                                                 : "  ACCUSED");
  return line;
}

/// What the table's last line says.
struct Strength {
  std::size_t bugs = 0;
  std::size_t caught = 0;
  std::size_t by_suite = 0;
  std::size_t by_documents = 0;
  std::size_t named = 0;  ///< by the rule that they break
  std::size_t misnamed = 0;
  std::size_t permitted = 0;
  std::size_t accused = 0;
};

Strength strength_of(const std::vector<Suspect>& suspects, const strength::Selftest& selftest) {
  Strength strength;
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    const SuspectResult& result = selftest.results[i];
    if (!result.is_complete) continue;
    if (!suspects[i].is_bug) {
      ++strength.permitted;
      if (result.is_caught()) ++strength.accused;
      continue;
    }
    ++strength.bugs;
    if (result.is_caught()) ++strength.caught;
    if (result.suite.caught_after.has_value()) ++strength.by_suite;
    if (result.documents.caught_after.has_value()) ++strength.by_documents;
    const strength::Naming naming = strength::naming_of(suspects[i], result);
    if (naming == strength::Naming::kRight) ++strength.named;
    if (naming == strength::Naming::kWrong) ++strength.misnamed;
  }
  return strength;
}

std::string table_text(const std::vector<Suspect>& suspects, const strength::Selftest& selftest) {
  char head[160];
  (void)std::snprintf(head, sizeof head, "%-37s %-11s %17s %19s %8s %6s\n",
                      "caught after how many cases, by how many", "", "documents", "suite", "fuzz",
                      "rule");
  std::string text = head;
  for (const bool is_bug : {true, false}) {
    text += is_bug ? "planted bugs\n" : "permitted\n";
    for (std::size_t i = 0; i < suspects.size(); ++i)
      if (suspects[i].is_bug == is_bug && selftest.results[i].is_complete)
        text += line_text(suspects[i], selftest.results[i]);
  }
  return text;
}

std::string strength_text(const std::vector<Suspect>& suspects, const strength::Selftest& selftest,
                          double seconds) {
  const Strength strength = strength_of(suspects, selftest);
  char summary[256];
  (void)std::snprintf(
      summary, sizeof summary,
      "%zu of %zu planted bugs caught (%zu by documented cases, %zu by the suite), the broken rule "
      "named for %zu, another for %zu, %zu of %zu permitted accused, ",
      strength.caught, strength.bugs, strength.by_documents, strength.by_suite, strength.named,
      strength.misnamed, strength.accused, strength.permitted);
  return summary + reports::seconds_text(seconds) + "\n";
}

/// A bug that survives, or one accused of what is permitted.
bool is_wrong(const Suspect& suspect, const SuspectResult& result) {
  return result.is_complete && !strength::is_as_it_should(suspect, result);
}

std::string wrong_text(const Suspect& suspect, const SuspectResult& result) {
  const std::string& first = result.first_message;
  return (suspect.is_bug ? "survived: " : "accused: ") + suspect.name + ": " + suspect.says +
         (first.empty() ? "" : "\n  " + base::printable(first)) + "\n";
}

strength::SelftestOptions selftest_options_of(const SelftestArguments& arguments) {
  strength::SelftestOptions options;
  options.jobs = arguments.jobs;
  options.seed = arguments.seed;
  if (arguments.enough > 0) options.enough = arguments.enough;
  options.fuzz_time = arguments.fuzz_time;
  if (cases::is_case_label(arguments.label))
    options.check.most_executed_again_bytes = 0;  // once will do
  if (arguments.no_fuzz) {
    options.fuzz_cases = 0;
    options.fuzz_time = {};
  }
  return options;
}

base::Json selftest_json(const std::vector<Suspect>& suspects, const strength::Selftest& selftest,
                         const strength::SelftestOptions& options) {
  base::Json json = strength::selftest_to_json(suspects, selftest, options);
  json["run"] = run_info();
  return json;
}

/// Complains of what could not be used, and tells what is wrong by the exit code.
void judge(const std::vector<Suspect>& suspects, const strength::Selftest& selftest,
           int& exit_code) {
  for (const std::string& message : selftest.bad_input) complain(message);
  if (!selftest.bad_input.empty()) raise_to(exit_code, kBadInput);
  for (std::size_t i = 0; i < suspects.size(); ++i)
    if (is_wrong(suspects[i], selftest.results[i])) raise_to(exit_code, kNonconformance);
}

void print_strength(const std::vector<Suspect>& suspects, const strength::Selftest& selftest,
                    double seconds, bool quiet) {
  const std::string summary = strength_text(suspects, selftest, seconds);
  if (quiet) return print(summary);
  print(table_text(suspects, selftest) + summary);
  for (std::size_t i = 0; i < suspects.size(); ++i)
    if (is_wrong(suspects[i], selftest.results[i]))
      print(wrong_text(suspects[i], selftest.results[i]));
}

int selftest_command(const SelftestArguments& arguments) {
  int exit_code = kAllAsExpected;
  demand_distinct({arguments.json_file}, case_paths(arguments.paths));
  const std::vector<Suspect> suspects = suspects_of(arguments);
  const reports::Stopwatch stopwatch;
  const std::atomic<bool>& stop = stop_on_signals();
  const strength::SelftestOptions options = selftest_options_of(arguments);
  write_interrupted(arguments.json_file, selftest_json({}, {}, options));
  const cases::LoadedCases loaded = load_labelled(arguments.label, arguments.paths, exit_code);
  if (loaded.cases.empty() && !loaded.interrupted) {
    if (exit_code == kAllAsExpected) complain("there are no cases");
    raise_to(exit_code, kBadInput);
    return exit_code;
  }

  strength::Selftest selftest;
  {
    reports::Progress progress(suspects.size(),
                               reports::Style(stderr).is_terminal() && !arguments.quiet);
    selftest = strength::run_selftest(
        suspects, loaded.cases, options, [&] { progress.step(); }, stop);
  }
  const double seconds = stopwatch.seconds();
  judge(suspects, selftest, exit_code);
  // The file first: a closed pipe must not cost it. Its failure must not cost what is printed.
  if (!arguments.json_file.empty())
    raise_to(exit_code, write_or_complain(arguments.json_file,
                                          json_text(selftest_json(suspects, selftest, options))));
  if (arguments.json_file != "-") print_strength(suspects, selftest, seconds, arguments.quiet);
  if (selftest.interrupted) {
    const auto tried = std::count_if(selftest.results.begin(), selftest.results.end(),
                                     [](const SuspectResult& one) { return one.is_complete; });
    complain("interrupted: " + std::to_string(tried) + " of " + std::to_string(suspects.size()) +
             " were tried");
    raise_to(exit_code, kHarnessFailed);
  }
  return exit_code;
}

}  // namespace

void add_selftest(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<SelftestArguments>();
  CLI::App* selftest =
      app.add_subcommand("selftest", "Run planted bugs and count the cases that catch each");
  add_case_paths(*selftest, arguments->paths);
  selftest
      ->add_option("--only", arguments->only,
                   "Run only the planted bugs whose name matches the glob; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_label(*selftest, arguments->label, "Run");
  add_number(*selftest, "--enough", arguments->enough,
             "Run each operator's cases only until N of them catch the bug (default: all)")
      .check(whole_number(1, 1'000'000));
  selftest->add_flag("--no-fuzz", arguments->no_fuzz, "Generate no cases");
  add_jobs(*selftest, arguments->jobs, "Run N planted bugs at a time (default: 1)");
  add_seconds(*selftest, "--fuzz-time", arguments->fuzz_time,
              "Set the time for generated cases of a bug that no other case catches (default: 10)");
  add_number(*selftest, "--seed", arguments->seed,
             "Set the seed of the generated cases (default: 1)");
  add_file(*selftest, "--json", arguments->json_file,
           "Write the results as JSON; - is standard output");
  add_quiet(*selftest, arguments->quiet);
  selftest->callback([arguments, &exit_code] { exit_code = selftest_command(*arguments); });
}

}  // namespace opconform::cli
