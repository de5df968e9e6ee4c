#include "harness/campaigns/workers.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "harness/base/child_process.h"
#include "harness/coverage/coverage.h"
#include "harness/running/differential.h"

namespace opconform::harness {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kBlock = 2048;  // cases
constexpr auto kTick = std::chrono::milliseconds(100);
/// However short the timeout: on a busy machine, a process may have to wait for its turn.
constexpr std::chrono::milliseconds kShortestHang = 2 * kTick;
constexpr std::uint64_t kNoCase = ~std::uint64_t{0};

/// Zeroed memory that children share with their parent.
template <class T>
class Shared {
 public:
  explicit Shared(std::size_t count) : count_(std::max<std::size_t>(count, 1)) {
    void* memory = ::mmap(nullptr, count_ * sizeof(T), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    first_ = static_cast<T*>(memory);
    std::uninitialized_value_construct_n(first_, count_);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { ::munmap(first_, count_ * sizeof(T)); }
  T& operator[](std::size_t i) const { return first_[i]; }
  [[nodiscard]] std::span<T> all() const { return {first_, count_}; }

 private:
  T* first_;
  std::size_t count_;
};

/// What all workers share.
struct Control {
  std::atomic<std::uint64_t> next_block;
  std::atomic<bool> stop;
};
/// Where one worker is: its parent reads it when the worker is dead or hangs.
struct Slot {
  std::atomic<std::uint64_t> number;  // the case at hand
  std::atomic<std::uint64_t> finished;
  CaseRange block;
  Tallies tallies;  // of the block
  ChoiceCounts choices;
};

/// What a worker writes into its pipe. Smaller than PIPE_BUF: it arrives whole or not at all.
struct Message {
  enum class Kind : std::uint8_t { kFailure, kDone, kError, kEnd } kind = Kind::kEnd;
  Verdict verdict{};
  std::size_t operator_index = 0;
  std::uint64_t number = 0;
  CaseRange range{};
  Tallies tallies{};
  ChoiceCounts choices{};
  std::array<char, 256> text{};  // the rule, or what went wrong
  void set_text(std::string_view value) {
    value = value.substr(0, text.size() - 1);
    std::copy(value.begin(), value.end(), text.begin());
  }
  [[nodiscard]] std::string get_text() const {
    return {text.data(), ::strnlen(text.data(), text.size())};
  }
};
static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) < 4096);

/// The ranges cut into blocks, numbered through.
class Blocks {
 public:
  explicit Blocks(std::span<const CaseRange> ranges) {
    for (const CaseRange& range : ranges) {
      parts_.push_back({count_, range});
      count_ += (range.last - range.first + kBlock - 1) / kBlock;
    }
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] CaseRange operator[](std::uint64_t block) const {
    const auto behind =
        std::upper_bound(parts_.begin(), parts_.end(), block,
                         [](std::uint64_t b, const Part& part) { return b < part.first_block; });
    const Part& part = *std::prev(behind);
    const std::uint64_t first = part.range.first + (block - part.first_block) * kBlock;
    return {first, std::min(first + kBlock, part.range.last)};
  }

 private:
  struct Part {
    std::uint64_t first_block;
    CaseRange range;
  };
  std::vector<Part> parts_;
  std::uint64_t count_ = 0;
};

/// The life of a worker.
class Worker {
 public:
  Worker(const CaseSource& source, Backend& backend, const CheckOptions& check, Control& control,
         Slot& slot, int result_end)
      : source_(source),
        backend_(backend),
        differential_(backend),
        control_(control),
        slot_(slot),
        result_end_(result_end),
        check_(check) {}

  /// `shared` has room for the words of all spaces and, where wanted, for the counters of coverage.
  void collect_in(const std::vector<CombinationSpace>& spaces, std::span<std::uint64_t> shared) {
    for (const CombinationSpace& space : spaces) {
      combinations_.push_back({&space, shared.first(space.word_count())});
      shared = shared.subspan(space.word_count());
    }
    if (!shared.empty()) coverage_.emplace(shared);
  }

  void work(const Blocks& blocks, CaseRange first) {
    if (first.first < first.last) work(first);
    for (std::uint64_t block = 0;
         !control_.stop && (block = control_.next_block.fetch_add(1)) < blocks.count();)
      work(blocks[block]);
    send({});
  }

 private:
  void work(CaseRange block) {
    slot_.number = kNoCase;
    slot_.tallies = {};
    slot_.choices = {};
    slot_.block = block;
    std::uint64_t number = block.first;
    for (; number < block.last && !control_.stop; ++number) {
      slot_.number = number;
      try {
        run(number);
      } catch (const std::exception& error) {  // not the backend's: that is caught where it is run
        Message message{.kind = Message::Kind::kError, .number = number};
        message.set_text(error.what());
        send(message);
      }
      ++slot_.finished;
    }
    send({.kind = Message::Kind::kDone,
          .range = {block.first, number},
          .tallies = slot_.tallies,
          .choices = slot_.choices});
  }

  void run(std::uint64_t number) {
    source_.make(number, case_);
    failed_operator_ = case_.generated.op.index();
    Tally& tally = slot_.tallies[failed_operator_];
    const CaseResult result = case_.kind == CaseKind::kValid    ? run_valid(tally)
                              : case_.kind == CaseKind::kBroken ? run_broken(tally)
                                                                : run_relation(tally);
    if (result.verdict == Verdict::kUnsupported) ++tally.unsupported;
    if (!is_nonconformance(result.verdict)) return;
    ++tally.failed;
    Message message{.kind = Message::Kind::kFailure,
                    .verdict = result.verdict,
                    .operator_index = failed_operator_,
                    .number = number};
    message.set_text(result.rule);
    send(message);
  }

  CaseResult run_valid(Tally& tally) {
    ++tally.valid;
    const Generated& generated = case_.generated;
    if (!combinations_.empty()) {
      const auto& [space, words] = combinations_[generated.op.index()];
      space->mark(generated.assignment, words);
    }
    CaseResult result;
    result.verdict = Verdict::kPass;
    if (!differential_.agrees_on_valid(generated)) {
      result = differential_.judge_valid(generated);
      if (result.verdict == Verdict::kPass) ++tally.freedom;
      for (const Choice choice : result.choices) ++count_of(choice, slot_.choices);
    }
    const std::string_view error = differential_.reference_error();
    observe(result, error.empty() ? Outcome::kAccepted : Outcome::kFailed, error,
            differential_.pristine().bindings().inputs);
    return result;
  }

  CaseResult run_broken(Tally& tally) {
    ++tally.broken;
    CaseResult result;
    result.verdict = Verdict::kPass;
    if (!differential_.refuses(case_.generated, case_.rule))
      result = differential_.judge_broken(case_.rule);
    observe(result, Outcome::kRefused, case_.rule, {});
    return result;
  }

  CaseResult run_relation(Tally& tally) {
    ++tally.relations;
    const RelationCheck checked = check_relation(case_, backend_, check_);
    if (checked.culprit) failed_operator_ = checked.culprit->op.index();
    return checked.result;
  }

  void observe(const CaseResult& result, Outcome outcome, std::string_view rule,
               std::span<const std::span<const std::byte>> inputs) {
    if (!coverage_ || result.verdict == Verdict::kUnsupported) return;
    coverage_->observe({.op = case_.generated.op,
                        .version = case_.generated.version,
                        .origin = Origin::kFuzzed,
                        .outcome = outcome,
                        .rules = {&rule, rule.empty() ? std::size_t{0} : std::size_t{1}},
                        .inputs = inputs});
  }

  void send(const Message& message) {
    write_all(result_end_, std::as_bytes(std::span(&message, 1)));
  }

  const CaseSource& source_;
  Backend& backend_;
  Differential differential_;
  Control& control_;
  Slot& slot_;
  int result_end_;
  const CheckOptions& check_;
  SourcedCase case_;
  std::size_t failed_operator_ = 0;  // of a relation between operators, the one that is to blame
  struct Marked {
    const CombinationSpace* space;
    std::span<std::uint64_t> words;
  };
  std::vector<Marked> combinations_;  // by operator, or empty
  std::optional<Coverage> coverage_;
};

std::size_t words_of_one_worker(const Collected& collected) {
  std::size_t count = collected.counters.size();
  for (const CombinationSpace& space : collected.combinations.spaces) count += space.word_count();
  return count;
}

class Workers {
 public:
  Workers(const CampaignOptions& options, const CaseSource& source, Backend& backend,
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
    ChildProcess child;
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
    const ChildProcess child = start_child(options_.run.room_bytes(), [&](int result_end) {
      Worker worker(source_, backend_, options_.run.check, control_[0], slots_[slot], result_end);
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
      if (ends[i].revents != 0) receive(i, Verdict::kCrash);
  }

  /// False where it is the end: whoever did not announce it has met the verdict.
  bool receive(std::size_t i, Verdict if_unannounced) {
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
    for (; process.unread.size() - at >= sizeof(Message); at += sizeof(Message)) {
      Message message;
      std::memcpy(&message, process.unread.data() + at, sizeof message);
      take(message, process);
    }
    process.unread.erase(process.unread.begin(),
                         process.unread.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  void take(const Message& message, Process& process) {
    switch (message.kind) {
      case Message::Kind::kFailure:
        return take_failure(
            {{message.operator_index, message.verdict, message.get_text()}, message.number},
            process);
      case Message::Kind::kDone:
        events_.on_done(message.range, message.tallies, message.choices, process.failed);
        process.failed.clear();
        return;
      case Message::Kind::kError:
        return events_.on_error(message.number, message.get_text());
      case Message::Kind::kEnd:
        process.ended = true;
    }
  }

  void take_failure(WorkerEvents::Failed failed, Process& process) {
    if (failed.key.operator_index >= std::variant_size_v<Operator>) return;
    process.failed.push_back(failed);
    events_.on_failure(failed.key, failed.number);
  }

  /// The worker is gone. Where it did not say so, the case at hand is what it died of; another
  /// worker goes on behind it.
  void finish(std::size_t i, Verdict verdict) {
    Process process = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!process.ended) ::kill(process.child.pid, SIGKILL);
    ::waitpid(process.child.pid, nullptr, 0);
    ::close(process.child.result_end);
    if (process.ended) return;
    Slot& slot = slots_[process.slot];
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
      while (receive(i, Verdict::kTimeout)) {  // what it said before counts
      }
    }
  }

  [[nodiscard]] std::uint64_t cases_running() const {
    std::uint64_t count = 0;
    for (const Process& process : running_) {
      const Slot& slot = slots_[process.slot];
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
  Backend& backend_;
  const Blocks blocks_;
  Collected collected_;
  const WorkerEvents& events_;
  Shared<Control> control_;
  Shared<Slot> slots_;
  Shared<std::uint64_t> words_;
  std::vector<Process> running_;
};

}  // namespace

void run_workers(const CampaignOptions& options, const CaseSource& source, Backend& backend,
                 std::span<const CaseRange> work, Collected collected, const WorkerEvents& events) {
  Workers(options, source, backend, work, collected, events).run();
}

}  // namespace opconform::harness
