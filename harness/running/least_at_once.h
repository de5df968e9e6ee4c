// How many threads, or plans, a failure needs.
#pragma once

#include <atomic>
#include <functional>

#include "harness/backends/backend.h"
#include "harness/cases/case.h"
#include "harness/judging/verdict.h"
#include "harness/running/options.h"

namespace opconform::running {

/// The options with which the result that the case needs so many is seen again.
[[nodiscard]] RunOptions with_needs_of(const judging::CaseResult& result, RunOptions options);

/// The failure with the least number of threads that must execute at once, or of plans that must be
/// there at once: as it was where it fails without others, or where none was found. Where a process
/// ended, or did not end, nobody knows before. Tries each number once, in processes of its own,
/// from the least on: a race may not show each time. Stops where `enough` says so.
[[nodiscard]] judging::CaseResult with_least_at_once(const cases::Case& tested,
                                                     backends::Backend& backend,
                                                     const RunOptions& options,
                                                     const judging::CaseResult& failed,
                                                     const std::function<bool()>& enough,
                                                     const std::atomic<bool>& stop);

}  // namespace opconform::running
