// What a campaign shows on a terminal or in a pipe.
#pragma once

#include <string>

#include "harness/campaigns/state.h"
#include "reports/terminal.h"

namespace opconform::reports {

/// "1,204,224 cases, 251,000 cases/s, 2 findings, 5 s", for the line that is rewritten in place.
std::string campaign_progress_text(const campaigns::Campaign& campaign, std::uint64_t running);

/// The closing line: "1,000,000 cases in 7.7 s, 129,175 cases/s, 124 MB/s, 0 findings".
std::string campaign_summary_text(const campaigns::Campaign& campaign, const Style& style);
/// Findings with their repro lines, then the cases by operator, combinations, and the closing line.
std::string campaign_text(const campaigns::Campaign& campaign, const std::string& backend,
                          std::uint64_t seed, const campaigns::PlaceOf& place_of,
                          const Style& style);

}  // namespace opconform::reports
