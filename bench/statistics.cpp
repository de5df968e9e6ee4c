#include "bench/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "harness/base/random.h"

namespace opconform::bench {

std::vector<std::size_t> order_of_round(std::size_t count, std::size_t round) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = count; k > 1; --k)
    std::swap(order[k - 1], order[base::random_bits(round, k) % k]);
  return order;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  return {values[last / 4], median(values), values[last - last / 4]};
}

double geometric_mean(std::span<const double> values) {
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

std::string_view name(Standing standing) {
  constexpr std::array<std::string_view, 4> kNames{"ok", "tie", "miss", "under floor"};
  return kNames[static_cast<std::size_t>(standing)];
}

namespace {

/// How a ratio that should be at least 1 stands.
Standing of_ratio(double ratio) {
  if (ratio >= 1) return Standing::kOk;
  return ratio * kTieRatio >= 1 ? Standing::kTie : Standing::kMiss;
}

}  // namespace

Standing judge(const Marks& marks, double gain, double over_limit) {
  Standing standing = Standing::kOk;
  if (gain > 0 && marks.gain > 0) standing = of_ratio(gain / marks.gain);
  if (marks.over_limit > 0) standing = std::max(standing, of_ratio(marks.over_limit / over_limit));
  if (gain > 0 && gain < kFloorGain) standing = Standing::kUnderFloor;
  return standing;
}

}  // namespace opconform::bench
