#include "harness/isolation.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "harness/result_json.h"

namespace opconform::harness {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t virtual_memory_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  statm >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit(decltype(RLIMIT_CORE) resource, std::uint64_t most) {
  const rlimit value{most, most};
  ::setrlimit(resource, &value);
}

void write_all(int target, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(target, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The life of a child: never returns.
[[noreturn]] void be_child(const Job& job, const RunOptions& options, int result_end,
                           const std::function<JobOutcome(const Job&)>& work) {
  // Signals reach the whole group; the parent decides, and ends its children by SIGKILL.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a parent that is killed takes its children along
  limit(RLIMIT_CORE, 0);
  // Room for the buffers, their copies and the code under test; a blow-up is an allocation that
  // fails.
  constexpr std::uint64_t kRoomBytes = std::uint64_t{1} << 30;
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
  limit(RLIMIT_AS, virtual_memory_bytes() + kRoomBytes +
                       4 * std::min(options.check.memory_limit_bytes, kMostBytes));
  write_all(result_end, outcome_to_json(work(job)).dump());
  ::_exit(0);
}

struct Child {
  const Job* job;
  pid_t pid;
  int result_end;
  Clock::time_point deadline;
  std::string text;
};

CaseResult died(const Job& job, Verdict verdict, std::string message) {
  CaseResult result;
  result.case_id = job.tested->id;
  result.backend = job.backend->name();
  result.verdict = verdict;
  result.message = std::move(message);
  if (verdict == Verdict::kMemoryFault) result.rule = "tensor.outside-intact";
  return result;
}

JobOutcome outcome_of(const Child& child, int status, const RunOptions& options) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    // What a child sends is not to be trusted either: the code under test may have written into it.
    if (auto outcome = outcome_from_json(child.text)) return *std::move(outcome);
    return {died(*child.job, Verdict::kCrash, "the process ended before its verdict"), ""};
  }
  if (!WIFSIGNALED(status))
    return {died(*child.job, Verdict::kCrash,
                 "the process ended with exit code " + std::to_string(WEXITSTATUS(status))),
            ""};
  const int signal = WTERMSIG(status);
  const bool guarded =
      options.check.guard == Guard::kPagesBehind || options.check.guard == Guard::kPagesBefore;
  const std::string signal_text =
      "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  if (guarded && (signal == SIGSEGV || signal == SIGBUS))
    return {died(*child.job, Verdict::kMemoryFault,
                 "touched memory outside its buffers, which guard pages surround: " + signal_text),
            ""};
  return {died(*child.job, Verdict::kCrash, "the process was ended by " + signal_text), ""};
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
      ::kill(child.pid, SIGKILL);
      ::waitpid(child.pid, nullptr, 0);
      ::close(child.result_end);
    }
  }

  [[nodiscard]] std::size_t count() const { return running_.size(); }

  void start(const Job& job) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    std::fflush(nullptr);  // or the child would print it again
    const pid_t pid = ::fork();
    if (pid < 0) {
      ::close(ends[0]);
      ::close(ends[1]);
      throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (pid == 0) {
      ::close(ends[0]);
      be_child(job, options_, ends[1], work_);
    }
    ::close(ends[1]);
    running_.push_back({&job, pid, ends[0], Clock::now() + options_.timeout, {}});
  }

  /// Waits until a child says or does something, or its time is over.
  void wait() {
    std::vector<pollfd> ends;
    Clock::time_point first =
        Clock::now() + std::chrono::milliseconds(100);  // so that a stop is seen soon
    for (const Child& child : running_) {
      ends.push_back({child.result_end, POLLIN, 0});
      first = std::min(first, child.deadline);
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now()).count() + 1;
    ::poll(ends.data(), ends.size(), static_cast<int>(std::max<long long>(left, 0)));
    for (std::size_t i = ends.size(); i-- > 0;) {
      if (ends[i].revents != 0) {
        receive(i);
      } else if (Clock::now() >= running_[i].deadline) {
        finish(i, Verdict::kTimeout);
      }
    }
  }

 private:
  void receive(std::size_t i) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 20;
    char chunk[4096];
    const ssize_t length = ::read(running_[i].result_end, chunk, sizeof chunk);
    if (length < 0 && errno == EINTR) return;
    if (length > 0 && running_[i].text.size() < kMostBytes) {
      running_[i].text.append(chunk, static_cast<std::size_t>(length));
      return;
    }
    finish(i, std::nullopt);
  }

  void finish(std::size_t i, std::optional<Verdict> verdict) {
    const Child child = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    // A child that closed its end may still live, say in a destructor that hangs.
    if (verdict) ::kill(child.pid, SIGKILL);
    int status = 0;
    while (::waitpid(child.pid, &status, verdict ? 0 : WNOHANG) == 0) {
      if (Clock::now() >= child.deadline) {
        verdict = Verdict::kTimeout;
        ::kill(child.pid, SIGKILL);
      }
      ::usleep(100);
    }
    ::close(child.result_end);
    if (verdict) {
      on_outcome_(*child.job,
                  {died(*child.job, *verdict,
                        "did not end within " + std::to_string(options_.timeout.count()) + " ms"),
                   ""});
    } else {
      on_outcome_(*child.job, outcome_of(child, status, options_));
    }
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

}  // namespace opconform::harness
