#include <chrono>
#include <utility>

#include "harness/running/workers.h"

namespace opconform::running {

WorkerChannel::WorkerChannel(WorkerPlace& place, const std::atomic<bool>& stop, Hear hear)
    : place_(place), stop_(stop), hear_(std::move(hear)) {}

void run_in_process(const RangeList& ranges, const RangeWork& work, const WorkerEvents& events) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kTick{100};
  WorkerPlace place{};
  std::atomic<bool> stop = false;
  WorkerChannel channel(place, stop, [&](std::uint64_t number, std::string_view text) {
    if (events.on_word) events.on_word(0, number, text, "");
  });
  Clock::time_point ticked = Clock::now();
  for (std::uint64_t i = 0; i < ranges.count && !stop; ++i) {
    const NumberRange range = ranges.at(i);
    const std::string text = work(range, channel);
    if (events.on_done) events.on_done(0, range, text);
    if (Clock::now() - ticked < kTick) continue;
    ticked = Clock::now();
    if (events.on_tick && !events.on_tick(0)) stop = true;
  }
}

}  // namespace opconform::running
