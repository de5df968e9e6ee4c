// The workers of a campaign: they do blocks of cases. A worker that dies costs the case it died of,
// which is a finding.
#pragma once

#include <chrono>
#include <functional>
#include <span>

#include "harness/campaigns/campaign.h"

namespace opconform::campaigns {

/// What the workers tell while they run.
struct CampaignEvents {
  /// A case failed. Comes at once, and before the on_done() that contains the case.
  std::function<void(const FindingKey&, std::uint64_t number)> on_failure;
  /// These cases are done, with what became of them and which of them failed.
  struct Failed {
    FindingKey key;
    std::uint64_t number;
  };
  std::function<void(CaseRange, const Tallies&, const judging::ChoiceCounts&,
                     std::span<const Failed>)>
      on_done;
  /// The harness itself could not go on with a case.
  std::function<void(std::uint64_t number, const std::string& message)> on_error;
  /// About ten times a second. False ends the work.
  std::function<bool(std::uint64_t running)> on_tick;
};

/// The combinations to mark: a space and its bits for each operator, by its place in
/// all_operators().
struct CombinationBits {
  std::vector<generation::CombinationSpace> spaces;
  std::vector<std::vector<std::uint64_t>> words;
};

/// What the workers collect. Where a part is empty, it is not.
struct Collected {
  CombinationBits& combinations;         ///< of all valid cases that were compared
  std::vector<std::uint64_t>& counters;  ///< of coverage, without what is unsupported
};

/// Runs the cases in `work`, in blocks, on `options.run.jobs` processes. Comes back when all is
/// done or on_tick() said so.
void run_workers(const CampaignOptions& options, const CaseSource& source,
                 backends::Backend& backend, std::span<const CaseRange> work, Collected collected,
                 const CampaignEvents& events);

}  // namespace opconform::campaigns
