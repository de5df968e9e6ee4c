// Figures as people read them: counts, times, rates.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace opconform::reports {

/// 1204224 as "1,204,224".
std::string grouped(std::uint64_t number);
/// "1.4 s"
std::string seconds_text(double seconds, int decimals = 1);
/// 0 where no time has passed.
double per_second(std::uint64_t count, double seconds);

/// The time since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace opconform::reports
