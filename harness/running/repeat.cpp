#include "harness/running/repeat.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "harness/generation/draws.h"

namespace opconform::running {
namespace {

constexpr std::uint64_t kMostJobs = 4;

}  // namespace

Repetitions repeat(std::span<const cases::Case* const> cases,
                   std::span<const std::unique_ptr<backends::Backend>> backends,
                   const RunOptions& options, std::uint64_t count,
                   std::span<const judging::CaseResult> first,
                   const std::function<void()>& on_round, const std::atomic<bool>& stop) {
  using Key = std::pair<std::string_view, std::string_view>;
  std::map<Key, judging::Verdict> verdicts;
  for (const judging::CaseResult& result : first)
    verdicts[{result.case_id, result.backend}] = result.verdict;
  std::set<Key> known;  // of those that have changed
  Repetitions repetitions;
  std::vector<const cases::Case*> order(cases.begin(), cases.end());
  RunOptions again = options;
  for (std::uint64_t round = 0; round < count && !stop; ++round) {
    generation::RandomDraws draws(base::random_bits(options.check.seed, round));
    again.check.seed = draws.below(~std::uint64_t{0});
    again.jobs = static_cast<unsigned>(1 + round % kMostJobs);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
    const RunOutcome outcome = run(order, backends, again, nullptr, stop);
    for (const judging::CaseResult& result : outcome.results) {
      const auto before = verdicts.find({result.case_id, result.backend});
      if (before == verdicts.end() || before->second == result.verdict) continue;
      if (known.insert(before->first).second)
        repetitions.changed.push_back({result.case_id, result.backend, before->second,
                                       result.verdict, again.check, again.jobs});
    }
    repetitions.hangs = repetitions.hangs || outcome.hangs;
    if (!outcome.interrupted) ++repetitions.done;
    on_round();
  }
  repetitions.interrupted = stop;
  return repetitions;
}

}  // namespace opconform::running
