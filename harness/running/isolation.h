// Cases in worker processes: whatever the code under test does, the run goes on.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>

#include "harness/running/job.h"
#include "harness/running/options.h"
#include "harness/running/workers.h"

namespace opconform::running {

/// Runs the jobs by `work` in worker processes, options.jobs at once. A job that ends its process,
/// or takes longer than options.timeout, is tried once more as the first of another process: its
/// verdict is crash or timeout. Where the job alone comes to an
/// end, the message says that it depends on what ran before it. Must be called while this process
/// has one thread.
void run_isolated(std::span<const Job> jobs, const RunOptions& options,
                  const std::function<JobOutcome(const Job&)>& work,
                  const std::function<void(const Job&, JobOutcome)>& on_outcome,
                  const std::atomic<bool>& stop);
/// One case, by run_here() in a worker; nothing where `stop` became true before it was over.
[[nodiscard]] JobOutcome run_alone(const cases::Case& tested, backends::Backend& backend,
                                   const RunOptions& options, const std::atomic<bool>& stop);

/// The verdict on a case whose process died of it.
[[nodiscard]] judging::CaseResult result_of(const WorkerDeath& death, const std::string& case_id,
                                            const std::string& backend);

/// As many workers as jobs, with these limits.
[[nodiscard]] WorkerOptions worker_options(const RunOptions& options);

}  // namespace opconform::running
