// A campaign as JSON: its report, and what is needed to go on with it.
#pragma once

#include <string>

#include "harness/base/json_document.h"
#include "harness/campaigns/campaign.h"

namespace opconform::campaigns {

/// Where the smallest case of an example stands, and how to see it fail again; empty where it has
/// not been written.
struct ExamplePlace {
  std::string file;
  std::string repro;
};
using PlaceOf = std::function<ExamplePlace(const FindingKey&, std::size_t example)>;

/// Everything but "seconds", "rate" and "byte_rate" depends on the options and the backend alone,
/// if the campaign was not interrupted.
base::Json campaign_to_json(const Campaign& campaign, const CampaignOptions& options,
                            const std::string& backend, const PlaceOf& place_of);

/// The parts of a campaign that are done. Throws BadInput where `text`, which stands in `file`, is
/// no such JSON, or of a campaign with other options or another backend.
Campaign campaign_from_json(const std::string& text, const std::string& file,
                            const CampaignOptions& options, const std::string& backend);

}  // namespace opconform::campaigns
