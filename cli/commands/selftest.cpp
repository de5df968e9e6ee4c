#include <algorithm>
#include <memory>

#include "cli/options.h"
#include "harness/running/runner.h"
#include "harness/strength/selftest.h"
#include "planted/registry.h"
#include "reports/atomic_file.h"
#include "reports/terminal.h"

namespace opconform::tools {
namespace {

using harness::Stage;
using harness::Suspect;
using harness::SuspectResult;

struct SelftestArguments {
  std::vector<std::string> paths;
  std::vector<std::string> only;
  std::string label;
  std::string json_file;
  unsigned jobs = 1;
  double fuzz_seconds = 10;
  std::uint64_t seed = 1;
  bool no_fuzz = false;
};

Suspect suspect_of(const faulty::Planted& planted) {
  Suspect suspect;
  suspect.name = planted.row->name;
  suspect.says = planted.row->says;
  suspect.is_bug = planted.kind == faulty::Kind::kBug;
  for (std::size_t i = 0; i < std::variant_size_v<Operator>; ++i)
    if ((planted.row->operators >> i & 1U) != 0) suspect.operators.push_back(i);
  suspect.make = [row = planted.row] { return faulty::make_faulty(*row); };
  suspect.guard = planted.row->guard;
  return suspect;
}

/// Those that are to be run: behaviours show what the program does, not what the suite sees.
std::vector<Suspect> suspects_of(const SelftestArguments& arguments) {
  std::vector<Suspect> suspects;
  for (const faulty::Planted& planted : faulty::all_planted()) {
    const auto matches = [&](const std::string& glob) {
      return harness::matches_glob(glob, std::string(planted.row->name));
    };
    if (planted.kind != faulty::Kind::kBehaviour &&
        (arguments.only.empty() ||
         std::any_of(arguments.only.begin(), arguments.only.end(), matches)))
      suspects.push_back(suspect_of(planted));
  }
  if (suspects.empty()) throw CLI::ValidationError("--only", "no planted bug has such a name");
  return suspects;
}

/// "Sc Sp Sl Ga", as far as they apply.
std::string operators_text(const Suspect& suspect) {
  if (suspect.operators.size() == std::variant_size_v<Operator>) return "all";
  std::string text;
  for (const std::size_t place : suspect.operators) {
    const std::string_view name = all_operators()[place].name;
    const std::string_view own = name.substr(name.find('_') + 1);
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

std::string line_text(const Suspect& suspect, const SuspectResult& result) {
  char line[256];
  std::snprintf(line, sizeof line, "  %-35s %-11s %6s %10s %7s %11s %8s%s\n", suspect.name.c_str(),
                operators_text(suspect).c_str(), after_text(result.documents).c_str(),
                share_text(result.documents).c_str(), after_text(result.suite).c_str(),
                share_text(result.suite).c_str(), after_text(result.fuzz).c_str(),
                harness::is_as_it_should(suspect, result) ? ""
                : suspect.is_bug                          ? "  SURVIVED"
                                                          : "  ACCUSED");
  return line;
}

std::string table_text(const std::vector<Suspect>& suspects, const harness::Selftest& selftest,
                       double seconds) {
  char head[160];
  std::snprintf(head, sizeof head, "%-37s %-11s %17s %19s %8s\n",
                "caught after how many cases, by how many", "", "documents", "suite", "fuzz");
  std::string text = head;
  std::size_t bugs = 0;
  std::size_t caught = 0;
  std::size_t by_suite = 0;
  std::size_t by_documents = 0;
  std::size_t permitted = 0;
  std::size_t accused = 0;
  for (const bool is_bug : {true, false}) {
    text += is_bug ? "planted bugs\n" : "permitted\n";
    for (std::size_t i = 0; i < suspects.size(); ++i) {
      const SuspectResult& result = selftest.results[i];
      if (suspects[i].is_bug != is_bug || !result.is_complete) continue;
      text += line_text(suspects[i], result);
      if (is_bug) {
        ++bugs;
        caught += std::size_t{result.is_caught()};
        by_suite += std::size_t{result.suite.caught_after.has_value()};
        by_documents += std::size_t{result.documents.caught_after.has_value()};
      } else {
        ++permitted;
        accused += std::size_t{result.is_caught()};
      }
    }
  }
  char summary[256];
  std::snprintf(
      summary, sizeof summary,
      "%zu of %zu planted bugs caught (%zu by documented cases, %zu by the suite), %zu of %zu "
      "permitted accused, %.1f s\n",
      caught, bugs, by_documents, by_suite, accused, permitted, seconds);
  return text + summary;
}

bool is_wrong(const Suspect& suspect, const SuspectResult& result) {
  return result.is_complete && !harness::is_as_it_should(suspect, result);
}

int selftest_command(const SelftestArguments& arguments) {
  int exit_code = kAllAsExpected;
  const auto raise = [&](ExitCode code) { exit_code = std::max<int>(exit_code, code); };
  std::vector<std::string> inputs = arguments.paths;
  if (inputs.empty()) inputs.push_back(default_case_directory().string());
  demand_distinct({arguments.json_file}, inputs);
  const std::vector<Suspect> suspects = suspects_of(arguments);
  const auto start = std::chrono::steady_clock::now();
  const std::atomic<bool>& stop = stop_on_signals();
  const auto result_json = [&](const std::vector<Suspect>& tried, const harness::Selftest& result) {
    harness::Json json = harness::selftest_to_json(tried, result, arguments.seed);
    json["run"] = run_info();
    return json;
  };
  write_interrupted(arguments.json_file, result_json({}, {}));
  const harness::LoadedCases loaded =
      arguments.label.empty() ? load(arguments.paths, exit_code)
                              : load_labelled(arguments.label, arguments.paths, exit_code);
  if (loaded.cases.empty()) {
    if (exit_code == kAllAsExpected) complain("there are no cases");
    raise(kBadInput);
    return exit_code;
  }

  harness::SelftestOptions options;
  options.jobs = arguments.jobs;
  options.seed = arguments.seed;
  options.fuzz_time = milliseconds(arguments.fuzz_seconds);
  if (arguments.no_fuzz) {
    options.fuzz_cases = 0;
    options.fuzz_time = {};
  }
  harness::Selftest selftest;
  {
    reports::Progress progress(suspects.size(), reports::Style(stderr).is_terminal());
    selftest = harness::run_selftest(
        suspects, loaded.cases, options, [&] { progress.step(); }, stop);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const std::string& message : selftest.bad_input) complain(message);
  if (!selftest.bad_input.empty()) raise(kBadInput);
  for (std::size_t i = 0; i < suspects.size(); ++i)
    if (is_wrong(suspects[i], selftest.results[i])) raise(kNonconformance);

  // The file first: a closed pipe must not cost it. Its failure must not cost what is printed.
  if (!arguments.json_file.empty())
    raise(write_or_complain(arguments.json_file, json_text(result_json(suspects, selftest))));
  if (arguments.json_file != "-") {
    print(table_text(suspects, selftest, seconds));
    for (std::size_t i = 0; i < suspects.size(); ++i) {
      const SuspectResult& result = selftest.results[i];
      if (!is_wrong(suspects[i], result)) continue;
      print(
          (suspects[i].is_bug ? "survived: " : "accused: ") + suspects[i].name + ": " +
          suspects[i].says +
          (result.first_message.empty() ? "" : "\n  " + harness::printable(result.first_message)) +
          "\n");
    }
  }
  if (selftest.interrupted) {
    const auto tried = std::count_if(selftest.results.begin(), selftest.results.end(),
                                     [](const SuspectResult& one) { return one.is_complete; });
    complain("interrupted: " + std::to_string(tried) + " of " + std::to_string(suspects.size()) +
             " were tried");
    raise(kHarnessFailed);
  }
  return exit_code;
}

}  // namespace

void add_selftest(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<SelftestArguments>();
  CLI::App* selftest = app.add_subcommand(
      "selftest", "Plant known bugs and tell which cases catch each: the strength of the suite");
  selftest
      ->add_option("paths", arguments->paths,
                   "Case files and directories; left out: the committed cases")
      ->type_name("CASE-FILE|DIR");
  selftest
      ->add_option("--only", arguments->only,
                   "Only planted bugs whose name matches the glob, repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_label(*selftest, arguments->label);
  selftest->add_flag("--no-fuzz", arguments->no_fuzz, "Only the cases must catch the bugs");
  selftest->add_option("--jobs,-j", arguments->jobs, "Planted bugs at once")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U));
  add_seconds(*selftest, "--fuzz-time", arguments->fuzz_seconds,
              "Time for generated cases, where no other catches a bug (default 10)");
  add_number(*selftest, "--seed", arguments->seed, "Of the generated cases (default 1)", "N");
  add_file(*selftest, "--json", arguments->json_file, "Write the results; - is standard output");
  selftest->callback([arguments, &exit_code] { exit_code = selftest_command(*arguments); });
}

}  // namespace opconform::tools
