#include "harness/running/isolation.h"

#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): for kill(), of POSIX
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "harness/base/child_process.h"
#include "harness/running/result_json.h"

namespace opconform::running {
namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  const Job* job;
  base::ChildProcess process;
  Clock::time_point deadline;
  std::string text;
};

judging::CaseResult died(const Job& job, judging::Verdict verdict, std::string message) {
  judging::CaseResult result;
  result.case_id = job.tested->id;
  result.backend = job.backend->name();
  result.verdict = verdict;
  result.message = std::move(message);
  if (verdict == judging::Verdict::kMemoryFault) result.rule = "tensor.outside-intact";
  return result;
}

JobOutcome outcome_of(const Child& child, int status, const RunOptions& options) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    // What a child sends is not to be trusted either: the code under test may have written into it.
    if (auto outcome = outcome_from_json(child.text)) return *std::move(outcome);
    return {died(*child.job, judging::Verdict::kCrash, "the process ended before its verdict"), ""};
  }
  if (!WIFSIGNALED(status))
    return {died(*child.job, judging::Verdict::kCrash,
                 "the process ended with exit code " + std::to_string(WEXITSTATUS(status))),
            ""};
  const int signal = WTERMSIG(status);
  const bool guarded = options.check.guard == base::Guard::kPagesBehind ||
                       options.check.guard == base::Guard::kPagesBefore;
  if (guarded && (signal == SIGSEGV || signal == SIGBUS))
    return {died(*child.job, judging::Verdict::kMemoryFault,
                 "touched memory outside its buffers, which guard pages surround: " +
                     base::signal_text(status)),
            ""};
  return {died(*child.job, judging::Verdict::kCrash,
               "the process was ended by " + base::signal_text(status)),
          ""};
}

class Children {
 public:
  Children(const RunOptions& options, const std::function<JobOutcome(const Job&)>& work,
           const std::function<void(const Job&, JobOutcome)>& on_outcome)
      : options_(options), work_(work), on_outcome_(on_outcome) {}
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() {
    for (const Child& child : running_) {
      ::kill(child.process.pid, SIGKILL);
      ::waitpid(child.process.pid, nullptr, 0);
      ::close(child.process.result_end);
    }
  }

  [[nodiscard]] std::size_t count() const { return running_.size(); }

  void start(const Job& job) {
    const base::ChildProcess process =
        base::start_child(options_.room_bytes(), [&](int result_end) {
          const std::string text = outcome_to_json(work_(job))
                                       .dump(-1, ' ', false, base::Json::error_handler_t::replace);
          base::write_all(result_end, std::as_bytes(std::span(text)));
        });
    running_.push_back({&job, process, Clock::now() + options_.timeout, {}});
  }

  /// Waits until a child says or does something, or its time is over.
  void wait() {
    std::vector<pollfd> ends;
    Clock::time_point first =
        Clock::now() + std::chrono::milliseconds(100);  // so that a stop is seen soon
    for (const Child& child : running_) {
      ends.push_back({child.process.result_end, POLLIN, 0});
      first = std::min(first, child.deadline);
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now()).count() + 1;
    ::poll(ends.data(), ends.size(), static_cast<int>(std::max<long long>(left, 0)));
    for (std::size_t i = ends.size(); i-- > 0;) {
      if (ends[i].revents != 0) {
        receive(i);
      } else if (Clock::now() >= running_[i].deadline) {
        finish(i, judging::Verdict::kTimeout);
      }
    }
  }

 private:
  void receive(std::size_t i) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 20;
    char chunk[4096];
    const ssize_t length = ::read(running_[i].process.result_end, chunk, sizeof chunk);
    if (length < 0 && errno == EINTR) return;
    if (length > 0 && running_[i].text.size() < kMostBytes) {
      running_[i].text.append(chunk, static_cast<std::size_t>(length));
      return;
    }
    finish(i, std::nullopt);
  }

  void finish(std::size_t i, std::optional<judging::Verdict> verdict) {
    const Child child = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    // A child that closed its end may still live, say in a destructor that hangs.
    if (verdict) ::kill(child.process.pid, SIGKILL);
    int status = 0;
    while (::waitpid(child.process.pid, &status, verdict ? 0 : WNOHANG) == 0) {
      if (Clock::now() >= child.deadline) {
        verdict = judging::Verdict::kTimeout;
        ::kill(child.process.pid, SIGKILL);
      }
      ::usleep(100);
    }
    ::close(child.process.result_end);
    JobOutcome outcome =
        verdict ? JobOutcome{died(*child.job, *verdict,
                                  "did not end within " + std::to_string(options_.timeout.count()) +
                                      " ms"),
                             ""}
                : outcome_of(child, status, options_);
    // A child that could not say it itself.
    if (outcome.result && outcome.result->seconds == 0)
      outcome.result->seconds =
          std::chrono::duration<double>(Clock::now() - (child.deadline - options_.timeout)).count();
    on_outcome_(*child.job, std::move(outcome));
  }

  const RunOptions& options_;
  const std::function<JobOutcome(const Job&)>& work_;
  const std::function<void(const Job&, JobOutcome)>& on_outcome_;
  std::vector<Child> running_;
};

}  // namespace

void run_isolated(std::span<const Job> jobs, const RunOptions& options,
                  const std::function<JobOutcome(const Job&)>& work,
                  const std::function<void(const Job&, JobOutcome)>& on_outcome,
                  const std::atomic<bool>& stop) {
  Children children(options, work, on_outcome);
  for (const Job& job : jobs) {
    while (children.count() >= options.jobs && !stop) children.wait();
    if (stop) return;
    children.start(job);
  }
  while (children.count() > 0 && !stop) children.wait();
}

}  // namespace opconform::running
