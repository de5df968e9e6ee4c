// What an implementation does instead, of the findings of a campaign: a campaign itself learns only
// that a case failed.
#pragma once

#include <atomic>
#include <map>
#include <optional>

#include "harness/campaigns/campaign.h"

namespace opconform::campaigns {

/// Runs some cases of each operator that has findings once more, the first of the campaign
/// and those that were shrunk, in workers, and diagnoses what comes of them as a run does. Of each
/// finding the largest group of failures like it; nothing of broken relations, nor of operators of
/// which a case did not end. Same diagnoses, whatever the number of jobs. Must be called while this
/// process has one thread; nothing when `stop` becomes true before all is
/// known.
[[nodiscard]] std::optional<FindingDiagnoses> diagnose(
    const std::map<FindingKey, Finding>& findings, const CampaignOptions& options,
    const CaseSource& source, backends::Backend& backend, const std::atomic<bool>& stop);

}  // namespace opconform::campaigns
