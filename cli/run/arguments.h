// What `opconform run` was asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/profile.h"
#include "harness/backends/backend.h"
#include "harness/running/runner.h"
#include "spec/version.h"

namespace opconform::cli {

struct RunArguments {
  std::vector<std::string> paths;
  std::vector<std::string> backends{backends::kBuiltInBackends.begin(),
                                    backends::kBuiltInBackends.end()};
  std::string profile;
  running::Selection selection;  ///< without the shard
  std::string shard;
  std::string label;
  std::string guard = "pages";
  std::string expect_file;
  std::string json_file;
  std::string coverage_file;
  ReportFiles reports;
  unsigned jobs = 1;
  std::chrono::milliseconds timeout{10'000};
  std::uint64_t seed = 1;
  std::uint64_t repeat = 1;
  std::vector<unsigned> threads;  ///< as CheckOptions has them
  unsigned plans = 0;             ///< as CheckOptions has them
  std::uint64_t memory_limit_bytes = judging::kDefaultMemoryLimitBytes;
  bool isolate = false;
  bool in_process = false;
  bool strict_gaps = false;
  bool verbose = false;
  bool quiet = false;
};

/// Throws CLI::ValidationError where the shard is none.
running::Selection selection_of(const RunArguments& arguments);
/// Each backend once; throws CLI::ValidationError where there is none of a name.
Backends backends_of(const RunArguments& arguments);
/// They refer to the arguments.
running::RunOptions run_options_of(const RunArguments& arguments);
/// The command line that runs the case on the backend again.
std::string repro_text(const cases::Case& tested, const std::string& backend,
                       const RunArguments& arguments);

}  // namespace opconform::cli
