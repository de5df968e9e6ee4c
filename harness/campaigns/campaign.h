// A campaign: generated cases by the million on one backend, in worker processes that may crash or
// hang without an end to it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "harness/campaigns/case_source.h"
#include "harness/campaigns/findings.h"
#include "harness/coverage/file.h"
#include "harness/diagnosis/groups.h"
#include "harness/generation/combinations.h"
#include "harness/running/workers.h"

namespace opconform::campaigns {

/// Case numbers [first, last).
using CaseRange = running::NumberRange;

/// A set of case numbers as ascending ranges that do not touch.
class CaseRanges {
 public:
  void add(CaseRange range);
  /// What of `all` is not in the set.
  [[nodiscard]] std::vector<CaseRange> gaps(CaseRange all) const;
  [[nodiscard]] const std::vector<CaseRange>& list() const { return ranges_; }
  [[nodiscard]] std::uint64_t count() const;

 private:
  std::vector<CaseRange> ranges_;
};

/// What became of the cases of one operator.
struct Tally {
  std::uint64_t valid = 0;        ///< executed and compared with the reference
  std::uint64_t broken = 0;       ///< rejected, or not, for the rule that they break
  std::uint64_t relations = 0;    ///< checked for a relation to derived cases
  std::uint64_t freedom = 0;      ///< of the valid: differ from the reference as is permitted
  std::uint64_t unsupported = 0;  ///< the backend does not offer this
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;  ///< of the buffers of the valid cases
  Tally& operator+=(const Tally& other);
  [[nodiscard]] std::uint64_t cases() const { return valid + broken + relations; }
};
using Tallies = std::array<Tally, std::variant_size_v<Operator>>;  // by place in all_operators()

struct CampaignOptions {
  SourceOptions source;
  std::string profile{};  ///< to which the caller holds the backend, by name; empty: none
  CaseRange cases{0, std::uint64_t{1} << 62};  ///< those that may be run
  std::optional<std::chrono::milliseconds> time;
  std::size_t strength = 0;  ///< of the combinations that are to occur; 0 for none
  /// Ends when all combinations have occurred, though there are cases and time left.
  bool until_covered = false;
  bool coverage = false;    ///< is to be collected
  running::RunOptions run;  ///< jobs; timeout: of one case; check: how failures are judged
};

/// How far the combinations of one operator have come.
struct CombinationResult {
  std::size_t operator_index;
  std::size_t strength;
  generation::CombinationCount count;
};

/// What some of a finding's cases show when they are run once more.
struct FindingDiagnosis {
  struct Part {
    std::size_t cases = 0;  ///< of the finding
    std::string rule;       ///< that is broken; empty where nothing says which
    std::string says;       ///< what is done instead; empty where nothing explains it
    std::string common;     ///< what tells its cases from the passes; empty where nothing does
    friend bool operator==(const Part&, const Part&) = default;
  };
  /// That which most of the campaign's first cases are in; with what all that were looked at have
  /// in common.
  diagnosis::Group group;
  std::vector<Part> parts;    ///< of all that were looked at, the largest first
  std::size_t looked_at = 0;  ///< of the finding
};
using FindingDiagnoses = std::map<FindingKey, FindingDiagnosis>;

struct Campaign {
  CaseRanges done;
  Tallies tallies{};
  /// Of the cases that the tallies count as freedom, how many show each choice.
  judging::ChoiceCounts choices{};
  Findings findings;
  FindingDiagnoses diagnoses{};                  ///< once it is over
  std::map<FindingKey, std::string> expected{};  ///< findings that are known, each with its reason
  /// Of the strength asked for and of all below, where one was.
  std::vector<CombinationResult> combinations;
  double seconds = 0;  ///< of all its parts, where it was resumed
  bool interrupted = false;
  /// What the cases of this part cover, where that was asked for; with the combinations of the
  /// strength asked for, or else of three factors, of all parts.
  coverage::CollectedCoverage coverage;
  std::vector<std::string> harness_errors;  ///< cases that the harness could not judge
};

/// What the caller hears of a campaign while it runs.
struct CampaignWatch {
  /// An example of a finding is new, or takes the place of another.
  std::function<void(const Campaign&)> on_finding;
  /// About ten times a second. `running` counts cases of blocks that are not done yet.
  std::function<void(const Campaign&, std::uint64_t running)> on_tick;
};

/// Runs the campaign, or the rest of it where `campaign` has parts already. Same options, same
/// findings, whatever the number of jobs. Must be called while this process has one thread. Ends
/// soon after `stop` becomes true.
void run_campaign(const CampaignOptions& options, backends::Backend& backend,
                  const CampaignWatch& watch, const std::atomic<bool>& stop, Campaign& campaign);

/// Case `number` as a Case.
cases::Case campaign_case(const CaseSource& source, std::uint64_t number);
/// What came of a relation. Where one of its cases fails by itself, that is the result; otherwise a
/// broken relation is a mismatch whose rule is the relation's name.
struct RelationCheck {
  judging::CaseResult result;
  std::optional<cases::Case> culprit;  ///< the case that fails by itself
};
RelationCheck check_relation(const SourcedCase& sourced, backends::Backend& backend,
                             const judging::CheckOptions& check);
/// The smallest case that fails as case `number` does. Of a broken relation, the smallest of many
/// other cases of the same source that break it. Soon after `stop` becomes true it is whatever has
/// been found, and interrupted.
Example shrink_case(const CampaignOptions& options, const CaseSource& source,
                    backends::Backend& backend, judging::Verdict verdict, std::uint64_t number,
                    const std::atomic<bool>& stop);

}  // namespace opconform::campaigns
