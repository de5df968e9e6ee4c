#include "harness/strength/selftest.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "harness/base/text.h"
#include "harness/campaigns/case_source.h"
#include "harness/diagnosis/groups.h"
#include "harness/running/differential.h"
#include "harness/running/isolation.h"
#include "harness/running/runner.h"

namespace opconform::strength {
namespace {

using Clock = std::chrono::steady_clock;

/// The cases that are about one of those operators.
std::vector<const cases::Case*> cases_about(const Suspect& suspect,
                                            std::span<const cases::Case> cases) {
  std::vector<const cases::Case*> about;
  for (const cases::Case& one : cases)
    if (std::find(suspect.operators.begin(), suspect.operators.end(), one.op.index()) !=
        suspect.operators.end())
      about.push_back(&one);
  return about;
}

void count(const cases::Case& one, bool is_caught, Stage& stage) {
  ++stage.cases;
  if (!is_caught) return;
  if (!stage.caught_after) stage.caught_after = stage.cases;
  stage.caught_by.push_back(one.id);
}

void count_result(const cases::Case& one, const judging::CaseResult& verdict,
                  SuspectResult& result) {
  const bool is_caught = judging::is_nonconformance(verdict.verdict);
  if (is_caught && !result.is_caught())
    result.first_message = std::string(judging::name(verdict.verdict)) + ": " + verdict.message;
  if (one.is_documented()) count(one, is_caught, result.documents);
  count(one, is_caught, result.suite);
}

/// What a diagnosis makes of the results of those cases, in their order; one that could not be run
/// has no result.
void diagnose(const std::vector<const cases::Case*>& about,
              const std::vector<judging::CaseResult>& verdicts, SuspectResult& result) {
  std::vector<diagnosis::Judged> judged;
  auto verdict = verdicts.begin();
  for (const cases::Case* one : about)
    if (verdict != verdicts.end() && verdict->case_id == one->id)
      judged.push_back({one, &*verdict++});
  for (const diagnosis::Group& group : diagnosis::group(judged))
    result.diagnosed.push_back({group.rule, group.says, group.members.size(), group.contradicted,
                                !group.explanation.empty()});
  for (const diagnosis::Judged& one : judged) count_result(*one.tested, *one.result, result);
}

/// Generated cases, as a campaign makes them, until one is no pass.
void fuzz(const Suspect& suspect, const SelftestOptions& options, backends::Backend& backend,
          const std::atomic<bool>& stop, SuspectResult& result) {
  campaigns::SourceOptions source_options;
  source_options.seed = options.seed;
  source_options.operators = suspect.operators;
  const campaigns::CaseSource source(source_options);
  running::Differential differential(backend);
  const bool goes_on = suspect.is_bug && !result.is_caught();
  const Clock::time_point end = Clock::now() + options.fuzz_time;
  campaigns::SourcedCase made;
  for (std::uint64_t number = 0; !stop; ++number) {
    if (number >= options.fuzz_cases && !(goes_on && Clock::now() < end)) return;
    source.make(number, made);
    const bool is_broken = made.kind == campaigns::CaseKind::kBroken;
    const bool agrees = is_broken ? differential.refuses(made.generated, made.rule)
                                  : differential.agrees_on_valid(made.generated);
    ++result.fuzz.cases;
    if (agrees) continue;
    const judging::CaseResult verdict =
        is_broken ? differential.judge_broken(made.rule) : differential.judge_valid(made.generated);
    if (!judging::is_nonconformance(verdict.verdict)) continue;
    if (!result.is_caught())
      result.first_message = std::string(judging::name(verdict.verdict)) + ": " + verdict.message;
    result.fuzz.caught_after = result.fuzz.cases;
    result.fuzz.caught_by = {"seed " + std::to_string(options.seed) + ", case " +
                             std::to_string(number)};
    return;
  }
}

/// What all threads add to.
struct SharedSelftest {
  Selftest selftest;
  std::mutex mutex;
};

void add_bad_input(const std::string& message, SharedSelftest& shared) {
  if (message.empty()) return;
  const std::lock_guard lock(shared.mutex);
  std::vector<std::string>& all = shared.selftest.bad_input;
  // A case that cannot be run cannot be run on any suspect: one message is enough.
  if (std::find(all.begin(), all.end(), message) == all.end()) all.push_back(message);
}

void examine_here(const Suspect& suspect, std::span<const cases::Case> cases,
                  const SelftestOptions& options, const std::atomic<bool>& stop,
                  SharedSelftest& shared, SuspectResult& result) {
  const std::unique_ptr<backends::Backend> backend = suspect.make();
  const std::vector<const cases::Case*> about = cases_about(suspect, cases);
  std::vector<judging::CaseResult> verdicts;
  for (const cases::Case* one : about) {
    if (stop) return;
    running::JobOutcome outcome = running::run_here({0, one, backend.get()}, options.check);
    if (outcome.result) {
      outcome.result->evidence = nullptr;  // it is explained
      verdicts.push_back(*std::move(outcome.result));
    }
    add_bad_input(outcome.bad_input, shared);
  }
  diagnose(about, verdicts, result);
  fuzz(suspect, options, *backend, stop, result);
}

/// Each case in a process of its own.
void examine_isolated(const Suspect& suspect, std::span<const cases::Case> cases,
                      const SelftestOptions& options, const std::atomic<bool>& stop,
                      SharedSelftest& shared, SuspectResult& result) {
  std::vector<std::unique_ptr<backends::Backend>> backends;
  backends.push_back(suspect.make());
  running::RunOptions run_options;
  run_options.check = options.check;
  run_options.check.guard = suspect.guard;
  run_options.jobs = options.jobs;
  run_options.isolate = true;
  const std::vector<const cases::Case*> about = cases_about(suspect, cases);
  const running::RunOutcome outcome = running::run(about, backends, run_options, {}, stop);
  for (const std::string& message : outcome.bad_input) add_bad_input(message, shared);
  diagnose(about, outcome.results, result);
}

base::Json stage_json(const Stage& stage) {
  base::Json json = {
      {"cases", stage.cases}, {"caught_after", nullptr}, {"caught_by", stage.caught_by}};
  if (stage.caught_after) json["caught_after"] = *stage.caught_after;
  return json;
}

}  // namespace

Naming naming_of(const Suspect& suspect, const SuspectResult& result) {
  if (result.diagnosed.empty() || result.diagnosed.front().rule.empty()) return Naming::kNone;
  const std::string& rule = result.diagnosed.front().rule;
  const bool is_right =
      std::find(suspect.rules.begin(), suspect.rules.end(), rule) != suspect.rules.end();
  return is_right ? Naming::kRight : Naming::kWrong;
}

bool is_as_it_should(const Suspect& suspect, const SuspectResult& result) {
  return suspect.is_bug == result.is_caught();
}

Selftest run_selftest(std::span<const Suspect> suspects, std::span<const cases::Case> cases,
                      const SelftestOptions& options, const std::function<void()>& on_suspect,
                      const std::atomic<bool>& stop) {
  SharedSelftest shared;
  std::vector<SuspectResult>& results = shared.selftest.results;
  results.resize(suspects.size());
  const auto done = [&] {
    const std::lock_guard lock(shared.mutex);
    if (on_suspect) on_suspect();
  };

  // Children are made before there are threads: a fork copies only the thread that calls it.
  std::vector<std::size_t> here;
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    if (suspects[i].guard == base::Guard::kCanary && !suspects[i].make()->needs_isolation()) {
      here.push_back(i);
      continue;
    }
    examine_isolated(suspects[i], cases, options, stop, shared, results[i]);
    results[i].is_complete = !stop;
    done();
  }
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < here.size() && !stop; i = next++) {
      examine_here(suspects[here[i]], cases, options, stop, shared, results[here[i]]);
      results[here[i]].is_complete = !stop;
      done();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < options.jobs; ++i) threads.emplace_back(work);
    work();
  }
  std::sort(shared.selftest.bad_input.begin(), shared.selftest.bad_input.end());
  shared.selftest.interrupted = stop;
  return std::move(shared.selftest);
}

base::Json selftest_to_json(std::span<const Suspect> suspects, const Selftest& selftest,
                            std::uint64_t seed) {
  base::Json json = {
      {"kind", "selftest"}, {"version", 1}, {"seed", seed}, {"suspects", base::Json::array()}};
  const std::vector<OperatorText> operators = all_operators();
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    const Suspect& suspect = suspects[i];
    const SuspectResult& result = selftest.results[i];
    if (!result.is_complete) continue;
    base::Json names = base::Json::array();
    for (const std::size_t place : suspect.operators) names.push_back(operators[place].name);
    base::Json diagnosed = base::Json::array();
    for (const Diagnosed& one : result.diagnosed)
      diagnosed.push_back({{"rule", one.rule},
                           {"says", one.says},
                           {"failures", one.failures},
                           {"contradicted", one.contradicted},
                           {"explained", one.is_explained}});
    json["suspects"].push_back({{"name", suspect.name},
                                {"kind", suspect.is_bug ? "bug" : "permitted"},
                                {"says", suspect.says},
                                {"operators", names},
                                {"rules", suspect.rules},
                                {"diagnosed", std::move(diagnosed)},
                                {"as_it_should", is_as_it_should(suspect, result)},
                                {"message", base::printable(result.first_message)},
                                {"documents", stage_json(result.documents)},
                                {"suite", stage_json(result.suite)},
                                {"fuzz", stage_json(result.fuzz)}});
  }
  json["bad_input"] = selftest.bad_input;
  json["interrupted"] = selftest.interrupted;
  return json;
}

}  // namespace opconform::strength
