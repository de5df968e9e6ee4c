// What `opconform fuzz` was asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaigns/campaign.h"
#include "spec/version.h"

namespace opconform::cli {

inline constexpr std::uint64_t kStandardCases = 1'000'000;

struct FuzzArguments {
  std::string backend = "optimized";
  std::string profile;
  std::string expect_file;
  std::vector<std::size_t> operators;  ///< places in all_operators()
  std::optional<Version> feature_level;
  std::string sizes = "mixed";  ///< in campaigns::kSizeProfileNames
  std::string directory;
  std::string json_file;
  std::string coverage_file;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t cases = 0;
  std::optional<std::chrono::milliseconds> time;
  std::chrono::milliseconds timeout{10'000};
  std::size_t strength = 0;
  unsigned jobs = 1;
  bool resume = false;
  bool isolate = false;
  bool in_process = false;
  bool quiet = false;
};

/// Throws CLI::ValidationError or BadInput where there is nothing to generate.
campaigns::CampaignOptions campaign_options_of(const FuzzArguments& arguments);

}  // namespace opconform::cli
