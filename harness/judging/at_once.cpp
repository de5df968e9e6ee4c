#include "harness/judging/at_once.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace opconform::judging {
namespace {

void run(backends::Backend& backend, Lane& lane, unsigned rounds) {
  backends::Prepared own;
  if (lane.plan == nullptr) {
    own = backend.prepare(lane.op, lane.version);
    if (auto* const refusal = std::get_if<backends::Refusal>(&own)) {
      lane.ending = std::move(*refusal);
      return;
    }
  }
  backends::Executable& plan =
      lane.plan != nullptr ? *lane.plan : *std::get<std::unique_ptr<backends::Executable>>(own);
  for (unsigned round = 0; round < rounds; ++round) {
    lane.ending = plan.execute(lane.bindings);
    if (!std::holds_alternative<backends::Done>(lane.ending)) return;
  }
}

}  // namespace

void execute_at_once(backends::Backend& backend, std::span<Lane> lanes, unsigned rounds) {
  // The stacks of many jobs' threads would not fit into a process whose memory is limited.
  static std::mutex in_turn;
  const std::lock_guard lock(in_turn);
  // Threads that sleep are woken one by one, and would not meet.
  std::atomic<std::size_t> missing = lanes.size();
  std::vector<std::jthread> threads;
  threads.reserve(lanes.size());
  const auto start = [&](Lane& lane) {
    --missing;
    while (missing > 0) std::this_thread::yield();
    try {
      run(backend, lane, rounds);
    } catch (...) {
      lane.thrown = std::current_exception();
    }
  };
  try {
    for (Lane& lane : lanes) threads.emplace_back(start, std::ref(lane));
  } catch (...) {
    missing = 0;  // those that are there must come to an end
    throw;
  }
}

}  // namespace opconform::judging
