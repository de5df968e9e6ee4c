#pragma once

#include <chrono>

namespace opconform::bench {

/// How long `f()` takes.
template <class F>
double time_ns(F&& f) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  f();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

}  // namespace opconform::bench
