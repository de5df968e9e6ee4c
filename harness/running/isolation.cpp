#include "harness/running/isolation.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGBUS is POSIX's
#include <sys/wait.h>

#include <map>
#include <optional>
#include <utility>

#include "harness/base/kept_process.h"
#include "harness/base/text.h"
#include "harness/diagnosis/packed_picture.h"
#include "harness/running/result_json.h"

namespace opconform::running {
namespace {

using judging::CaseResult;
using judging::Verdict;

/// Of what the code under test printed, at most so much is kept beside a result.
constexpr std::size_t kMostPrinted = 2000;

/// The end of it, from the start of a line where there is one.
std::string kept_of(std::string_view printed) {
  if (printed.size() <= kMostPrinted) return base::printable(printed);
  printed.remove_prefix(printed.size() - kMostPrinted);
  const std::size_t line = printed.find('\n');
  if (line + 1 < printed.size()) printed.remove_prefix(line + 1);
  return "...\\n" + base::printable(printed);
}

/// How a process ended, as the end of a sentence about it.
std::string end_text(const WorkerDeath& death) {
  if (death.cause == WorkerDeath::Cause::kTimedOut)
    return "did not end within " + std::to_string(death.limit.count()) + " ms";
  if (death.cause == WorkerDeath::Cause::kSpoiled)
    return "the process closed the channel for its results, or wrote into it";
  if (death.cause == WorkerDeath::Cause::kLost) return death.lost;
  if (WIFSIGNALED(death.status))
    return "the process was ended by " + base::signal_text(death.status);
  if (WEXITSTATUS(death.status) == 0) return "the process ended before its verdict";
  return "the process ended with exit code " + std::to_string(WEXITSTATUS(death.status));
}

/// One run of jobs.
class IsolatedRun {
 public:
  IsolatedRun(std::span<const Job> jobs,
              const std::function<void(const Job&, JobOutcome)>& on_outcome)
      : jobs_(jobs), on_outcome_(on_outcome) {}

  void take(std::uint64_t number, std::string_view text, std::string_view printed) {
    const Job& job = jobs_[number];
    // What a worker says is not to be trusted either.
    std::optional<JobOutcome> outcome = outcome_from_json(text);
    if (!outcome) {
      WorkerDeath death;
      death.cause = WorkerDeath::Cause::kSpoiled;
      outcome = JobOutcome{result_of(death, job.tested->id, job.backend->name()), ""};
    }
    if (outcome->result && judging::is_nonconformance(outcome->result->verdict))
      outcome->result->printed = kept_of(printed);
    const auto earlier = deaths_.find(number);
    if (earlier != deaths_.end()) {
      if (outcome->result) add(earlier->second, *outcome->result);
      deaths_.erase(earlier);
    }
    on_outcome_(job, *std::move(outcome));
  }

  /// True where it must be seen alone before there is a verdict.
  bool take(std::uint64_t number, const WorkerDeath& death) {
    if (death.cause == WorkerDeath::Cause::kStopped) return false;
    if (death.ran_before > 0) return deaths_.emplace(number, death).second;
    deaths_.erase(number);
    finish(number, death);
    return false;
  }

  /// Of those that could not be seen alone any more.
  void take_rest() {
    for (const auto& [number, death] : deaths_) finish(number, death);
  }

 private:
  void finish(std::uint64_t number, const WorkerDeath& death) {
    const Job& job = jobs_[number];
    CaseResult result = result_of(death, job.tested->id, job.backend->name());
    result.explained_by = diagnosis::explanations(*job.tested, result);
    on_outcome_(job, {std::move(result), ""});
  }

  /// To a result of the case alone that it died where others had run before it.
  static void add(const WorkerDeath& death, CaseResult& alone) {
    CaseResult result = result_of(death, alone.case_id, alone.backend);
    const std::string others =
        std::to_string(death.ran_before) + (death.ran_before == 1 ? " other case" : " other cases");
    if (judging::is_nonconformance(alone.verdict)) {
      alone.message += "; in a process that had run " + others + ": " + result.message;
      return;
    }
    result.verdict = Verdict::kFlaky;
    result.message += "; depends on what ran before it in the same process, " + others +
                      ": alone, the verdict is " + std::string(judging::name(alone.verdict));
    alone = std::move(result);
  }

  std::span<const Job> jobs_;
  const std::function<void(const Job&, JobOutcome)>& on_outcome_;
  std::map<std::uint64_t, WorkerDeath> deaths_;  // by number, of what is to be seen alone
};

/// What a worker says of a job. The evidence does not leave it; a picture of that does.
std::string outcome_text(const Job& job, JobOutcome outcome, const RunOptions& options) {
  if (options.pictures && outcome.result && outcome.result->evidence)
    outcome.result->picture =
        diagnosis::packed(diagnosis::picture_of(*job.tested, *outcome.result));
  return outcome_to_json(outcome).dump(-1, ' ', false, base::Json::error_handler_t::replace);
}

}  // namespace

CaseResult result_of(const WorkerDeath& death, const std::string& case_id,
                     const std::string& backend) {
  CaseResult result;
  result.case_id = case_id;
  result.backend = backend;
  result.verdict =
      death.cause == WorkerDeath::Cause::kTimedOut ? Verdict::kTimeout : Verdict::kCrash;
  result.message = end_text(death);
  result.printed = kept_of(death.printed);
  if (!death.last_words.empty())
    result.message += "; its last words: " + base::words_of_others(death.last_words, 200);
  return result;
}

WorkerOptions worker_options(const RunOptions& options) {
  WorkerOptions workers;
  workers.workers = options.jobs;
  workers.timeout = options.timeout;
  workers.room_bytes = options.room_bytes();
  return workers;
}

void run_isolated(std::span<const Job> jobs, const RunOptions& options,
                  const std::function<JobOutcome(const Job&)>& work,
                  const std::function<void(const Job&, JobOutcome)>& on_outcome,
                  const std::atomic<bool>& stop) {
  IsolatedRun run(jobs, on_outcome);
  const RangeWork in_worker = [&](NumberRange range, WorkerChannel& channel) {
    jobs[range.first].backend->start();  // all are of one backend
    for (std::uint64_t i = range.first; i < range.last && !channel.is_stopped(); ++i) {
      channel.begin(i, total_elements(jobs[i].tested->op));
      channel.say(outcome_text(jobs[i], work(jobs[i]), options));
    }
    return std::string();
  };
  WorkerEvents events;
  events.on_word = [&](std::size_t, std::uint64_t number, std::string_view text,
                       std::string_view printed) {
    if (!stop) run.take(number, text, printed);
  };
  events.on_death = [&](std::size_t, NumberRange, std::uint64_t number, const WorkerDeath& death) {
    return run.take(number, death);
  };
  events.on_tick = [&](std::uint64_t) { return !stop; };
  WorkerOptions workers = worker_options(options);
  workers.all_speak = true;
  run_in_workers(workers, ranges_of(jobs.size(), options.jobs), in_worker, events);
  run.take_rest();
}

JobOutcome run_alone(const cases::Case& tested, backends::Backend& backend,
                     const RunOptions& options, const std::atomic<bool>& stop) {
  const Job job{0, &tested, &backend};
  RunOptions one = options;
  one.jobs = 1;
  JobOutcome found;
  run_isolated(
      {&job, 1}, one, [&](const Job& j) { return run_here(j, options.check); },
      [&](const Job&, JobOutcome outcome) { found = std::move(outcome); }, stop);
  return found;
}

}  // namespace opconform::running
