#include "cli/fuzz/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options.h"
#include "harness/campaigns/case_source.h"

namespace opconform::cli {

namespace {

/// More than any campaign gets to.
constexpr std::uint64_t kMostCases = std::uint64_t{1} << 62;

/// The numbers of the cases: as many as are asked for, or as the limit of time or the strength
/// takes.
campaigns::CaseRange cases_of(const FuzzArguments& arguments) {
  if (arguments.first > kMostCases) throw CLI::ValidationError("--first", "must be at most 2^62");
  const bool ends_otherwise = arguments.time || arguments.strength > 0;
  const std::uint64_t cases = arguments.cases > 0 ? arguments.cases
                              : ends_otherwise    ? kMostCases
                                                  : kStandardCases;
  return {arguments.first, arguments.first + std::min(cases, kMostCases)};
}

}  // namespace

campaigns::CampaignOptions campaign_options_of(const FuzzArguments& arguments) {
  campaigns::CampaignOptions options;
  options.source.seed = arguments.seed;
  options.source.at_most = arguments.feature_level;
  options.source.operators = arguments.operators;
  options.source.sizes = campaigns::size_profile(arguments.sizes);
  options.profile = arguments.profile;
  options.strength = arguments.strength;
  options.until_covered = arguments.strength > 0 && arguments.cases == 0 && !arguments.time;
  options.cases = cases_of(arguments);
  options.time = arguments.time;
  options.coverage = !arguments.coverage_file.empty();
  options.run.jobs = arguments.jobs;
  options.run.isolate = arguments.isolate;
  options.run.in_process = arguments.in_process;
  options.run.timeout = arguments.timeout;
  (void)campaigns::CaseSource(options.source);  // says now whether anything is left to generate
  return options;
}

}  // namespace opconform::cli
