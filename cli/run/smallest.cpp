#include "cli/run/smallest.h"

#include <algorithm>

#include "cli/shell.h"
#include "harness/campaigns/findings.h"
#include "harness/diagnosis/groups.h"
#include "harness/running/isolation.h"
#include "harness/running/least_at_once.h"

namespace opconform::cli {
namespace {

using judging::CaseResult;
using judging::Verdict;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostGroups = 20;  // a reader needs some examples, no more
constexpr auto kMostTime = std::chrono::seconds(10);

class Diagnosis {
 public:
  Diagnosis(running::RunOutcome& outcome, const CaseById& case_by_id, const Backends& backends,
            const running::RunOptions& options, const std::atomic<bool>& stop, Besides& besides)
      : outcome_(outcome),
        case_by_id_(case_by_id),
        backends_(backends),
        options_(options),
        stop_(stop),
        besides_(besides) {}

  void run() {
    do group();
    while (shrink());
    for (diagnosis::Group& one : besides_.groups)
      if (needs_others(one) || ends_its_process(one)) find_least_at_once(one);
    // The case alone would not show it.
    for (CaseResult& result : outcome_.results)
      if (result.verdict == Verdict::kFlaky) result.repro = this_command();
  }

 private:
  void group() {
    std::vector<diagnosis::Judged> judged;
    for (const CaseResult& result : outcome_.results)
      judged.push_back({case_by_id_.at(result.case_id), &result});
    besides_.groups = diagnosis::group(judged);
    diagnosis::describe(judged, besides_.groups);
    for (const diagnosis::Group& group : besides_.groups)
      for (const std::size_t i : group.members)
        diagnosis::name_rule(group.explanation, *judged[i].tested, outcome_.results[i]);
  }

  /// True where some failures have become others, so that the groups are no longer right.
  bool shrink() {
    bool has_changed = false;
    for (const diagnosis::Group& group : besides_.groups) {
      if (is_enough()) break;
      const CaseResult& result = outcome_.results[group.example];
      // Each step would wait for one, and the other needs more than its case.
      if (result.verdict == Verdict::kTimeout || result.verdict == Verdict::kFlaky) continue;
      if (needs_others(group)) continue;
      if (!besides_.smallest.contains(group.example)) shrink(group, options_);
      // What ends its process has been seen alone.
      if (result.verdict != Verdict::kCrash) has_changed |= find_flaky(group);
    }
    return has_changed;
  }
  void shrink(const diagnosis::Group& group, running::RunOptions own) {
    const CaseResult& result = outcome_.results[group.example];
    own.isolate |= result.verdict == Verdict::kCrash;
    own.pictures = true;
    running::Reduction reduction = campaigns::reduce_safely(
        *case_by_id_.at(result.case_id), backend_of(result), own, stop_, group.explanation);
    if (!reduction.reproduced || !judging::is_nonconformance(reduction.result.verdict)) return;
    passes_alone_[group.example] = false;
    besides_.smallest.emplace(group.example, std::move(reduction));
  }

  [[nodiscard]] bool ends_its_process(const diagnosis::Group& group) const {
    const Verdict verdict = outcome_.results[group.example].verdict;
    return verdict == Verdict::kCrash || verdict == Verdict::kTimeout;
  }
  [[nodiscard]] bool needs_others(const diagnosis::Group& group) const {
    return judging::needs_others(outcome_.results[group.example]);
  }
  /// The least number of threads or plans that fails becomes the example's, and shrinks it.
  void find_least_at_once(diagnosis::Group& group) {
    CaseResult& result = outcome_.results[group.example];
    const cases::Case& tested = *case_by_id_.at(result.case_id);
    CaseResult least = running::with_least_at_once(
        tested, backend_of(result), options_, result, [&] { return is_enough(); }, stop_);
    if (!judging::needs_others(least)) return;
    least.repro = options_.repro(tested, least);
    result = std::move(least);
    group.says += ": " + least_text(result);
    if (result.verdict != Verdict::kTimeout)
      shrink(group, running::with_needs_of(result, options_));
  }
  /// "passes with 1 and 2 threads at once, fails with 3"
  static std::string least_text(const CaseResult& result) {
    const unsigned least = std::max(result.threads, result.plans);
    const std::string noun = result.plans > 0 ? " plan" : " thread";
    const std::string fewer = std::to_string(least - 1);
    const char* const between = least == 3 ? "1 and " : least > 3 ? "1 to " : "";
    return "passes with " + (between + fewer) + noun + (least == 2 ? "" : "s at once") +
           ", fails with " + std::to_string(least);
  }

  /// Looks at the group's example and a few members; where one of them passes alone, at all.
  bool find_flaky(const diagnosis::Group& group) {
    constexpr std::size_t kSampled = 4;
    // What fails now and then, or must not be in a worker, is not told apart.
    if (!besides_.repetitions.changed.empty() || options_.in_process) return false;
    const std::size_t count = group.members.size();
    bool is_any = passes_alone(group.example);
    for (std::size_t k = 0; k < std::min(kSampled, count) && !is_any; ++k)
      is_any = passes_alone(group.members[k * count / std::min(kSampled, count)]);
    if (!is_any) return false;
    for (const std::size_t i : group.members)
      if (passes_alone(i)) make_flaky(outcome_.results[i]);
    return true;
  }
  static void make_flaky(CaseResult& result) {
    result.message = std::string(judging::name(result.verdict)) + ", " + result.message +
                     "; depends on what ran before it in the same process: alone, the verdict is "
                     "pass";
    result.verdict = Verdict::kFlaky;
    result.rule.clear();
    result.explained_by.clear();
  }
  /// False where there is no time left to know.
  bool passes_alone(std::size_t place) {
    if (const auto known = passes_alone_.find(place); known != passes_alone_.end())
      return known->second;
    if (is_enough()) return false;
    const CaseResult& result = outcome_.results[place];
    const auto alone =
        running::run_alone(*case_by_id_.at(result.case_id), backend_of(result), options_, stop_);
    return passes_alone_[place] = alone.result && alone.result->verdict == Verdict::kPass;
  }
  [[nodiscard]] backends::Backend& backend_of(const CaseResult& result) const {
    return **std::find_if(backends_.begin(), backends_.end(),
                          [&](const auto& one) { return one->name() == result.backend; });
  }
  [[nodiscard]] bool is_enough() const {
    return stop_ || besides_.smallest.size() == kMostGroups || Clock::now() - start_ > kMostTime;
  }

  running::RunOutcome& outcome_;
  const CaseById& case_by_id_;
  const Backends& backends_;
  const running::RunOptions& options_;
  const std::atomic<bool>& stop_;
  Besides& besides_;
  std::map<std::size_t, bool> passes_alone_;  // by place of the result, where it is known
  const Clock::time_point start_ = Clock::now();
};

}  // namespace

void diagnose(running::RunOutcome& outcome, const CaseById& case_by_id, const Backends& backends,
              const running::RunOptions& options, const std::atomic<bool>& stop, Besides& besides) {
  Diagnosis(outcome, case_by_id, backends, options, stop, besides).run();
}

}  // namespace opconform::cli
