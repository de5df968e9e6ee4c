#include "optimized/tile.h"

#include <algorithm>
#include <limits>
#include <numeric>

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

/// Calls `visit(source offset, target offset)` for each element of the loops, innermost last.
template <class Visit>
void for_each_element(const Loops& loops, Visit&& visit) {
  for_each_position(loops, [&](const Position& at) { visit(at.source, at.target); });
}

/// Windows for the elements at `offsets`, which become 16 bytes of the target. None begins above
/// `last`.
std::vector<std::ptrdiff_t> cover(std::vector<std::ptrdiff_t> offsets, std::ptrdiff_t width,
                                  std::ptrdiff_t last) {
  std::sort(offsets.begin(), offsets.end());
  std::vector<std::ptrdiff_t> windows;
  for (const std::ptrdiff_t offset : offsets)
    if (windows.empty() || offset + width > windows.back() + kHalfBytes)
      windows.push_back(std::min(offset, last));
  return windows;
}

/// Elements in ascending order, as stretches with more than a line of the cache between them.
Tile::Stretches stretches_of(const std::vector<std::ptrdiff_t>& elements, std::ptrdiff_t width) {
  constexpr std::ptrdiff_t kNear = 128;
  Tile::Stretches stretches;
  for (const std::ptrdiff_t element : elements) {
    if (stretches.empty() || element > stretches.back().end + kNear) {
      if (stretches.size() == Tile::Stretches::capacity()) return {};
      stretches.push_back({element, element});
    }
    stretches.back().end = element + width;
  }
  return stretches;
}

}  // namespace

Tile Tile::of_vectors(Loops& loops, std::ptrdiff_t width) {
  Tile tile;
  Loops rest = loops;
  Loops inside;  // outermost last, until it is reversed
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

  std::vector<std::ptrdiff_t> sources;
  for_each_element(inside,
                   [&](std::ptrdiff_t source, std::ptrdiff_t) { sources.push_back(source); });
  const auto [first, last] = std::minmax_element(sources.begin(), sources.end());
  const std::ptrdiff_t last_window = *last + width - kHalfBytes;
  if (last_window < *first) return {};

  // Of each half of each vector: its elements, and the windows that hold them.
  struct Half {
    std::vector<std::ptrdiff_t> elements;
    std::vector<std::ptrdiff_t> windows;
  };
  std::vector<Half> halves;
  for (std::ptrdiff_t vector = 0; vector < tile.size_bytes_; vector += kVectorBytes) {
    const std::ptrdiff_t begin = std::min(vector, tile.size_bytes_ - kVectorBytes);
    for (const std::ptrdiff_t half : {begin, begin + kHalfBytes}) {
      const auto elements = sources.begin() + half / width;
      halves.push_back({{elements, elements + kHalfBytes / width}, {}});
      halves.back().windows = cover(halves.back().elements, width, last_window);
      tile.windows_each_ = std::max(tile.windows_each_, std::ssize(halves.back().windows));
    }
  }
  if (tile.windows_each_ > kMostWindows) return {};

  const auto each = static_cast<std::size_t>(tile.windows_each_);
  tile.windows_.resize(halves.size() / 2 * each);
  for (std::size_t h = 0; h < halves.size(); ++h) {
    const auto& [elements, windows] = halves[h];
    Window* const of_vector = &tile.windows_[h / 2 * each];
    const auto mask_of = [&](std::size_t w) { return of_vector[w].mask + h % 2 * kHalfBytes; };
    for (std::size_t w = 0; w < each; ++w) {
      (h % 2 == 0 ? of_vector[w].low : of_vector[w].high) =
          windows[std::min(w, windows.size() - 1)];
      std::fill_n(mask_of(w), kHalfBytes, kZero);
    }
    for (std::size_t e = 0; e < elements.size(); ++e) {
      std::size_t w = 0;
      while (elements[e] + width > windows[w] + kHalfBytes) ++w;
      unsigned char* const bytes = mask_of(w) + static_cast<std::ptrdiff_t>(e) * width;
      std::iota(bytes, bytes + width, static_cast<unsigned char>(elements[e] - windows[w]));
    }
  }
  std::sort(sources.begin(), sources.end());
  tile.stretches_ = stretches_of(sources, width);
  loops = rest;
  return tile;
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
  for_each_element(inside, [&](std::ptrdiff_t source, std::ptrdiff_t target) {
    tile.moves_.push_back({static_cast<std::int32_t>(source), static_cast<std::int32_t>(target)});
  });
  tile.size_bytes_ = std::ssize(tile.moves_) * width;
  return tile;
}

}  // namespace opconform::optimized
