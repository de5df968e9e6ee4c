#include "optimized/tile.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>

#include "optimized/tuning.h"

namespace opconform::optimized {
namespace {

constexpr std::ptrdiff_t kVectorBytes = 32;
constexpr std::ptrdiff_t kHalfBytes = 16;
/// What VPSHUFB takes for a byte of 0.
constexpr unsigned char kZero = 0x80;

/// How many steps of the loop a tile should hold whose elements inside of it lie together; 0: all.
std::ptrdiff_t steps_of(const Loop& loop, std::ptrdiff_t inside_bytes) {
  const std::ptrdiff_t whole_vectors = kVectorBytes / std::gcd(inside_bytes, kVectorBytes);
  if (whole_vectors <= loop.count && whole_vectors * inside_bytes <= kMostTileBytes)
    return whole_vectors;
  if (loop.count <= kMostTileBytes / inside_bytes) return 0;
  return (kLeastTileBytes + inside_bytes - 1) / inside_bytes;
}

/// The loop around a tile that holds all loops inside of it.
void repeat_by_next(Loops& loops) {
  if (loops.empty()) loops.push_back({});
}

constexpr std::ptrdiff_t kMostElements = kMostTileBytes + kLeastTileBytes;
using Offsets = InlineVector<std::ptrdiff_t, kMostElements>;

/// What becomes half a vector: the windows that hold its elements.
using HalfWindows = InlineVector<std::ptrdiff_t, kHalfBytes>;
/// None begins above `last`.
HalfWindows cover(std::span<const std::ptrdiff_t> elements, std::ptrdiff_t width,
                  std::ptrdiff_t last) {
  HalfWindows sorted(elements.begin(), elements.end());
  std::sort(sorted.begin(), sorted.end());
  HalfWindows windows;
  for (const std::ptrdiff_t element : sorted)
    if (windows.empty() || element + width > windows.back() + kHalfBytes)
      windows.push_back(std::min(element, last));
  return windows;
}

/// Element e of the half goes to place e: out of the first window that holds it.
void fill_masks(std::span<const std::ptrdiff_t> elements, const HalfWindows& windows,
                std::ptrdiff_t width, Window* of_vector, std::ptrdiff_t half) {
  for (std::size_t e = 0; e < elements.size(); ++e) {
    std::size_t w = 0;
    while (elements[e] + width > windows[w] + kHalfBytes) ++w;
    unsigned char* const bytes = of_vector[w].mask + half + static_cast<std::ptrdiff_t>(e) * width;
    std::iota(bytes, bytes + width, static_cast<unsigned char>(elements[e] - windows[w]));
  }
}

}  // namespace

Tile Tile::of_vectors(Loops& loops, std::ptrdiff_t width) {
  Tile tile;
  Loops rest = loops;
  Loops inside;
  tile.size_bytes_ = width;
  while (!rest.empty() && rest.back().target_stride == tile.size_bytes_) {
    const Loop& loop = rest.back();
    const std::ptrdiff_t steps = steps_of(loop, tile.size_bytes_);
    inside.push_back(loop);
    if (steps != 0) {
      inside.back().count = tile.steps_ = steps;
      tile.size_bytes_ *= steps;
      break;
    }
    tile.size_bytes_ *= loop.count;
    rest.pop_back();
  }
  if (tile.size_bytes_ < kVectorBytes) return {};
  repeat_by_next(rest);
  std::reverse(inside.begin(), inside.end());

  Offsets elements;
  for_each_position(inside, [&](const Position& at) { elements.push_back(at.source); });
  const auto [first, last] = std::minmax_element(elements.begin(), elements.end());
  const std::ptrdiff_t last_window = *last + width - kHalfBytes;
  if (last_window < *first) return {};
  const auto half_at = [&](std::ptrdiff_t place) {
    return std::span(elements.begin() + place / width,
                     static_cast<std::size_t>(kHalfBytes / width));
  };

  std::array<HalfWindows, kMostElements / kHalfBytes + 2> halves;
  std::size_t half_count = 0;
  std::size_t each = 0;
  for (std::ptrdiff_t place = 0; place < tile.size_bytes_; place += kVectorBytes) {
    const std::ptrdiff_t begin = std::min(place, tile.size_bytes_ - kVectorBytes);
    for (const std::ptrdiff_t half : {begin, begin + kHalfBytes}) {
      halves[half_count] = cover(half_at(half), width, last_window);
      each = std::max(each, halves[half_count++].size());
    }
  }
  if (each > kMostWindows) return {};

  tile.windows_each_ = static_cast<std::ptrdiff_t>(each);
  tile.windows_.resize(half_count / 2 * each);
  for (std::size_t h = 0; h < half_count; ++h) {
    const HalfWindows& windows = halves[h];
    Window* const of_vector = &tile.windows_[h / 2 * each];
    const std::ptrdiff_t half = h % 2 == 0 ? 0 : kHalfBytes;
    for (std::size_t w = 0; w < each; ++w) {
      (half == 0 ? of_vector[w].low : of_vector[w].high) = windows[std::min(w, windows.size() - 1)];
      std::fill_n(of_vector[w].mask + half, kHalfBytes, kZero);
    }
    const std::ptrdiff_t place = std::min(static_cast<std::ptrdiff_t>(h / 2) * kVectorBytes,
                                          tile.size_bytes_ - kVectorBytes) +
                                 half;
    fill_masks(half_at(place), windows, width, of_vector, half);
  }
  loops = rest;
  return tile;
}

Tile::Stretches Tile::stretches() const {
  constexpr std::ptrdiff_t kNear = 128;  // two lines of the cache, of which one may be read
  std::vector<std::ptrdiff_t> begins;
  for (const Window& window : windows_) {
    begins.push_back(window.low);
    begins.push_back(window.high);
  }
  std::sort(begins.begin(), begins.end());
  Stretches stretches;
  for (const std::ptrdiff_t begin : begins) {
    if (stretches.empty() || begin > stretches.back().end + kNear) {
      if (stretches.size() == Stretches::capacity()) return {};
      stretches.push_back({begin, begin});
    }
    stretches.back().end = begin + kHalfBytes;
  }
  return stretches;
}

Tile Tile::of_elements(Loops& loops, std::ptrdiff_t width) {
  Tile tile;
  Loops inside;
  std::ptrdiff_t count = 1;
  std::ptrdiff_t reach = 0;
  while (!loops.empty() && count < kLeastTileMoves) {
    const Loop& loop = loops.back();
    reach += (loop.count - 1) * std::max(std::abs(loop.source_stride), loop.target_stride);
    if (count * loop.count > kMostTileMoves || reach > std::numeric_limits<std::int32_t>::max())
      break;
    count *= loop.count;
    inside.push_back(loop);
    loops.pop_back();
  }
  std::reverse(inside.begin(), inside.end());
  repeat_by_next(loops);
  for_each_position(inside, [&](const Position& at) {
    tile.moves_.push_back(
        {static_cast<std::int32_t>(at.source), static_cast<std::int32_t>(at.target)});
  });
  tile.size_bytes_ = std::ssize(tile.moves_) * width;
  return tile;
}

}  // namespace opconform::optimized
