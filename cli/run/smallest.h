// What `opconform run` does about its failures once all cases have run: groups with one cause, the
// smallest case of each, and which failures are none alone.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <string_view>

#include "cli/profile.h"
#include "cli/run/results.h"
#include "harness/running/runner.h"

namespace opconform::cli {

using CaseById = std::map<std::string_view, const cases::Case*>;

/// Fills in the groups of failures, each with its smallest example; the rules that they break
/// become the results'. Of each group the example and four more run alone in a new process; where
/// one passes, all do, and those that pass become `flaky`. What fails only with several threads or
/// plans at once is told with the least number that fails. Takes 10 s, and the step at hand.
void diagnose(running::RunOutcome& outcome, const CaseById& case_by_id, const Backends& backends,
              const running::RunOptions& options, const std::atomic<bool>& stop, Besides& besides);

}  // namespace opconform::cli
