#include "harness/running/workers.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "harness/backends/apart.h"
#include "harness/base/kept_process.h"
#include "harness/base/shared_memory.h"
#include "harness/running/printed_words.h"
#include "harness/running/worker_messages.h"

namespace opconform::running {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{100};
/// However short the limit: on a busy machine, a process may have to wait for its turn.
constexpr milliseconds kShortestLimit = 2 * kTick;
/// For the numbers at hand, when the work is to end.
constexpr milliseconds kGrace{300};
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

bool has_exited_with(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

}  // namespace

milliseconds limit_of(milliseconds timeout, std::uint64_t elements) {
  constexpr std::uint64_t kElementsPerMillisecond = (std::uint64_t{1} << 20) / 1000;
  if (elements > kMostTimedElements) return timeout;
  return timeout + milliseconds(elements / kElementsPerMillisecond);
}

RangeList ranges_of(std::uint64_t count, unsigned workers, std::uint64_t most) {
  constexpr std::uint64_t kEach = 8;
  const std::uint64_t size = std::clamp<std::uint64_t>(count / (kEach * workers), 1, most);
  return {(count + size - 1) / size, [count, size](std::uint64_t place) {
            return NumberRange{place * size, std::min((place + 1) * size, count)};
          }};
}

namespace {

class Workers {
 public:
  Workers(const WorkerOptions& options, const RangeList& ranges, const RangeWork& work,
          const WorkerEvents& events)
      : options_(options), ranges_(ranges), events_(events), places_(options.workers), stop_(1) {
    const std::uint64_t useful = std::min<std::uint64_t>(options.workers, ranges.count);
    for (std::size_t i = 0; i < useful; ++i)
      workers_.emplace_back(i, options.room_bytes, [this, &work, i](int file, std::uint64_t life) {
        WorkerChannel(file, i, places_[i], stop_[0]).serve(work, life);
      });
  }

  ~Workers() {
    for (Worker& worker : workers_) worker.process.close();  // all at once: each takes its time
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void run() {
    Clock::time_point ticked = Clock::now();
    while (true) {
      for (Worker& worker : workers_) give(worker);
      if (std::all_of(workers_.begin(), workers_.end(),
                      [](const Worker& worker) { return worker.given.empty(); }))
        return;
      wait_and_hear();
      const Clock::time_point now = Clock::now();
      if (stop_until_ && now >= *stop_until_) kill_all();
      if (now - ticked < kTick) continue;
      ticked = now;
      if (!stop_until_ && events_.on_tick && !events_.on_tick(under_way())) begin_to_stop();
    }
  }

 private:
  struct Worker {
    Worker(std::size_t place, std::uint64_t room_bytes, base::KeptProcess::Work work)
        : number(place), process(room_bytes, std::move(work)) {}

    std::size_t number;
    base::KeptProcess process;
    bool runs = false;
    std::uint64_t life = 0;
    std::deque<NumberRange> given{};  // the first is at hand
    std::uint64_t spoken = 0;  // of the range at hand, the first number that has said nothing
    std::uint64_t ran = 0;     // numbers of ranges that this process has done
    std::string unread{};
    PrintedWords printed{};   // the end of what it printed since it spoke
    std::uint64_t begun = 0;  // as seen last
    bool has_begun = false;   // anything at all
    Clock::duration stuck{};  // while it was listened to
    std::optional<WorkerDeath::Cause> killed_for{};
  };

  void give(Worker& worker) {
    const std::size_t had = worker.given.size();
    const std::uint64_t left = ranges_.count - next_;
    const std::uint64_t share = left / (2 * workers_.size());
    while (next_ < ranges_.count && worker.given.size() <= std::min(share, ranges_.ahead))
      worker.given.push_back(ranges_.at(next_++));
    if (worker.given.empty()) return;
    if (!worker.runs) return start(worker);
    if (had == 0) worker.spoken = worker.given.front().first;
    for (std::size_t i = had; i < worker.given.size(); ++i) send(worker, worker.given[i]);
  }

  void start(Worker& worker) {
    worker.life = worker.process.start();
    worker.runs = true;
    worker.spoken = worker.given.front().first;
    worker.ran = 0;
    worker.unread.clear();
    worker.printed.clear();
    worker.begun = places_[worker.number].begun;
    worker.has_begun = false;
    worker.stuck = {};
    worker.killed_for.reset();
    for (const NumberRange& range : worker.given) send(worker, range);
  }

  static void send(const Worker& worker, NumberRange range) {
    const RangeOrder order{worker.life, range};
    // Where it does not arrive, the process has ended, as will be heard.
    (void)base::send_all(worker.process.channel(), std::as_bytes(std::span(&order, 1)));
  }

  static void kill(Worker& worker, WorkerDeath::Cause cause) {
    if (worker.killed_for) return;
    worker.killed_for = cause;
    worker.process.kill();
  }

  void begin_to_stop() {
    stop_[0] = true;
    stop_until_ = Clock::now() + kGrace;
    next_ = ranges_.count;
  }
  void kill_all() {
    for (Worker& worker : workers_)
      if (worker.runs && !worker.given.empty()) kill(worker, WorkerDeath::Cause::kStopped);
  }

  void wait_and_hear() {
    std::vector<pollfd> files;
    for (const Worker& worker : workers_)
      for (const int file :
           {worker.process.channel(), worker.process.words(), worker.process.keeper()})
        files.push_back({worker.runs ? file : -1, POLLIN, 0});
    const Clock::time_point before = Clock::now();
    ::poll(files.data(), files.size(), static_cast<int>(kTick.count()));
    const Clock::duration waited = Clock::now() - before;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      if (!worker.runs) continue;
      if (files[3 * i + 1].revents != 0) worker.printed.hear(worker.process.words());
      if (files[3 * i + 2].revents != 0)
        finish(worker);
      else if (files[3 * i].revents != 0)
        (void)hear(worker);
      else
        watch(worker, waited);
    }
  }

  /// A worker that neither goes on nor says a word while it is listened to hangs.
  void watch(Worker& worker, Clock::duration waited) {
    const std::uint64_t begun = places_[worker.number].begun;
    worker.stuck = begun == worker.begun && !worker.given.empty() ? worker.stuck + waited
                                                                  : Clock::duration::zero();
    worker.has_begun = worker.has_begun || begun != worker.begun;
    worker.begun = begun;
    const milliseconds limit =
        std::max(limit_of_number(worker), worker.has_begun ? kShortestLimit : limit_of_start_);
    if (worker.stuck >= limit) kill(worker, WorkerDeath::Cause::kTimedOut);
  }

  [[nodiscard]] milliseconds limit_of_number(const Worker& worker) const {
    return limit_of(options_.timeout, places_[worker.number].elements);
  }

  /// What there is, as far as it can be had at once. False where there is nothing.
  bool hear(Worker& worker) {
    char chunk[1 << 16];
    const ssize_t length = ::recv(worker.process.channel(), chunk, sizeof chunk, MSG_DONTWAIT);
    if (length <= 0) return false;
    worker.stuck = {};
    worker.unread.append(chunk, static_cast<std::size_t>(length));
    std::size_t at = 0;
    MessageHead head{};
    while (!is_spoiled(worker) && worker.unread.size() - at >= sizeof head) {
      std::memcpy(&head, worker.unread.data() + at, sizeof head);
      if (!is_plausible(head, worker)) {
        kill(worker, WorkerDeath::Cause::kSpoiled);
        break;
      }
      if (worker.unread.size() - at - sizeof head < head.size_bytes) break;
      take(head, std::string_view(worker.unread).substr(at + sizeof head, head.size_bytes), worker);
      at += sizeof head + head.size_bytes;
    }
    worker.unread.erase(0, at);
    return true;
  }

  static bool is_spoiled(const Worker& worker) {
    return worker.killed_for == WorkerDeath::Cause::kSpoiled;
  }
  static bool is_plausible(const MessageHead& head, const Worker& worker) {
    if (worker.given.empty() || head.size_bytes > kMostBytes) return false;
    const NumberRange range = worker.given.front();
    if (head.number < worker.spoken) return false;
    return head.mark == kWord ? head.number < range.last
                              : head.mark == kDone && head.number <= range.last;
  }

  void take(const MessageHead& head, std::string_view text, Worker& worker) {
    if (head.mark == kWord) {
      worker.spoken = head.number + 1;
      // What was printed before the word is there already.
      worker.printed.hear(worker.process.words());
      const std::string printed = worker.printed.take(head.number);
      if (events_.on_word) events_.on_word(worker.number, head.number, text, printed);
      return;
    }
    const NumberRange range = worker.given.front();
    const NumberRange done{range.first, head.number};
    worker.given.pop_front();
    // Not all of it, where the process is spoiled: another one goes on.
    if (done.last < range.last && !stop_until_) worker.given.push_front({done.last, range.last});
    if (!worker.given.empty()) worker.spoken = worker.given.front().first;
    worker.ran += done.last - done.first;
    if (done.first < done.last && events_.on_done) events_.on_done(worker.number, done, text);
  }

  /// The process is gone.
  void finish(Worker& worker) {
    WorkerDeath death;
    death.status = worker.process.wait();
    death.limit = limit_of_number(worker);
    while (hear(worker)) {
    }
    worker.printed.hear(worker.process.words());
    worker.runs = false;
    if (worker.given.empty() || (has_exited_with(death.status, kRetired) && !worker.killed_for))
      return;
    const NumberRange range = worker.given.front();
    worker.given.pop_front();
    const bool is_mute = has_exited_with(death.status, kMute);
    death.cause = worker.killed_for.value_or(is_mute ? WorkerDeath::Cause::kSpoiled
                                             : has_exited_with(death.status, kExitOfLost)
                                                 ? WorkerDeath::Cause::kLost
                                                 : WorkerDeath::Cause::kEnded);
    death.printed = worker.printed.text();
    if (death.cause == WorkerDeath::Cause::kLost) death.lost = take_last_line(death.printed);
    death.last_words = last_line(death.printed);
    const std::uint64_t number = number_at_hand(range, worker);
    death.ran_before = worker.ran + number - range.first;
    bool again = false;
    if (number < range.last)
      again = events_.on_death(worker.number, {range.first, number}, number, death);
    else if (events_.on_done)
      events_.on_done(worker.number, range, "");
    const NumberRange rest{again ? number : number + 1, range.last};
    if (rest.first < rest.last) worker.given.push_front(rest);
    if (stop_until_) worker.given.clear();
  }

  /// What the process died of.
  [[nodiscard]] std::uint64_t number_at_hand(NumberRange range, const Worker& worker) const {
    if (options_.all_speak) return std::clamp(worker.spoken, range.first, range.last);
    const std::uint64_t number = places_[worker.number].number;
    const bool is_of_range = number >= range.first && number < range.last;
    return std::clamp(is_of_range ? number : range.first, std::min(worker.spoken, range.last - 1),
                      range.last - 1);
  }

  [[nodiscard]] std::uint64_t under_way() const {
    std::uint64_t count = 0;
    for (const Worker& worker : workers_) {
      if (worker.given.empty()) continue;
      const NumberRange range = worker.given.front();
      const std::uint64_t number = places_[worker.number].number;
      if (number >= range.first && number < range.last) count += number - range.first;
    }
    return count;
  }

  const WorkerOptions& options_;
  const RangeList& ranges_;
  const WorkerEvents& events_;
  const base::SharedMemory<WorkerPlace> places_;
  const base::SharedMemory<std::atomic<bool>> stop_;
  const milliseconds limit_of_start_ = backends::limit_of_start();
  std::deque<Worker> workers_;
  std::uint64_t next_ = 0;  // range that nobody has
  std::optional<Clock::time_point> stop_until_;
};

}  // namespace

void run_in_workers(const WorkerOptions& options, const RangeList& ranges, const RangeWork& work,
                    const WorkerEvents& events) {
  Workers(options, ranges, work, events).run();
}

}  // namespace opconform::running
