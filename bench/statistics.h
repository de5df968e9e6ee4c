// The few figures that are made of times.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bench/cell.h"

namespace opconform::bench {

/// In which order `count` contenders run: at random, so that nobody always finds the caches as the
/// same other one left them.
[[nodiscard]] std::vector<std::size_t> order_of_round(std::size_t count, std::size_t round);

/// Two times closer than this are the same time.
inline constexpr double kTieRatio = 1.15;
/// No cell may be slower than its best peer by more than this.
inline constexpr double kFloorGain = 0.9;

/// Precondition: there is one. Of an even number, the mean of the middle two.
[[nodiscard]] double median(std::vector<double> values);

/// Of samples: three quarters are above `low`, one quarter is above `high`.
struct Quartiles {
  double low;
  double median;
  double high;
};
/// Precondition: there is a value.
[[nodiscard]] Quartiles quartiles(std::vector<double> values);
/// Precondition: there is one, and all are positive.
[[nodiscard]] double geometric_mean(std::span<const double> values);

enum class Standing : unsigned char { kOk, kTie, kMiss, kUnderFloor };
[[nodiscard]] std::string_view name(Standing standing);

/// The worst of what the marks ask. A gain of 0 means that no peer was there.
[[nodiscard]] Standing judge(const Marks& marks, double gain, double over_limit);

}  // namespace opconform::bench
