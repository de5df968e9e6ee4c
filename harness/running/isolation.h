// Cases in child processes: whatever the code under test does, the run goes on.
#pragma once

#include <functional>
#include <span>

#include "harness/running/runner.h"

namespace opconform::harness {

/// One case on one backend, with its place in the order of results.
struct Job {
  std::size_t number;
  const Case* tested;
  Backend* backend;
};

/// A result, or why the case could not be run.
struct JobOutcome {
  std::optional<CaseResult> result;
  std::string bad_input;
};

/// Runs the job in this process; what cannot be run is told, not thrown.
JobOutcome run_here(const Job& job, const CheckOptions& options);

/// Runs each job by `work` in a child of its own, at most options.jobs at once. A child that dies,
/// or outlives options.timeout, gives the verdict crash, memory-fault (under guard pages) or
/// timeout. Must be called while this process has one thread.
void run_isolated(std::span<const Job> jobs, const RunOptions& options,
                  const std::function<JobOutcome(const Job&)>& work,
                  const std::function<void(const Job&, JobOutcome)>& on_outcome,
                  const std::atomic<bool>& stop);

}  // namespace opconform::harness
