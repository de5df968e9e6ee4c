#pragma once

#include <chrono>
#include <ctime>

namespace opconform::bench {

/// How long `f()` takes.
template <class F>
double time_ns(F&& f) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  f();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

struct Elapsed {
  double processor_ns;  ///< of this thread alone: without what others did meanwhile
  double wall_ns;
};

/// Both times that `f()` takes.
template <class F>
Elapsed elapsed(F&& f) {
  const auto processor_ns = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  const double start = processor_ns();
  const double wall_ns = time_ns(f);
  return {processor_ns() - start, wall_ns};
}

}  // namespace opconform::bench
