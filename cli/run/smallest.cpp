#include "cli/run/smallest.h"

#include <algorithm>
#include <tuple>

#include "cli/shell.h"
#include "harness/campaigns/findings.h"
#include "harness/diagnosis/groups.h"
#include "harness/running/isolation.h"

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
      if (is_of_threads(one)) find_least_threads(one);
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
      if (is_of_threads(group)) continue;
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

  [[nodiscard]] bool is_of_threads(const diagnosis::Group& group) const {
    return outcome_.results[group.example].threads > 0;
  }
  /// Fewer threads than the example's, once each: a race may not show each time. The least number
  /// that fails becomes the example's, and shrinks it.
  void find_least_threads(diagnosis::Group& group) {
    CaseResult& result = outcome_.results[group.example];
    const cases::Case& tested = *case_by_id_.at(result.case_id);
    running::RunOptions own = options_;
    for (unsigned threads = 2; threads <= result.threads; ++threads) {
      if (is_enough()) return;
      own.check.threads = {threads};
      if (threads == result.threads) break;
      auto fewer = running::run_alone(tested, backend_of(result), own, stop_).result;
      if (!fewer) return;
      if (fewer->verdict == Verdict::kPass) continue;
      // One that fails otherwise belongs to another group.
      if (std::tie(fewer->verdict, fewer->rule, fewer->threads) !=
          std::tie(result.verdict, result.rule, threads))
        return;
      fewer->repro = options_.repro(tested, *fewer);
      result = *std::move(fewer);
    }
    group.says += ": " + threads_text(result.threads);
    shrink(group, own);
  }
  /// "passes with 1 and 2 threads at once, fails with 3"
  static std::string threads_text(unsigned least) {
    const std::string fewer = std::to_string(least - 1);
    const char* const between = least == 3 ? "1 and " : least > 3 ? "1 to " : "";
    return "passes with " + (between + fewer) + (least == 2 ? " thread" : " threads at once") +
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
