#include "harness/running/runner.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "harness/running/isolation.h"

namespace opconform::running {
namespace {

/// Collects what comes of the jobs; any thread may add.
class Collector {
 public:
  Collector(std::size_t count, const RunOptions& options,
            const std::function<void(const judging::CaseResult&)>& on_result)
      : results_(count), bad_input_(count), options_(options), on_result_(on_result) {}

  void add(const Job& job, JobOutcome outcome) {
    const std::lock_guard lock(mutex_);
    if (outcome.result) {
      if (options_.repro) outcome.result->repro = options_.repro(*job.tested, *job.backend);
      if (on_result_) on_result_(*outcome.result);
      results_[job.number] = std::move(outcome.result);
    }
    bad_input_[job.number] = std::move(outcome.bad_input);
  }
  RunOutcome take(bool interrupted) {
    RunOutcome outcome;
    for (std::optional<judging::CaseResult>& result : results_)
      if (result) outcome.results.push_back(std::move(*result));
    for (std::string& message : bad_input_) {
      // A case that cannot be run cannot be run by any backend: one message is enough.
      const bool is_new = outcome.bad_input.empty() || outcome.bad_input.back() != message;
      if (!message.empty() && is_new) outcome.bad_input.push_back(std::move(message));
    }
    outcome.interrupted = interrupted;
    return outcome;
  }

 private:
  std::mutex mutex_;
  std::vector<std::optional<judging::CaseResult>> results_;
  std::vector<std::string> bad_input_;
  const RunOptions& options_;
  const std::function<void(const judging::CaseResult&)>& on_result_;
};

/// No pool and no queue: each thread takes the next number until none is left.
void run_in_threads(std::span<const Job> jobs, const RunOptions& options, Collector& collector,
                    const std::atomic<bool>& stop) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size() && !stop; i = next++)
      collector.add(jobs[i], run_here(jobs[i], options.check));
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < options.jobs; ++i) threads.emplace_back(work);
  work();
}

}  // namespace

RunOutcome run(std::span<const cases::Case* const> cases,
               std::span<const std::unique_ptr<backends::Backend>> backends,
               const RunOptions& options,
               const std::function<void(const judging::CaseResult&)>& on_result,
               const std::atomic<bool>& stop) {
  Collector collector(cases.size() * backends.size(), options, on_result);
  std::vector<Job> here;
  std::vector<Job> isolated;
  std::size_t number = 0;
  for (const cases::Case* tested : cases) {
    for (const std::unique_ptr<backends::Backend>& backend : backends) {
      const bool isolate = options.isolate || backend->needs_isolation();
      (isolate ? isolated : here).push_back({number++, tested, backend.get()});
    }
  }
  // Children are made before there are threads: a fork copies only the thread that calls it.
  run_isolated(
      isolated, options, [&](const Job& job) { return run_here(job, options.check); },
      [&](const Job& job, JobOutcome outcome) { collector.add(job, std::move(outcome)); }, stop);
  run_in_threads(here, options, collector, stop);
  return collector.take(stop);
}

}  // namespace opconform::running
