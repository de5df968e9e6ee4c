#include "harness/judging/at_once.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace opconform::judging {
namespace {

/// Counts itself out of `unfinished` when its rounds are over, however they end.
class Rounds {
 public:
  Rounds(unsigned wanted, std::atomic<std::ptrdiff_t>& unfinished)
      : left_(wanted), unfinished_(unfinished) {}
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;
  ~Rounds() {
    if (left_ > 0) --unfinished_;
  }
  /// Another one, until all lanes have had theirs.
  [[nodiscard]] bool next() {
    if (left_ > 0 && --left_ == 0) --unfinished_;
    if (left_ > 0) return true;
    std::this_thread::yield();  // to those that the rest is for
    return unfinished_ > 0;
  }

 private:
  unsigned left_;
  std::atomic<std::ptrdiff_t>& unfinished_;
};

bool ends_as_due(const Lane& lane) {
  return lane.must_fail ? std::holds_alternative<backends::Failure>(lane.ending)
                        : std::holds_alternative<backends::Done>(lane.ending);
}

void run(backends::Backend& backend, Lane& lane, unsigned wanted,
         std::atomic<std::ptrdiff_t>& unfinished) {
  Rounds rounds(wanted, unfinished);
  backends::Prepared own;
  if (lane.plan == nullptr) {
    own = backend.prepare(lane.op, lane.version);
    if (auto* const rejection = std::get_if<backends::Rejection>(&own)) {
      lane.ending = std::move(*rejection);
      return;
    }
  }
  backends::Executable& plan =
      lane.plan != nullptr ? *lane.plan : *std::get<std::unique_ptr<backends::Executable>>(own);
  do lane.ending = plan.execute(lane.bindings);
  while (ends_as_due(lane) && rounds.next());
}

}  // namespace

void execute_at_once(backends::Backend& backend, std::span<Lane> lanes, unsigned rounds) {
  // The stacks of many jobs' threads would not fit into a process whose memory is limited.
  static std::mutex in_turn;
  const std::lock_guard lock(in_turn);
  // Threads that sleep are woken one by one, and would not meet.
  std::atomic<std::ptrdiff_t> missing = std::ssize(lanes);
  std::atomic<std::ptrdiff_t> unfinished = std::ssize(lanes);
  std::vector<std::jthread> threads;
  threads.reserve(lanes.size());
  const auto start = [&](Lane& lane) {
    --missing;
    while (missing > 0) std::this_thread::yield();
    try {
      run(backend, lane, rounds, unfinished);
    } catch (...) {
      lane.thrown = std::current_exception();
    }
  };
  try {
    for (Lane& lane : lanes) threads.emplace_back(start, std::ref(lane));
  } catch (...) {
    // Those that are there must come to an end.
    missing = 0;
    unfinished = 0;
    throw;
  }
}

}  // namespace opconform::judging
