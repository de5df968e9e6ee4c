#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include "cli/options.h"
#include "harness/base/bad_input.h"
#include "harness/campaigns/findings.h"
#include "harness/coverage/coverage.h"
#include "harness/running/expected_failures.h"
#include "harness/running/repeat.h"
#include "harness/running/result_json.h"
#include "harness/running/runner.h"
#include "reports/atomic_file.h"
#include "reports/report.h"
#include "reports/terminal.h"

namespace opconform::tools {
namespace {

using harness::CaseResult;

struct RunArguments {
  std::vector<std::string> paths;
  std::vector<std::string> backends{harness::kBuiltInBackends.begin(),
                                    harness::kBuiltInBackends.end()};
  std::vector<std::string> filters;
  std::string feature_level;
  std::string shard;
  std::string label;
  std::string guard = "canary";
  std::string expect_file;
  std::string json_file;
  std::string coverage_file;
  ReportFiles reports;
  unsigned jobs = 1;
  double timeout_seconds = 10;
  std::uint64_t seed = 1;
  std::uint64_t repeat = 1;
  std::uint64_t memory_limit_bytes = harness::kDefaultMemoryLimitBytes;
  bool isolate = false;
  bool strict_gaps = false;
  bool verbose = false;
  bool quiet = false;
};

/// The options that change what a result can be, as they were given.
std::string repro_options(const RunArguments& arguments) {
  const RunArguments standard;
  std::string text;
  if (arguments.guard != standard.guard) text += " --guard " + arguments.guard;
  if (arguments.seed != standard.seed) text += " --seed " + std::to_string(arguments.seed);
  if (arguments.strict_gaps) text += " --strict-gaps";
  if (arguments.isolate) text += " --isolate";
  if (arguments.timeout_seconds != standard.timeout_seconds) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, " --timeout %g", arguments.timeout_seconds);
    text += seconds;
  }
  if (arguments.memory_limit_bytes != standard.memory_limit_bytes)
    text += " --memory-limit " + std::to_string(arguments.memory_limit_bytes);
  return text;
}

std::string repro_text(const harness::Case& tested, const std::string& backend,
                       const RunArguments& arguments) {
  return repro_environment() + "opconform run " + shell_path(tested.file) + " --filter " +
         shell_word(tested.id) + " --backend " + shell_word(backend) + repro_options(arguments);
}

harness::Selection selection_of(const RunArguments& arguments) {
  harness::Selection selection;
  selection.filters = arguments.filters;
  selection.at_most = feature_level_of(arguments.feature_level);
  if (!arguments.shard.empty()) {
    const char* const end = arguments.shard.data() + arguments.shard.size();
    std::size_t index = 0;
    std::size_t count = 0;
    const auto first = std::from_chars(arguments.shard.data(), end, index);
    const bool has_slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
    const auto second = has_slash ? std::from_chars(first.ptr + 1, end, count) : first;
    if (!has_slash || second.ec != std::errc{} || second.ptr != end || index < 1 || index > count)
      throw CLI::ValidationError("--shard",
                                 "not of the form I/N with 1 <= I <= N: " + arguments.shard);
    selection.shard = index - 1;
    selection.shard_count = count;
  }
  return selection;
}

std::vector<std::unique_ptr<harness::Backend>> backends_of(const RunArguments& arguments) {
  std::vector<std::unique_ptr<harness::Backend>> backends;
  for (const std::string& name : arguments.backends) {
    const auto is_same = [&](const auto& other) { return other->name() == name; };
    if (std::none_of(backends.begin(), backends.end(), is_same))
      backends.push_back(backend_of(name));
  }
  return backends;
}

/// What came of a run besides the verdicts.
struct Besides {
  harness::Smallest smallest{};
  harness::Repetitions repetitions{};
  std::vector<std::string> stale{};  ///< lines of --expect that are due for removal
};

harness::Json results_json(const harness::RunOutcome& outcome,
                           const std::vector<const harness::Case*>& cases, const Besides& besides,
                           const RunArguments& arguments) {
  using harness::Json;
  Json json = harness::run_to_json(outcome, cases, besides.smallest, arguments.seed);
  json["run"] = run_info();
  if (arguments.repeat > 1) {
    Json changed = Json::array();
    for (const harness::ChangedVerdict& one : besides.repetitions.changed)
      changed.push_back({{"case", one.case_id},
                         {"backend", one.backend},
                         {"first", harness::name(one.first)},
                         {"later", harness::name(one.later)},
                         {"seed", one.check.seed},
                         {"jobs", one.jobs}});
    json["repetitions"] = {{"done", besides.repetitions.done + 1}, {"changed", std::move(changed)}};
  }
  if (!besides.stale.empty()) json["stale_expectations"] = besides.stale;
  return json;
}

/// Keeps the file of results up to date while the run goes on, so that a run that is killed leaves
/// what it had, marked as interrupted. Only a file that can be replaced as a whole.
class PartialResults {
 public:
  PartialResults(const RunArguments& arguments, const std::vector<const harness::Case*>& cases,
                 const std::optional<harness::ExpectedFailures>& expected_failures)
      : arguments_(arguments), cases_(cases), expected_failures_(expected_failures) {
    is_used_ = is_replaceable(arguments.json_file);
    for (std::size_t i = 0; i < cases.size(); ++i) place_of_[cases[i]->id] = i;
  }
  void add(const CaseResult& result) {
    if (!is_used_) return;
    so_far_.results.push_back(result);
    if (expected_failures_) expected_failures_->apply({&so_far_.results.back(), 1});
    if (std::chrono::steady_clock::now() - written_ >= std::chrono::seconds(2)) write();
  }
  void write() {
    if (!is_used_) return;
    so_far_.interrupted = true;
    std::stable_sort(so_far_.results.begin(), so_far_.results.end(),
                     [&](const CaseResult& a, const CaseResult& b) {
                       return place_of_.at(a.case_id) < place_of_.at(b.case_id);
                     });
    try {
      reports::write_file(arguments_.json_file,
                          json_text(results_json(so_far_, cases_, {}, arguments_)));
    } catch (const reports::WriteError&) {
      is_used_ = false;  // the whole file is tried again, and complained of, at the end
    }
    written_ = std::chrono::steady_clock::now();
  }

 private:
  const RunArguments& arguments_;
  const std::vector<const harness::Case*>& cases_;
  std::optional<harness::ExpectedFailures>
      expected_failures_;  // a copy: what it has met is not told
  bool is_used_;
  std::map<std::string_view, std::size_t> place_of_;
  harness::RunOutcome so_far_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

/// Failures of one kind are shrunk once, and some kinds alone: a report needs an example, no more.
harness::Smallest shrink(const harness::RunOutcome& outcome,
                         const std::map<std::string_view, const harness::Case*>& case_by_id,
                         const std::vector<std::unique_ptr<harness::Backend>>& backends,
                         harness::RunOptions options, const std::atomic<bool>& stop) {
  constexpr std::size_t kMostKinds = 20;
  constexpr auto kMostTime = std::chrono::seconds(10);
  const auto start = std::chrono::steady_clock::now();
  std::set<std::tuple<std::string, std::size_t, harness::Verdict, std::string>> kinds;
  harness::Smallest smallest;
  for (std::size_t i = 0; i < outcome.results.size() && !stop; ++i) {
    const CaseResult& result = outcome.results[i];
    if (!harness::is_nonconformance(result.verdict)) continue;
    const harness::Case& failing = *case_by_id.at(result.case_id);
    if (kinds.size() == kMostKinds || std::chrono::steady_clock::now() - start > kMostTime) break;
    if (!kinds.emplace(result.backend, failing.op.index(), result.verdict, result.rule).second)
      continue;
    const auto backend = std::find_if(backends.begin(), backends.end(), [&](const auto& one) {
      return one->name() == result.backend;
    });
    options.isolate |= (*backend)->needs_isolation() ||
                       result.verdict == harness::Verdict::kCrash ||
                       result.verdict == harness::Verdict::kTimeout;
    harness::Reduction reduction = harness::reduce_safely(failing, **backend, options, stop);
    if (reduction.reproduced && harness::is_nonconformance(reduction.result.verdict))
      smallest.emplace(i, std::move(reduction));
  }
  return smallest;
}

std::string changed_text(const harness::ChangedVerdict& one) {
  return one.case_id + " [" + one.backend + "]: " + std::string(harness::name(one.first)) +
         ", and " + std::string(harness::name(one.later)) + " with --seed " +
         std::to_string(one.check.seed) + " --jobs " + std::to_string(one.jobs);
}

/// A case that conforms at first and later does not has failed: so that every report says so.
void take_over(const std::vector<harness::ChangedVerdict>& changed,
               const std::map<std::string_view, const harness::Case*>& case_by_id,
               RunArguments arguments, std::vector<CaseResult>& results) {
  for (const harness::ChangedVerdict& one : changed) {
    if (harness::is_nonconformance(one.first) || !harness::is_nonconformance(one.later)) continue;
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

std::vector<std::string> names_of(const std::vector<std::unique_ptr<harness::Backend>>& backends) {
  std::vector<std::string> names;
  for (const auto& backend : backends) names.push_back(backend->name());
  return names;
}

/// What the cases cover that some backend offered to run.
harness::CollectedCoverage coverage_of(const std::vector<const harness::Case*>& cases,
                                       const harness::RunOutcome& outcome,
                                       std::uint64_t memory_limit_bytes) {
  std::set<std::string_view> ran;
  for (const CaseResult& result : outcome.results)
    if (result.verdict != harness::Verdict::kUnsupported) ran.insert(result.case_id);
  harness::CollectedCoverage collected;
  harness::Coverage coverage(collected.counters);
  for (const harness::Case* one : cases)
    if (ran.count(one->id) != 0) harness::observe_case(*one, memory_limit_bytes, coverage);
  return collected;
}

int run_command(const RunArguments& arguments) {
  int exit_code = kAllAsExpected;
  const auto raise = [&](ExitCode code) { exit_code = std::max<int>(exit_code, code); };
  const harness::Selection selection = selection_of(arguments);
  const auto backends = backends_of(arguments);
  std::optional<harness::ExpectedFailures> expected_failures;
  if (!arguments.expect_file.empty())
    expected_failures = harness::ExpectedFailures::read(arguments.expect_file);

  std::vector<std::string> outputs = arguments.reports.all();
  outputs.insert(outputs.end(), {arguments.json_file, arguments.coverage_file});
  std::vector<std::string> inputs = arguments.paths;
  if (inputs.empty()) inputs.push_back(default_case_directory().string());
  inputs.push_back(arguments.expect_file);
  demand_distinct(outputs, inputs);

  const auto start = std::chrono::steady_clock::now();
  const std::atomic<bool>& interrupted = stop_on_signals();
  write_interrupted(arguments.json_file, results_json({}, {}, {}, arguments));
  const harness::LoadedCases loaded =
      arguments.label.empty() ? load(arguments.paths, exit_code)
                              : load_labelled(arguments.label, arguments.paths, exit_code);
  const std::vector<const harness::Case*> cases = harness::select(loaded.cases, selection);
  const bool selects_none = cases.empty() && exit_code == kAllAsExpected;

  harness::RunOptions options;
  options.check = {*harness::parse_guard(arguments.guard), arguments.strict_gaps, arguments.seed,
                   arguments.memory_limit_bytes};
  options.jobs = arguments.jobs;
  // A guard page ends the process that touches it.
  options.isolate = arguments.isolate || arguments.guard != "canary";
  options.timeout = milliseconds(arguments.timeout_seconds);
  options.repro = [&](const harness::Case& tested, const harness::Backend& backend) {
    return repro_text(tested, backend.name(), arguments);
  };

  const reports::Style out_style(stdout);
  const reports::Style error_style(stderr);
  std::map<std::string_view, const harness::Case*> case_by_id;
  for (const harness::Case* one : cases) case_by_id.emplace(one->id, one);
  harness::RunOutcome outcome;
  Besides besides;
  {
    const bool shows_progress = error_style.is_terminal() && !arguments.quiet;
    reports::Progress progress(cases.size() * backends.size(), shows_progress);
    PartialResults partial(arguments, cases, expected_failures);
    const auto on_result = [&](const CaseResult& result) {
      partial.add(result);
      progress.step();
    };
    outcome = harness::run(cases, backends, options, on_result, interrupted);
    if (arguments.repeat > 1) partial.write();  // the rest takes as long, many times over
    reports::Progress rounds(arguments.repeat, shows_progress);
    besides.repetitions = harness::repeat(
        cases, backends, options, arguments.repeat - 1, outcome.results, [&] { rounds.step(); },
        interrupted);
    outcome.interrupted = outcome.interrupted || besides.repetitions.interrupted;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  take_over(besides.repetitions.changed, case_by_id, arguments, outcome.results);
  if (expected_failures) {
    expected_failures->apply(outcome.results);
    besides.stale = expected_failures->stale(loaded.cases);
  }
  if (selects_none) outcome.bad_input.push_back("no case is selected");
  for (const std::string& message : outcome.bad_input) complain(message);
  if (!outcome.bad_input.empty()) raise(kBadInput);
  outcome.bad_input.insert(outcome.bad_input.begin(), loaded.bad_input.begin(),
                           loaded.bad_input.end());

  // Files first: a closed pipe must not cost them. Their failure must not cost what is printed,
  // either.
  if (!arguments.coverage_file.empty())
    raise(write_coverage(arguments.coverage_file,
                         coverage_of(cases, outcome, arguments.memory_limit_bytes)));
  if (!arguments.json_file.empty() || arguments.reports.any()) {
    besides.smallest = shrink(outcome, case_by_id, backends, options, interrupted);
    const harness::Json json = results_json(outcome, cases, besides, arguments);
    if (!arguments.json_file.empty())
      raise(write_or_complain(arguments.json_file, json_text(json)));
    if (arguments.reports.any()) {
      reports::ReportBuilder builder;
      builder.add(json, arguments.json_file.empty() ? "this run" : arguments.json_file);
      raise(write_report(builder.take(""), arguments.reports));
    }
  }
  for (const CaseResult& result : outcome.results) {
    const bool failed = harness::is_nonconformance(result.verdict);
    if (failed) raise(kNonconformance);
    const bool worth_telling = failed ? !arguments.quiet : arguments.verbose;
    const auto found = case_by_id.find(result.case_id);
    if (worth_telling && arguments.json_file != "-")
      print(reports::result_text(result, found == case_by_id.end() ? nullptr : found->second,
                                 out_style));
  }
  for (const harness::ChangedVerdict& one : besides.repetitions.changed) {
    complain("verdict changed: " + changed_text(one));
    raise(kNonconformance);
  }
  for (const std::string& message : besides.stale) {
    complain(message);
    raise(kNonconformance);
  }
  if (arguments.json_file != "-" && !cases.empty())
    print(reports::summary_text(outcome, {cases.size(), names_of(backends), seconds}, out_style) +
          (arguments.repeat > 1
               ? std::to_string(besides.repetitions.done + 1) + " repetitions, " +
                     std::to_string(besides.repetitions.changed.size()) + " verdicts changed\n"
               : ""));
  if (outcome.interrupted) {
    complain("interrupted: these are the results so far");
    raise(kHarnessFailed);
  }
  return exit_code;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* run =
      app.add_subcommand("run", "Run cases on implementations and give a verdict on each");
  run->add_option("paths", arguments->paths,
                  "Case files and directories; left out: the committed cases")
      ->type_name("CASE-FILE|DIR");
  run->add_option(
         "--backend", arguments->backends,
         "Implementation to test, repeatable (reference, optimized, faulty:NAME; default: both)")
      ->type_name("B")
      ->allow_extra_args(false);
  run->add_option("--filter", arguments->filters,
                  "Only cases whose id matches the glob, repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  run->add_option("--feature-level", arguments->feature_level,
                  "Leave out DirectML cases of higher feature levels")
      ->type_name("L");
  run->add_option("--jobs,-j", arguments->jobs, "Cases at once")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U));
  add_label(*run, arguments->label);
  run->add_option("--shard", arguments->shard, "Only the I-th of N parts of the cases")
      ->type_name("I/N");
  add_seconds(*run, "--timeout", arguments->timeout_seconds,
              "Time for one isolated case (default 10)");
  run->add_flag("--isolate", arguments->isolate, "Each case in a process that may crash or hang");
  run->add_option("--guard", arguments->guard,
                  "What surrounds buffers: canary bytes, or inaccessible pages behind or before "
                  "them (isolated)")
      ->type_name("KIND")
      ->check(CLI::IsMember({"canary", "pages", "pages-before"}));
  run->add_flag("--strict-gaps", arguments->strict_gaps,
                "Bytes of an output between its elements must stay intact");
  add_number(*run, "--seed", arguments->seed,
             "Of gap bytes, canaries and base addresses (default 1)", "N");
  run->add_option("--repeat", arguments->repeat,
                  "Run all N times, each time with another seed, order and number of jobs; a "
                  "verdict that changes is a failure")
      ->type_name("N")
      ->check(CLI::Range(1U, 1'000'000U));
  add_number(*run, "--memory-limit", arguments->memory_limit_bytes,
             "Bytes of all buffers of one case (default 1 GiB, at most 2 GiB)", "BYTES");
  add_file(*run, "--expect", arguments->expect_file, "Known failures: a glob and a reason a line");
  add_file(*run, "--json", arguments->json_file, "Write the results; - is standard output");
  add_report_files(*run, arguments->reports);
  add_file(*run, "--coverage", arguments->coverage_file,
           "Write what the cases cover, for opconform coverage")
      .check([](const std::string& text) {
        return text == "-" ? "standard output is for the results" : "";
      });
  run->add_flag("--verbose,-v", arguments->verbose, "Tell of passes too");
  run->add_flag("--quiet,-q", arguments->quiet, "Only the summary");
  run->callback([arguments, &exit_code] { exit_code = run_command(*arguments); });
}

}  // namespace opconform::tools
