// What an implementation does instead, of the findings of a campaign: a campaign itself learns only
// that a case failed.
#pragma once

#include <atomic>
#include <optional>

#include "harness/campaigns/campaign.h"

namespace opconform::campaigns {

/// Runs cases of each operator that has findings once more, in workers: the first of the campaign,
/// those that were shrunk, and of the others that failed as many as take a small part of the
/// campaign's time. Diagnoses what comes of them as a run does; nothing of broken relations, nor of
/// operators of which a case did not end. Same diagnoses, whatever the number of jobs. Must be
/// called while this process has one thread; nothing when `stop` becomes true before all is known.
[[nodiscard]] std::optional<FindingDiagnoses> diagnose(const Campaign& campaign,
                                                       const CampaignOptions& options,
                                                       const CaseSource& source,
                                                       backends::Backend& backend,
                                                       const std::atomic<bool>& stop);

}  // namespace opconform::campaigns
