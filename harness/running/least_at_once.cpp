#include "harness/running/least_at_once.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/judging/many_plans.h"
#include "harness/running/isolation.h"

namespace opconform::running {
namespace {

class Tries {
 public:
  Tries(const cases::Case& tested, backends::Backend& backend, RunOptions options,
        const judging::CaseResult& failed, const std::function<bool()>& enough,
        const std::atomic<bool>& stop)
      : tested_(tested),
        backend_(backend),
        options_(std::move(options)),
        failed_(failed),
        enough_(enough),
        stop_(stop) {
    options_.pictures = false;
  }

  /// Without others where both are 1.
  std::optional<judging::CaseResult> run(unsigned threads, unsigned plans) {
    if (enough_() || stop_) return std::nullopt;
    options_.check.threads = {threads};
    options_.check.plans = plans;
    return run_alone(tested_, backend_, options_, stop_).result;
  }
  /// The fewest of one kind, alone, with which it fails as before: `CaseResult::threads` or
  /// `CaseResult::plans`. None where no number up to `most` does.
  std::optional<judging::CaseResult> least(unsigned judging::CaseResult::*kind, unsigned most) {
    for (unsigned number = 2; number <= most; ++number) {
      judging::CaseResult needed;
      needed.threads = needed.plans = 1;
      needed.*kind = number;
      std::optional<judging::CaseResult> found = run(needed.threads, needed.plans);
      if (!found) return std::nullopt;
      if (is_same(*found)) {
        found->threads = found->plans = 0;
        (*found).*kind = number;
        return found;
      }
      if (found->verdict != judging::Verdict::kPass) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_same(const judging::CaseResult& found) const {
    return std::tie(found.verdict, found.rule) == std::tie(failed_.verdict, failed_.rule);
  }

  const cases::Case& tested_;
  backends::Backend& backend_;
  RunOptions options_;
  const judging::CaseResult& failed_;
  const std::function<bool()>& enough_;
  const std::atomic<bool>& stop_;
};

}  // namespace

RunOptions with_needs_of(const judging::CaseResult& result, RunOptions options) {
  if (result.threads > 0) options.check.threads = {result.threads};
  if (result.plans > 0) options.check.plans = result.plans;
  return options;
}

judging::CaseResult with_least_at_once(const cases::Case& tested, backends::Backend& backend,
                                       const RunOptions& options, const judging::CaseResult& failed,
                                       const std::function<bool()>& enough,
                                       const std::atomic<bool>& stop) {
  const bool has_ended =
      failed.verdict == judging::Verdict::kCrash || failed.verdict == judging::Verdict::kTimeout;
  if (!has_ended && !judging::needs_others(failed)) return failed;
  Tries tries(tested, backend, options, failed, enough, stop);
  if (failed.plans > 0)
    return tries.least(&judging::CaseResult::plans, failed.plans).value_or(failed);
  if (failed.threads > 0)
    return tries.least(&judging::CaseResult::threads, failed.threads).value_or(failed);
  const std::optional<judging::CaseResult> alone = tries.run(1, 1);
  if (!alone || alone->verdict != judging::Verdict::kPass) return failed;
  const std::vector<unsigned>& counts = options.check.threads;
  const unsigned most =
      counts.empty() ? judging::kManyThreads : *std::max_element(counts.begin(), counts.end());
  if (auto found = tries.least(&judging::CaseResult::threads, most)) return *std::move(found);
  const unsigned plans = options.check.plans == 0 ? judging::kManyPlans : options.check.plans;
  return tries.least(&judging::CaseResult::plans, plans).value_or(failed);
}

}  // namespace opconform::running
