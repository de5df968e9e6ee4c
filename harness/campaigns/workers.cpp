#include "harness/campaigns/workers.h"

#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): for kill(), of POSIX
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/base/child_process.h"
#include "harness/base/shared_memory.h"
#include "harness/campaigns/worker.h"

namespace opconform::campaigns {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kTick = std::chrono::milliseconds(100);
/// However short the timeout: on a busy machine, a process may have to wait for its turn.
constexpr std::chrono::milliseconds kShortestHang = 2 * kTick;

std::size_t words_of_one_worker(const Collected& collected) {
  std::size_t count = collected.counters.size();
  for (const generation::CombinationSpace& space : collected.combinations.spaces)
    count += space.word_count();
  return count;
}

class Workers {
 public:
  Workers(const CampaignOptions& options, const CaseSource& source, backends::Backend& backend,
          std::span<const CaseRange> work, Collected collected, const WorkerEvents& events)
      : options_(options),
        source_(source),
        backend_(backend),
        blocks_(work),
        collected_(collected),
        events_(events),
        control_(1),
        slots_(options.run.jobs),
        words_(options.run.jobs * words_of_one_worker(collected)) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    for (const Process& process : running_) {
      ::kill(process.child.pid, SIGKILL);
      ::waitpid(process.child.pid, nullptr, 0);
      ::close(process.child.result_end);
    }
  }

  void run() {
    const std::uint64_t useful = std::min<std::uint64_t>(options_.run.jobs, blocks_.count());
    for (std::size_t i = 0; i < useful; ++i) start(i, {});
    Clock::time_point last_tick = Clock::now();
    while (!running_.empty()) {
      wait();
      const Clock::time_point now = Clock::now();
      if (now - last_tick < kTick) continue;
      last_tick = now;
      end_hanging();
      if (!events_.on_tick(cases_running())) control_[0].stop = true;
    }
    collect();
  }

 private:
  struct Process {
    base::ChildProcess child;
    std::size_t slot;
    std::vector<std::byte> unread{};
    std::vector<WorkerEvents::Failed> failed{};  // of the block at hand
    std::uint64_t last_finished = 0;
    std::chrono::milliseconds stuck{0};
    bool ended = false;  // said so itself
  };

  void start(std::size_t slot, CaseRange first) {
    slots_[slot].number = kNoCase;
    slots_[slot].block = {};
    const base::ChildProcess child =
        base::start_child(options_.run.room_bytes(), [&](int result_end) {
          Worker worker(source_, backend_, options_.run.check, control_[0], slots_[slot],
                        result_end);
          worker.collect_in(collected_.combinations.spaces, words_of(slot));
          worker.work(blocks_, first);
        });
    running_.push_back({.child = child, .slot = slot});
  }

  [[nodiscard]] std::span<std::uint64_t> words_of(std::size_t slot) const {
    const std::size_t count = words_of_one_worker(collected_);
    return words_.all().subspan(slot * count, count);
  }

  void wait() {
    std::vector<pollfd> ends;
    for (const Process& process : running_) ends.push_back({process.child.result_end, POLLIN, 0});
    ::poll(ends.data(), ends.size(), static_cast<int>(kTick.count()));
    for (std::size_t i = ends.size(); i-- > 0;)
      if (ends[i].revents != 0) receive(i, judging::Verdict::kCrash);
  }

  /// False where it is the end: whoever did not announce it has met the verdict.
  bool receive(std::size_t i, judging::Verdict if_unannounced) {
    std::array<std::byte, 1 << 16> chunk;
    const ssize_t length = ::read(running_[i].child.result_end, chunk.data(), chunk.size());
    if (length < 0 && errno == EINTR) return true;
    Process& process = running_[i];
    process.stuck = {};
    if (length <= 0) {
      finish(i, if_unannounced);
      return false;
    }
    process.unread.insert(process.unread.end(), chunk.begin(), chunk.begin() + length);
    std::size_t at = 0;
    for (; process.unread.size() - at >= sizeof(WorkerMessage); at += sizeof(WorkerMessage)) {
      WorkerMessage message;
      std::memcpy(&message, process.unread.data() + at, sizeof message);
      take(message, process);
    }
    process.unread.erase(process.unread.begin(),
                         process.unread.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  void take(const WorkerMessage& message, Process& process) {
    switch (message.kind) {
      case WorkerMessage::Kind::kFailure:
        return take_failure(
            {{message.operator_index, message.verdict, message.get_text()}, message.number},
            process);
      case WorkerMessage::Kind::kDone:
        events_.on_done(message.range, message.tallies, message.choices, process.failed);
        process.failed.clear();
        return;
      case WorkerMessage::Kind::kError:
        return events_.on_error(message.number, message.get_text());
      case WorkerMessage::Kind::kEnd:
        process.ended = true;
    }
  }

  void take_failure(const WorkerEvents::Failed& failed, Process& process) {
    if (failed.key.operator_index >= std::variant_size_v<Operator>) return;
    process.failed.push_back(failed);
    events_.on_failure(failed.key, failed.number);
  }

  /// The worker is gone. Where it did not say so, the case at hand is what it died of; another
  /// worker goes on behind it.
  void finish(std::size_t i, judging::Verdict verdict) {
    Process process = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!process.ended) ::kill(process.child.pid, SIGKILL);
    ::waitpid(process.child.pid, nullptr, 0);
    ::close(process.child.result_end);
    if (process.ended) return;
    WorkerSlot& slot = slots_[process.slot];
    const std::uint64_t number = slot.number;
    const CaseRange block = slot.block;
    if (number < block.first || number >= block.last)
      throw std::runtime_error("a worker process ended before its first case");
    SourcedCase died_of;
    source_.make(number, died_of);
    const std::size_t op = died_of.generated.op.index();
    Tallies tallies = slot.tallies;
    ++tallies[op].failed;
    take_failure({{op, verdict, ""}, number}, process);
    events_.on_done({block.first, number + 1}, tallies, slot.choices, process.failed);
    if (!control_[0].stop) start(process.slot, {number + 1, block.last});
  }

  /// A worker that neither finishes a case nor says a word while we listen hangs.
  void end_hanging() {
    for (std::size_t i = running_.size(); i-- > 0;) {
      Process& process = running_[i];
      const std::uint64_t finished = slots_[process.slot].finished;
      const bool goes_on = finished != process.last_finished;
      process.last_finished = finished;
      process.stuck = goes_on ? std::chrono::milliseconds(0) : process.stuck + kTick;
      if (process.stuck <= std::max(options_.run.timeout, kShortestHang)) continue;
      ::kill(process.child.pid, SIGKILL);
      while (receive(i, judging::Verdict::kTimeout)) {  // what it said before counts
      }
    }
  }

  [[nodiscard]] std::uint64_t cases_running() const {
    std::uint64_t count = 0;
    for (const Process& process : running_) {
      const WorkerSlot& slot = slots_[process.slot];
      const std::uint64_t number = slot.number;
      const CaseRange block = slot.block;
      if (number >= block.first && number < block.last) count += number - block.first;
    }
    return count;
  }

  void collect() {
    for (std::size_t slot = 0; slot < options_.run.jobs; ++slot) {
      std::span<const std::uint64_t> from = words_of(slot);
      for (std::vector<std::uint64_t>& words : collected_.combinations.words) {
        for (std::size_t i = 0; i < words.size(); ++i) words[i] |= from[i];
        from = from.subspan(words.size());
      }
      for (std::size_t i = 0; i < collected_.counters.size(); ++i)
        collected_.counters[i] += from[i];
    }
  }

  const CampaignOptions& options_;
  const CaseSource& source_;
  backends::Backend& backend_;
  const CaseBlocks blocks_;
  Collected collected_;
  const WorkerEvents& events_;
  base::SharedMemory<WorkerControl> control_;
  base::SharedMemory<WorkerSlot> slots_;
  base::SharedMemory<std::uint64_t> words_;
  std::vector<Process> running_;
};

}  // namespace

void run_workers(const CampaignOptions& options, const CaseSource& source,
                 backends::Backend& backend, std::span<const CaseRange> work, Collected collected,
                 const WorkerEvents& events) {
  Workers(options, source, backend, work, collected, events).run();
}

}  // namespace opconform::campaigns
