#include "harness/diagnosis/window.h"

#include <algorithm>

namespace opconform::diagnosis {
namespace {

constexpr std::uint64_t kMostColumns = 12;
constexpr std::uint64_t kMostRows = 8;
constexpr std::uint64_t kMostElementsShown = kMostColumns * kMostRows;

/// The sizes of a part: many columns, fewer rows, and of further dimensions what is left.
Dims sizes_of_part(const Dims& sizes) {
  Dims shown = sizes;
  std::uint64_t left = kMostElementsShown;
  std::uint64_t most = kMostColumns;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    shown[i] = std::min({sizes[i], most, left});
    left /= shown[i];
    most = most == kMostColumns ? kMostRows : left;
  }
  return shown;
}

/// Where a run of `shown` begins that holds all from `first` to `last`, with more behind them than
/// before.
std::uint64_t start_around(std::uint64_t first, std::uint64_t last, std::uint64_t shown,
                           std::uint64_t size) {
  const std::uint64_t before = (shown - (last - first + 1)) / 3;
  return std::min(first - std::min(first, before), size - shown);
}

}  // namespace

bool Window::holds(const Dims& element) const {
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (element[i] < from[i] || element[i] - from[i] >= shown[i]) return false;
  return true;
}

std::size_t Window::number_of(const Dims& element) const {
  std::size_t number = 0;
  for (std::size_t i = 0; i < shown.size(); ++i)
    number = number * shown[i] + (element[i] - from[i]);
  return number;
}

Window window_of(const Dims& sizes, std::span<const Dims> points) {
  Window window{Dims(sizes.size()), sizes};
  if (has_empty_dimension({DataType::kUint8, sizes, std::nullopt, 0})) return window;
  const std::optional<std::uint64_t> count = element_count(sizes);
  if (count && *count <= kMostElementsShown) return window;
  window.shown = sizes_of_part(sizes);
  if (points.empty()) return window;
  Dims first = points.front();
  Dims last = first;
  for (const Dims& point : points.subspan(1)) {
    Dims low = first;
    Dims high = last;
    bool has_room = true;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      low[i] = std::min(low[i], point[i]);
      high[i] = std::max(high[i], point[i]);
      has_room = has_room && high[i] - low[i] < window.shown[i];
    }
    if (!has_room) continue;
    first = low;
    last = high;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    window.from[i] = start_around(first[i], last[i], window.shown[i], sizes[i]);
  return window;
}

Dims coordinates_of(std::uint64_t number, const Dims& sizes) {
  Dims element(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0; number /= sizes[i]) element[i] = number % sizes[i];
  return element;
}

}  // namespace opconform::diagnosis
