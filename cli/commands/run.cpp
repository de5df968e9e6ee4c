#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>

#include "cli/case_folder.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run/arguments.h"
#include "cli/run/results.h"
#include "cli/run/smallest.h"
#include "cli/selection.h"
#include "cli/signals.h"
#include "harness/coverage/coverage.h"
#include "harness/diagnosis/picture.h"
#include "reports/figures.h"
#include "reports/group_text.h"
#include "reports/picture_text.h"
#include "reports/promise_text.h"
#include "reports/report.h"
#include "reports/terminal.h"

namespace opconform::cli {
namespace {

using judging::CaseResult;

std::string changed_text(const running::ChangedVerdict& one) {
  return one.case_id + " [" + one.backend + "]: " + std::string(judging::name(one.first)) +
         ", and " + std::string(judging::name(one.later)) + " with --seed " +
         std::to_string(one.check.seed) + " --jobs " + std::to_string(one.jobs);
}

/// A case that conforms at first and later does not has failed: so that every report says so.
void adopt_changed_verdicts(const std::vector<running::ChangedVerdict>& changed,
                            const CaseById& case_by_id, RunArguments arguments,
                            std::vector<CaseResult>& results) {
  for (const running::ChangedVerdict& one : changed) {
    if (judging::is_nonconformance(one.first) || !judging::is_nonconformance(one.later)) continue;
    const auto result = std::find_if(results.begin(), results.end(), [&](const CaseResult& other) {
      return other.case_id == one.case_id && other.backend == one.backend;
    });
    arguments.seed = one.check.seed;
    result->verdict = one.later;
    result->message = "not always: " + changed_text(one);
    result->repro = repro_text(*case_by_id.at(one.case_id), one.backend, arguments) + " --jobs " +
                    std::to_string(one.jobs);
  }
}

std::vector<std::string> names_of(const Backends& backends) {
  std::vector<std::string> names;
  for (const auto& backend : backends) names.push_back(backend->name());
  return names;
}

/// What the cases cover that some backend offered to run.
coverage::CollectedCoverage coverage_of(const std::vector<const cases::Case*>& cases,
                                        const running::RunOutcome& outcome,
                                        std::uint64_t memory_limit_bytes) {
  std::set<std::string_view> ran;
  for (const CaseResult& result : outcome.results)
    if (judging::was_judged(result.verdict)) ran.insert(result.case_id);
  coverage::CollectedCoverage collected;
  coverage::Coverage coverage(collected.counters);
  for (const cases::Case* one : cases)
    if (ran.contains(one->id)) coverage::observe_case(*one, memory_limit_bytes, coverage);
  return collected;
}

/// One run of the command: its steps, in their order, and what they hand on.
class RunCommand {
 public:
  explicit RunCommand(const RunArguments& arguments)
      : arguments_(arguments),
        selection_(selection_of(arguments)),
        backends_(backends_of(arguments)),
        options_(run_options_of(arguments)) {
    besides_.promises = promises_json(backends_);
    if (!arguments.expect_file.empty())
      expected_failures_ = running::ExpectedFailures::read(arguments.expect_file);
  }

  /// Files are written before anything is printed: a closed pipe must not cost them. Their failure
  /// must not cost what is printed, either.
  int execute() {
    demand_distinct_files();
    write_interrupted(arguments_.json_file, results_json({}, {}, besides_, arguments_));
    load_cases();
    run_cases();
    settle_verdicts();
    diagnose(outcome_, case_by_id_, backends_, options_, interrupted_, besides_);
    complain_of_bad_input();
    write_files();
    print_failures();
    complain_of_changes();
    print_summary();
    if (outcome_.hangs) end_at_once();
    return exit_code_;
  }

 private:
  void demand_distinct_files() const {
    std::vector<std::string> outputs = arguments_.reports.all();
    outputs.insert(outputs.end(), {arguments_.json_file, arguments_.coverage_file});
    std::vector<std::string> inputs = case_paths(arguments_.paths);
    inputs.push_back(arguments_.expect_file);
    demand_distinct(outputs, inputs);
  }

  void load_cases() {
    loaded_ = load_labelled(arguments_.label, arguments_.paths, exit_code_);
    cases_ = running::select(loaded_.cases, selection_);
    selects_none_ = cases_.empty() && exit_code_ == kAllAsExpected && !loaded_.interrupted;
    for (const cases::Case* one : cases_) case_by_id_.emplace(one->id, one);
  }

  void run_cases() {
    const bool shows_progress = reports::Style(stderr).is_terminal() && !arguments_.quiet;
    reports::Progress progress(cases_.size() * backends_.size(), shows_progress);
    PartialResults partial(arguments_, besides_.promises, cases_, expected_failures_);
    const auto on_result = [&](const CaseResult& result) {
      partial.add(result);
      progress.step();
    };
    outcome_ = running::run(cases_, backends_, options_, on_result, interrupted_);
    if (arguments_.repeat > 1) partial.write();  // the rest takes as long, many times over
    reports::Progress rounds(arguments_.repeat, shows_progress);
    besides_.repetitions = running::repeat(
        cases_, backends_, options_, arguments_.repeat - 1, outcome_.results,
        [&] { rounds.step(); }, interrupted_);
    outcome_.interrupted = outcome_.interrupted || besides_.repetitions.interrupted;
    outcome_.hangs = outcome_.hangs || besides_.repetitions.hangs;
    seconds_ = stopwatch_.seconds();
  }

  /// What repetitions and the list of expected failures make of the verdicts.
  void settle_verdicts() {
    adopt_changed_verdicts(besides_.repetitions.changed, case_by_id_, arguments_, outcome_.results);
    if (!expected_failures_) return;
    expected_failures_->apply(outcome_.results);
    if (!loaded_.interrupted)
      besides_.stale = expected_failures_->stale(loaded_.cases, of_other_shards());
  }

  [[nodiscard]] std::vector<const cases::Case*> of_other_shards() const {
    running::Selection all_shards = selection_;
    all_shards.shard = 0;
    all_shards.shard_count = 1;
    std::vector<const cases::Case*> others = running::select(loaded_.cases, all_shards);
    std::erase_if(others, [&](const cases::Case* one) { return case_by_id_.contains(one->id); });
    return others;
  }

  /// Loading has complained of what is bad in the files.
  void complain_of_bad_input() {
    std::vector<std::string>& all = outcome_.bad_input;
    if (selects_none_) all.push_back(selects_none_text(selection_, loaded_));
    for (const std::string& message : all) complain(message);
    if (!all.empty()) raise_to(exit_code_, kBadInput);
    all.insert(all.begin(), loaded_.bad_input.begin(), loaded_.bad_input.end());
  }

  void write_files() {
    if (!arguments_.coverage_file.empty())
      raise_to(exit_code_,
               write_coverage(arguments_.coverage_file,
                              coverage_of(cases_, outcome_, arguments_.memory_limit_bytes)));
    const std::string& json_file = arguments_.json_file;
    if (json_file.empty() && !arguments_.reports.any()) return;
    const base::Json json = results_json(outcome_, cases_, besides_, arguments_);
    if (!json_file.empty()) raise_to(exit_code_, write_or_complain(json_file, json_text(json)));
    if (!arguments_.reports.any()) return;
    reports::ReportBuilder builder;
    builder.add(json, json_file.empty() ? "this run" : json_file);
    raise_to(exit_code_, write_report(builder.take(""), arguments_.reports));
  }

  void print_failures() {
    if (!besides_.groups.empty()) raise_to(exit_code_, kNonconformance);
    if (!prints()) return;
    print(reports::promises_text(besides_.promises, arguments_.quiet));
    if (arguments_.verbose)
      for (const CaseResult& result : outcome_.results)
        print(reports::result_text(result, case_by_id_.at(result.case_id), out_style_) +
              picture_text(result));
    for (const diagnosis::Group& group : besides_.groups) {
      const auto smallest = besides_.smallest.find(group.example);
      print(arguments_.quiet
                ? reports::group_line(group, outcome_.results[group.example], out_style_)
                : reports::group_text(
                      group, *case_by_id_.at(outcome_.results[group.example].case_id),
                      outcome_.results[group.example],
                      smallest == besides_.smallest.end() ? nullptr : &smallest->second,
                      out_style_));
    }
  }

  void complain_of_changes() {
    for (const running::ChangedVerdict& one : besides_.repetitions.changed) {
      complain("verdict changed: " + changed_text(one));
      raise_to(exit_code_, kNonconformance);
    }
    for (const std::string& message : besides_.stale) {
      complain(message);
      raise_to(exit_code_, kNonconformance);
    }
  }

  void print_summary() {
    if (prints() && !arguments_.quiet)
      print(left_out_text(running::select(loaded_.left_out, selection_)));
    if (prints() && !cases_.empty())
      print(reports::summary_text(outcome_, {cases_.size(), names_of(backends_), seconds_},
                                  out_style_) +
            repetitions_text());
    if (!outcome_.interrupted) return;
    complain("interrupted: these are the results so far");
    raise_to(exit_code_, kHarnessFailed);
  }

  /// A thread of this process never comes back: what it uses must not be destroyed.
  [[noreturn]] void end_at_once() const {
    (void)std::fflush(nullptr);
    std::_Exit(exit_code_);
  }

  [[nodiscard]] std::string picture_text(const CaseResult& result) const {
    if (!judging::is_nonconformance(result.verdict)) return "";
    return reports::picture_text(diagnosis::picture_of(*case_by_id_.at(result.case_id), result),
                                 out_style_, reports::paper_of(stdout, out_style_));
  }

  [[nodiscard]] std::string repetitions_text() const {
    if (arguments_.repeat <= 1) return "";
    return std::to_string(besides_.repetitions.done + 1) + " repetitions, " +
           std::to_string(besides_.repetitions.changed.size()) + " verdicts changed\n";
  }
  /// Standard output is for the results where these go there.
  [[nodiscard]] bool prints() const { return arguments_.json_file != "-"; }

  const RunArguments& arguments_;
  const running::Selection selection_;
  const Backends backends_;
  const running::RunOptions options_;
  const std::atomic<bool>& interrupted_ = stop_on_signals();
  const reports::Style out_style_{stdout};
  const reports::Stopwatch stopwatch_;
  std::optional<running::ExpectedFailures> expected_failures_;
  cases::LoadedCases loaded_;
  std::vector<const cases::Case*> cases_;  ///< those that are selected
  bool selects_none_ = false;              ///< though nothing is wrong with the files
  CaseById case_by_id_;
  running::RunOutcome outcome_;
  Besides besides_;
  double seconds_ = 0;
  int exit_code_ = kAllAsExpected;
};

void add_tested(CLI::App& run, RunArguments& arguments) {
  add_case_paths(run, arguments.paths);
  add_backends(run, arguments.backends,
               "Test this implementation: reference, optimized, faulty:NAME, plugin:PATH, "
               "process:COMMAND or adapter:NAME (default: reference and optimized); repeatable");
  add_profile(run, arguments.profile);
  add_selection(run, arguments.selection);
  add_jobs(run, arguments.jobs, "Run N cases at a time (default: 1)");
  add_label(run, arguments.label, "Run");
  run.add_option("--shard", arguments.shard,
                 "Divide the cases into N parts and run part I, counted from 1")
      ->type_name("I/N");
}

void add_manner(CLI::App& run, RunArguments& arguments) {
  add_seconds(run, "--timeout", arguments.timeout,
              "Set the time limit of a case in a worker process (default: 10)");
  CLI::Option* isolate =
      run.add_flag("--isolate", arguments.isolate,
                   "Run the built-in implementations in worker processes too, so that a crash or a "
                   "hang costs one case; all others always run there");
  run.add_flag("--in-process", arguments.in_process,
               "Run every implementation in this process, for a debugger: a crash ends the run, "
               "and no time limit holds")
      ->excludes(isolate);
  run.add_option("--guard", arguments.guard,
                 "Surround buffers with inaccessible pages and canary bytes (the default), or with "
                 "canary bytes alone, which detect no reads")
      ->type_name(kGuardType)
      ->check(CLI::IsMember(guard_names()));
  run.add_flag("--strict-gaps", arguments.strict_gaps,
               "Demand that the bytes between the elements of an output stay intact");
  add_number(run, "--seed", arguments.seed,
             "Set the seed of gap bytes, canaries and base addresses (default: 1)");
  run.add_option("--repeat", arguments.repeat,
                 "Run all cases N times, each time with another seed, order and number of jobs; a "
                 "verdict that changes is a failure (default: 1)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000));
  run.add_option(
         "--threads", arguments.threads,
         "Also execute each plan from N threads at once, if the implementation offers that; "
         "repeat for each N (default: 3, for one case in eight; 1: never)")
      ->type_name("N[,N...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(1, 256));
  run.add_option(
         "--plans", arguments.plans,
         "Have N plans of each case and its siblings at once, where that is wanted (default: "
         "33 for one case of 256, 4 for four of 256; 1: never)")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  add_number(run, "--memory-limit", arguments.memory_limit_bytes,
             "Limit the buffers of one case together (default: 1 GiB, at most 2 GiB)", "BYTES");
}

void add_outputs(CLI::App& run, RunArguments& arguments) {
  add_file(run, "--expect", arguments.expect_file,
           "Read known failures; each line holds a glob of case ids and a reason");
  add_file(run, "--json", arguments.json_file, "Write the results as JSON; - is standard output");
  add_report_files(run, arguments.reports);
  add_coverage_file(run, arguments.coverage_file);
  run.add_flag("--verbose,-v", arguments.verbose,
               "Print passes too, what they chose, and a picture of each failure");
  add_quiet(run, arguments.quiet);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* run = app.add_subcommand("run", "Run cases and give each a verdict");
  add_tested(*run, *arguments);
  add_manner(*run, *arguments);
  add_outputs(*run, *arguments);
  run->callback([arguments, &exit_code] { exit_code = RunCommand(*arguments).execute(); });
}

}  // namespace opconform::cli
