#include "harness/running/runner.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "harness/backends/spoiled.h"
#include "harness/base/text.h"
#include "harness/running/isolation.h"

namespace opconform::running {
namespace {

/// Collects what comes of the jobs; any thread may add, until it is taken.
class Collector {
 public:
  Collector(std::size_t count, const RunOptions& options,
            const std::function<void(const judging::CaseResult&)>& on_result)
      : results_(count), bad_input_(count), options_(options), on_result_(on_result) {}

  void add(const Job& job, JobOutcome outcome) {
    const std::lock_guard lock(mutex_);
    if (is_taken_) return;
    if (outcome.result) {
      if (options_.repro) outcome.result->repro = options_.repro(*job.tested, *outcome.result);
      if (on_result_) on_result_(*outcome.result);
      results_[job.number] = std::move(outcome.result);
    }
    bad_input_[job.number] = std::move(outcome.bad_input);
  }
  RunOutcome take(bool interrupted) {
    const std::lock_guard lock(mutex_);
    is_taken_ = true;
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
  bool is_taken_ = false;
  std::vector<std::optional<judging::CaseResult>> results_;
  std::vector<std::string> bad_input_;
  const RunOptions& options_;
  const std::function<void(const judging::CaseResult&)>& on_result_;
};

/// Jobs in threads: each takes the next number until none is left. They own what they need, for
/// one whose case hangs stays when the run is over.
class Threads {
 public:
  Threads(std::vector<Job> jobs, const RunOptions& options, std::shared_ptr<Collector> collector,
          const std::atomic<bool>& stop)
      : jobs_(std::move(jobs)),
        check_(options.check),
        collector_(std::move(collector)),
        stop_(stop) {}

  /// Runs all of them on so many threads. One that is watched is none of the caller's: where it
  /// does not come to an end soon after `stop` became true, it is left, and this is false.
  static bool run(const std::shared_ptr<Threads>& jobs, unsigned count, bool is_watched) {
    jobs->running_ = count;
    std::vector<std::thread> threads;
    for (unsigned i = is_watched ? 0 : 1; i < count; ++i)
      threads.emplace_back([jobs] { jobs->work(); });
    if (!is_watched) jobs->work();
    const bool have_ended = !is_watched || jobs->wait();
    for (std::thread& thread : threads) have_ended ? thread.join() : thread.detach();
    return have_ended;
  }

 private:
  void work() {
    for (std::size_t i = next_++; i < jobs_.size() && !stop_; i = next_++) {
      try {
        collector_->add(jobs_[i], run_here(jobs_[i], check_));
      } catch (const backends::Lost& lost) {
        judging::CaseResult result;
        result.case_id = jobs_[i].tested->id;
        result.backend = jobs_[i].backend->name();
        result.verdict = judging::Verdict::kCrash;
        result.message = base::words_of_others(lost.message);
        collector_->add(jobs_[i], {std::move(result), ""});
      }
    }
    const std::lock_guard lock(mutex_);
    --running_;
    over_.notify_all();
  }
  bool wait() {
    constexpr auto kTick = std::chrono::milliseconds(20);
    constexpr auto kGrace = std::chrono::milliseconds(300);
    std::unique_lock lock(mutex_);
    const auto is_over = [&] { return running_ == 0; };
    while (!over_.wait_for(lock, kTick, is_over))
      if (stop_) return over_.wait_for(lock, kGrace, is_over);
    return true;
  }

  const std::vector<Job> jobs_;
  const judging::CheckOptions check_;
  const std::shared_ptr<Collector> collector_;
  const std::atomic<bool>& stop_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable over_;
  unsigned running_ = 0;
};

}  // namespace

RunOutcome run(std::span<const cases::Case* const> cases,
               std::span<const std::unique_ptr<backends::Backend>> backends,
               const RunOptions& options,
               const std::function<void(const judging::CaseResult&)>& on_result,
               const std::atomic<bool>& stop) {
  const auto collector =
      std::make_shared<Collector>(cases.size() * backends.size(), options, on_result);
  std::vector<Job> here;
  std::vector<std::vector<Job>> isolated(backends.size());
  std::size_t number = 0;
  for (const cases::Case* tested : cases) {
    for (std::size_t i = 0; i < backends.size(); ++i) {
      backends::Backend* const backend = backends[i].get();
      const bool isolate = !options.in_process && (options.isolate || backend->needs_isolation());
      (isolate ? isolated[i] : here).push_back({number++, tested, backend});
    }
  }
  // Workers are made before there are threads: a fork copies only the thread that calls it. Each
  // backend has workers of its own: what one does to its process is not the other's.
  for (const std::vector<Job>& jobs : isolated)
    run_isolated(
        jobs, options, [&](const Job& job) { return run_here(job, options.check); },
        [&](const Job& job, JobOutcome outcome) { collector->add(job, std::move(outcome)); }, stop);
  for (const Job& job : here) job.backend->start();
  const bool have_ended =
      Threads::run(std::make_shared<Threads>(std::move(here), options, collector, stop),
                   options.jobs, options.in_process);
  RunOutcome outcome = collector->take(stop);
  outcome.hangs = !have_ended;
  return outcome;
}

}  // namespace opconform::running
