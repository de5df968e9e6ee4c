// Cases in child processes: whatever the code under test does, the run goes on.
#pragma once

#include <atomic>
#include <functional>
#include <span>

#include "harness/running/job.h"
#include "harness/running/options.h"

namespace opconform::running {

/// Runs each job by `work` in a child of its own, at most options.jobs at once. A child that dies,
/// or outlives options.timeout, gives the verdict crash, memory-fault (under guard pages) or
/// timeout. Must be called while this process has one thread.
void run_isolated(std::span<const Job> jobs, const RunOptions& options,
                  const std::function<JobOutcome(const Job&)>& work,
                  const std::function<void(const Job&, JobOutcome)>& on_outcome,
                  const std::atomic<bool>& stop);

}  // namespace opconform::running
