#include <csignal>
#include <iostream>
#include <map>
#include <memory>

#include "harness/bad_input.h"
#include "harness/expected_failures.h"
#include "harness/result_json.h"
#include "harness/runner.h"
#include "reports/atomic_file.h"
#include "reports/terminal.h"
#include "tools/command.h"

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
  std::string guard = "canary";
  std::string expect_file;
  std::string json_file;
  unsigned jobs = 1;
  double timeout_seconds = 10;
  std::uint64_t seed = 1;
  std::uint64_t memory_limit_bytes = harness::kDefaultMemoryLimitBytes;
  bool isolate = false;
  bool strict_gaps = false;
  bool verbose = false;
  bool quiet = false;
};

std::atomic<bool> interrupted = false;
void on_interrupt(int /*signal*/) { interrupted = true; }

std::string shell_word(const std::string& word) {
  const bool plain =
      !word.empty() &&
      word.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+") ==
          std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The options that change what a result can be, as they were given.
std::string repro_options(const RunArguments& arguments) {
  const RunArguments standard;
  std::string text;
  if (arguments.guard != standard.guard) text += " --guard " + arguments.guard;
  if (arguments.seed != standard.seed) text += " --seed " + std::to_string(arguments.seed);
  if (arguments.strict_gaps) text += " --strict-gaps";
  if (arguments.isolate) text += " --isolate";
  if (arguments.memory_limit_bytes != standard.memory_limit_bytes)
    text += " --memory-limit " + std::to_string(arguments.memory_limit_bytes);
  return text;
}

harness::Selection selection_of(const RunArguments& arguments) {
  harness::Selection selection;
  selection.filters = arguments.filters;
  if (!arguments.feature_level.empty()) {
    selection.at_most = Version::parse(arguments.feature_level, Dialect::kDirectml);
    if (!selection.at_most)
      throw CLI::ValidationError("--feature-level", "no feature level: " + arguments.feature_level);
  }
  if (!arguments.shard.empty()) {
    char end = '\0';
    unsigned long index = 0;
    unsigned long count = 0;
    if (std::sscanf(arguments.shard.c_str(), "%lu/%lu%c", &index, &count, &end) != 2 || index < 1 ||
        index > count)
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
    backends.push_back(harness::make_backend(name));
    if (backends.back() == nullptr)
      throw CLI::ValidationError("--backend", "no such backend: " + name);
  }
  return backends;
}

int run_command(const RunArguments& arguments) {
  int exit_code = kAllAsExpected;
  const auto raise = [&](ExitCode code) { exit_code = std::max<int>(exit_code, code); };
  const harness::Selection selection = selection_of(arguments);
  const auto backends = backends_of(arguments);
  std::optional<harness::ExpectedFailures> expected_failures;
  if (!arguments.expect_file.empty())
    expected_failures = harness::ExpectedFailures::read(arguments.expect_file);

  const auto start = std::chrono::steady_clock::now();
  const harness::LoadedCases loaded = load(arguments.paths, exit_code);
  const std::vector<const harness::Case*> cases = harness::select(loaded.cases, selection);
  if (cases.empty()) {
    complain("no case is selected");
    raise(kBadInput);
  }

  harness::RunOptions options;
  options.check = {*harness::parse_guard(arguments.guard), arguments.strict_gaps, arguments.seed,
                   arguments.memory_limit_bytes};
  options.jobs = arguments.jobs;
  // A guard page ends the process that touches it.
  options.isolate = arguments.isolate || arguments.guard != "canary";
  options.timeout =
      std::chrono::milliseconds(static_cast<long long>(arguments.timeout_seconds * 1000));
  options.repro = [&](const harness::Case& tested, const harness::Backend& backend) {
    return "opconform run " + shell_word(tested.file) + " --filter " + shell_word(tested.id) +
           " --backend " + shell_word(backend.name()) + repro_options(arguments);
  };

  const reports::Style out_style(stdout);
  const reports::Style error_style(stderr);
  std::map<std::string_view, const harness::Case*> case_by_id;
  for (const harness::Case* one : cases) case_by_id.emplace(one->id, one);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  harness::RunOutcome outcome;
  {
    reports::Progress progress(cases.size() * backends.size(),
                               error_style.is_terminal() && !arguments.quiet);
    outcome = harness::run(
        cases, backends, options, [&](const CaseResult&) { progress.step(); }, interrupted);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  std::vector<std::string> stale;
  if (expected_failures) {
    expected_failures->apply(outcome.results);
    stale = expected_failures->stale(loaded.cases);
  }
  for (const std::string& message : outcome.bad_input) complain(message);
  if (!outcome.bad_input.empty()) raise(kBadInput);
  outcome.bad_input.insert(outcome.bad_input.begin(), loaded.bad_input.begin(),
                           loaded.bad_input.end());

  // The file first: a closed pipe must not cost the results.
  if (!arguments.json_file.empty())
    reports::write_file(arguments.json_file,
                        harness::run_to_json(outcome, arguments.seed)
                                .dump(1, ' ', false, harness::Json::error_handler_t::replace) +
                            "\n");
  for (const CaseResult& result : outcome.results) {
    const bool failed = harness::is_nonconformance(result.verdict);
    if (failed) raise(kNonconformance);
    const bool worth_telling = failed ? !arguments.quiet : arguments.verbose;
    const auto found = case_by_id.find(result.case_id);
    if (worth_telling && arguments.json_file != "-")
      print(reports::result_text(result, found == case_by_id.end() ? nullptr : found->second,
                                 out_style));
  }
  for (const std::string& message : stale) {
    complain(message);
    raise(kNonconformance);
  }
  if (arguments.json_file != "-" && !cases.empty())
    print(reports::summary_text(outcome, {cases.size(), arguments.backends, seconds}, out_style));
  if (outcome.interrupted) {
    complain("interrupted: the results so far are above");
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
  run->add_option("--backend", arguments->backends,
                  "Implementation to test, repeatable (reference, optimized; default: both)")
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
  run->add_option("--shard", arguments->shard, "Only the I-th of N parts of the cases")
      ->type_name("I/N");
  run->add_option("--timeout", arguments->timeout_seconds,
                  "Time for one isolated case (default 10)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.001, 86400.0));
  run->add_flag("--isolate", arguments->isolate, "Each case in a process that may crash or hang");
  run->add_option("--guard", arguments->guard,
                  "What surrounds buffers: canary bytes, or inaccessible pages behind or before "
                  "them (isolated)")
      ->type_name("KIND")
      ->check(CLI::IsMember({"canary", "pages", "pages-before"}));
  run->add_flag("--strict-gaps", arguments->strict_gaps,
                "Bytes of an output between its elements must stay intact");
  run->add_option("--seed", arguments->seed,
                  "Of gap bytes, canaries and base addresses (default 1)")
      ->type_name("N");
  run->add_option("--memory-limit", arguments->memory_limit_bytes,
                  "Bytes that one case may take (default 1 GiB)")
      ->type_name("BYTES");
  run->add_option("--expect", arguments->expect_file, "Known failures: a glob and a reason a line")
      ->type_name("FILE");
  run->add_option("--json", arguments->json_file, "Write the results; - is standard output")
      ->type_name("FILE");
  run->add_flag("--verbose,-v", arguments->verbose, "Tell of passes too");
  run->add_flag("--quiet,-q", arguments->quiet, "Only the summary");
  run->callback([arguments, &exit_code] { exit_code = run_command(*arguments); });
}

}  // namespace opconform::tools
