// What else the machine does while something is measured.
#pragma once

#include <chrono>
#include <istream>

namespace opconform::bench {

/// More of a processor than this, and what others do spoils figures: they share the last cache and
/// the memory with what is measured, which no clock sees.
inline constexpr double kSpoilingProcessors = 0.1;

/// Seconds of all processors in a text as /proc/stat has it, since the machine started: those that
/// were busy, or taken by another guest of the host. Throws std::runtime_error where it is none.
[[nodiscard]] double busy_seconds(std::istream& stat);

class Load {
 public:
  /// Begins to count.
  Load();
  /// How many processors others have used since then, on average.
  [[nodiscard]] double processors_of_others() const;

 private:
  double busy_s_;
  double own_s_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace opconform::bench
