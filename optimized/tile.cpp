#include "optimized/tile.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

#include "optimized/kernels/kernels.h"

namespace opconform::optimized {
namespace {

/// What VPSHUFB takes for a byte of 0.
constexpr unsigned char kZero = 0x80;
/// Of how many bytes the costs of tiles are compared.
constexpr std::ptrdiff_t kCostBytes = 4096;
constexpr std::ptrdiff_t kAny = std::numeric_limits<std::ptrdiff_t>::max() >> 24;

/// How many steps of the loop a tile should hold whose elements inside of it lie together; 0: all.
/// With them, and the bytes that those elements read, it should read a window at least. A stride
/// may be longer than any product holds.
std::ptrdiff_t steps_of(const Loop& loop, std::ptrdiff_t inside_bytes, std::ptrdiff_t read_bytes) {
  const auto stride = std::abs(std::clamp(loop.source_stride, -kWindowBytes, kWindowBytes));
  std::ptrdiff_t whole_blocks = kWindowBytes / std::gcd(inside_bytes, kWindowBytes);
  while (stride != 0 && read_bytes + (whole_blocks - 1) * stride < kWindowBytes) whole_blocks *= 2;
  if (2 * whole_blocks <= loop.count && whole_blocks * inside_bytes <= kMostWholeTileBytes)
    return whole_blocks;
  if (loop.count <= kMostTileBytes / inside_bytes) return 0;
  return (kLeastTileBytes + inside_bytes - 1) / inside_bytes;
}

/// The number of one that holds the element, from 1 on; 0 where none does.
std::size_t find_window(const Windows& windows, const Place& element, std::ptrdiff_t width) {
  std::size_t w = windows.size();
  while (w > 0 && (windows[w - 1].source != element.source || element.at < windows[w - 1].at ||
                   element.at + width > windows[w - 1].at + kWindowBytes))
    --w;
  return w;
}

using Places = InlineVector<Place, 2 * kWindowBytes>;

Places sorted(std::span<const Place> block) {
  const auto is_before = [](const Place& a, const Place& b) {
    return a.source != b.source ? a.source < b.source : a.at < b.at;
  };
  Places places(block.begin(), block.end());
  if (is_before(block.back(), block.front())) std::reverse(places.begin(), places.end());
  std::sort(places.begin(), places.end(), is_before);
  return places;
}

/// Adds windows until each of the sorted elements lies in one, `most` in all.
bool add_windows(const Places& elements, std::ptrdiff_t width, const std::ptrdiff_t* last,
                 std::size_t most, Windows& windows) {
  const std::size_t before = windows.size();
  for (const Place& element : elements) {
    if (find_window(windows, element, width) > 0) continue;
    if (windows.size() >= most) {
      windows.resize(before);
      return false;
    }
    windows.push_back({element.source, std::min(element.at, last[element.source])});
  }
  return true;
}

/// One for each window.
void add_masks(std::span<const Place> block, std::ptrdiff_t width, const Windows& windows,
               std::vector<unsigned char>& masks) {
  const std::size_t before = masks.size();
  masks.resize(before + windows.size() * kMaskBytes, kZero);
  unsigned char* const first = masks.data() + before;
  for (std::size_t e = 0; e < block.size(); ++e) {
    const std::size_t w = find_window(windows, block[e], width) - 1;
    unsigned char* const bytes = first + w * kMaskBytes + static_cast<std::ptrdiff_t>(e) * width;
    for (std::ptrdiff_t i = 0; i < width; ++i)
      bytes[i] = static_cast<unsigned char>(block[e].at - windows[w].at + i);
  }
  // A block of one half stands in both.
  if (std::ssize(block) * width > kWindowBytes) return;
  for (std::size_t w = 0; w < windows.size(); ++w)
    std::copy_n(first + w * kMaskBytes, kWindowBytes, first + w * kMaskBytes + kWindowBytes);
}

std::vector<std::ptrdiff_t> places_of(const Loops& loops, std::ptrdiff_t Loop::*stride,
                                      std::ptrdiff_t first) {
  std::vector<std::ptrdiff_t> places{first};
  unroll(loops, places, [&](std::ptrdiff_t place, const Loop& loop, std::ptrdiff_t steps) {
    return place + loop.*stride * steps;
  });
  return places;
}

/// Of kCostBytes of squares, in loads of windows and shuffles.
std::ptrdiff_t cost_of(const Tile& squares, std::ptrdiff_t width) {
  const std::ptrdiff_t rows = std::ssize(squares.rows);
  const std::ptrdiff_t pairs = (rows * width - 1) / (2 * kWindowBytes) + 1;
  const std::ptrdiff_t moved = rows * std::min(std::ssize(squares.lines) * width, kWindowBytes);
  return pairs * kSquaresCost * kCostBytes / (width * moved);
}

/// The tile as blocks, where it costs less than `most_cost`, which becomes what it costs; else it
/// is empty, and has taken none of the loops. The innermost `whole` are not cut.
Tile cheaper_blocks(Loops& loops, std::ptrdiff_t width, std::size_t whole,
                    std::ptrdiff_t& most_cost) {
  Tile tile;
  Loops rest = loops;
  Loops inside;
  tile.size_bytes = width;
  std::ptrdiff_t read_bytes = width;
  while (!rest.empty() && rest.back().target_stride == tile.size_bytes) {
    const Loop& loop = rest.back();
    const std::ptrdiff_t steps =
        inside.size() < whole ? 0 : steps_of(loop, tile.size_bytes, read_bytes);
    read_bytes += (loop.count - 1) * std::abs(loop.source_stride);
    inside.insert(0, loop);
    if (steps != 0) {
      inside[0].count = tile.steps = steps;
      tile.size_bytes *= steps;
      break;
    }
    tile.size_bytes *= loop.count;
    rest.pop_back();
  }
  const bool fits = kWindowBytes <= tile.size_bytes && tile.size_bytes <= kMostWholeTileBytes;
  if (!fits || rest.empty() || inside.size() < whole) return {};

  InlineVector<Place, kMostWholeTileBytes> elements{Place{}};
  unroll(inside, elements, [](Place place, const Loop& loop, std::ptrdiff_t times) {
    return Place{0, place.at + loop.source_stride * times};
  });
  const auto [first, last] = std::minmax_element(
      elements.begin(), elements.end(), [](const Place& a, const Place& b) { return a.at < b.at; });
  const std::ptrdiff_t last_window = last->at + width - kWindowBytes;
  if (last_window < first->at) return {};
  std::ptrdiff_t slower = whole != 0 ? kMatrixCost : 1;
  if (whole == 0 && tile.steps > 1)
    slower = std::clamp(kManyTiles * tile.steps / rest.back().count, slower, kFewTilesCost);
  tile.blocks = Blocks::of({elements.begin(), elements.end()}, width, kWindowBytes, &last_window,
                           whole != 0 ? kMostTileBytes : 1,
                           most_cost * tile.size_bytes / (kCostBytes * slower));
  // A load and a shuffle for each element: bytes are moved faster one by one, and so are those that
  // lie far apart, around which windows would reach into more lines of the cache.
  const bool are_alone = tile.blocks.cost * width == 2 * tile.size_bytes;
  const bool are_far = std::abs(inside.back().source_stride) >= 2 * kCacheLineBytes;
  if (tile.blocks.groups.empty() || (are_alone && (width == 1 || are_far))) return {};
  most_cost = tile.blocks.cost * slower * kCostBytes / tile.size_bytes;
  loops = rest;
  return tile;
}

}  // namespace

Blocks Blocks::of(std::span<const Place> elements, std::ptrdiff_t width, std::ptrdiff_t block_bytes,
                  const std::ptrdiff_t* last, std::ptrdiff_t near, std::ptrdiff_t most_cost) {
  std::array<BlockGroup, kMostWovenTileBytes / kWindowBytes> groups;
  auto* end = groups.begin();
  std::ptrdiff_t cost = 0;
  const std::ptrdiff_t size_bytes = std::ssize(elements) * width;
  const auto block_at = [&](std::ptrdiff_t target) {
    return elements.subspan(static_cast<std::size_t>(target / width),
                            static_cast<std::size_t>(block_bytes / width));
  };
  for (std::ptrdiff_t next = 0; next < size_bytes; next += block_bytes) {
    const std::ptrdiff_t target = std::min(next, size_bytes - block_bytes);
    const Places block = sorted(block_at(target));
    const auto join = [&](BlockGroup& group, std::size_t most) {
      const std::ptrdiff_t before = group.cost();
      if (!add_windows(block, width, last, most, group.windows)) return false;
      group.targets.push_back(target);
      cost += group.cost() - before;
      return cost <= most_cost;
    };
    const auto joined = [&](BlockGroup& group) { return join(group, kMostSharedWindows); };
    auto* const first = end - std::min(near, end - groups.begin());
    if (target == next && std::any_of(first, end, joined)) continue;
    if (!join(*end++, kMostWindows)) return {};
  }
  Blocks blocks{.groups = {groups.begin(), end}, .masks = {}, .cost = cost};
  blocks.masks.reserve(static_cast<std::size_t>((cost + 1) * kMaskBytes));
  // Aligned for speed alone; an allocation that promises it takes longer than all that is here.
  blocks.masks.resize(-reinterpret_cast<std::uintptr_t>(blocks.masks.data()) % kMaskBytes);
  for (BlockGroup& group : blocks.groups) {
    group.masks = blocks.masks.size();
    for (const std::ptrdiff_t target : group.targets)
      add_masks(block_at(target), width, group.windows, blocks.masks);
  }
  return blocks;
}

Tile Tile::of_blocks(Loops& loops, std::ptrdiff_t width, const Tile* squares) {
  std::ptrdiff_t most_cost = squares != nullptr ? cost_of(*squares, width) : kAny;
  Loops around = loops;
  Tile tile = cheaper_blocks(loops, width, 0, most_cost);
  if (squares == nullptr) return tile;
  // Blocks of several lines of a small matrix, two loops, may be made of the same windows.
  Tile matrix = cheaper_blocks(around, width, 2, most_cost);
  if (matrix.empty()) return tile;
  loops = around;
  return matrix;
}

Tile::Stretches Tile::stretches() const {
  constexpr std::ptrdiff_t kNear = 128;  // two lines of the cache, of which one may be read
  std::vector<std::ptrdiff_t> begins;
  for (const BlockGroup& group : blocks.groups)
    for (const Place& window : group.windows) begins.push_back(window.at);
  std::sort(begins.begin(), begins.end());
  Stretches stretches;
  for (const std::ptrdiff_t begin : begins) {
    if (stretches.empty() || begin > stretches.back().end + kNear) {
      if (stretches.size() == Stretches::capacity()) return {};
      stretches.push_back({begin, begin});
    }
    stretches.back().end = begin + kWindowBytes;
  }
  return stretches;
}

Tile Tile::of_elements(Loops& loops, std::ptrdiff_t element_bytes, std::ptrdiff_t least) {
  Tile tile;
  tile.width = static_cast<std::ptrdiff_t>(
      std::min(std::bit_floor(static_cast<std::size_t>(element_bytes)), kWidths.back()));
  const std::ptrdiff_t last = element_bytes - tile.width;
  Loops inside;
  std::ptrdiff_t count = 1;
  std::ptrdiff_t reach = last;  // of the moves, which are kept in 32 bits
  while (!loops.empty() && count < least && loops.back().count < least) {
    const Loop& loop = loops.back();
    reach += (loop.count - 1) * std::max(std::abs(loop.source_stride), loop.target_stride);
    if (count * loop.count > kMostTileMoves ||
        count * loop.count * element_bytes > kMostElementTileBytes ||
        reach > std::numeric_limits<std::int32_t>::max())
      break;
    tile.is_dense = tile.is_dense && loop.target_stride == count * element_bytes;
    count *= loop.count;
    inside.insert(0, loop);
    loops.pop_back();
  }
  tile.moves.reserve(static_cast<std::size_t>(count * fitting(element_bytes, tile.width) + 1));
  for (std::ptrdiff_t next = 0; next < element_bytes; next += tile.width) {
    const auto piece = static_cast<std::int32_t>(std::min(next, last));
    tile.moves.push_back({piece, piece});
  }
  unroll(inside, tile.moves, [](Move move, const Loop& loop, std::ptrdiff_t times) {
    return Move{static_cast<std::int32_t>(move.source + loop.source_stride * times),
                static_cast<std::int32_t>(move.target + loop.target_stride * times)};
  });
  tile.size_bytes = count * element_bytes;
  return tile;
}

Tile Tile::of_squares(Loops& loops, std::ptrdiff_t width) {
  struct Side {
    explicit Side(std::ptrdiff_t Loop::*of) : stride(of) {}
    std::ptrdiff_t Loop::*stride;  // by which its elements lie side by side
    std::ptrdiff_t count = 1;
    Loops loops{};
  };
  Side rows{&Loop::target_stride};
  Side lines{&Loop::source_stride};
  Loops rest = loops;
  const auto extend = [&](Side& side, std::ptrdiff_t most) {
    Loop* const next = std::find_if(rest.begin(), rest.end(), [&](const Loop& loop) {
      return std::abs(loop.*side.stride) == side.count * width && loop.count <= most / side.count;
    });
    if (next == rest.end()) return false;
    side.count *= next->count;
    side.loops.insert(0, *next);
    std::rotate(next, next + 1, rest.end());
    rest.pop_back();
    return true;
  };
  if (!extend(rows, kAny) || !extend(lines, kAny)) return {};
  const auto rows_first = [&] {
    return rows.count < lines.count || rows.count * width < kWindowBytes;
  };
  while (extend(rows_first() ? rows : lines, kMostSquareSide) ||
         extend(rows_first() ? lines : rows, kMostSquareSide)) {
  }
  Side& longer = rows.count < lines.count ? lines : rows;
  const std::ptrdiff_t shorter = std::min(rows.count, lines.count);
  if (rows.count * width < kWindowBytes || shorter > kMostSquareSide) return {};
  Tile tile;
  tile.is_dense = false;
  const std::ptrdiff_t most =
      std::clamp(kSquareTileBytes / width / shorter, kSquareSteps, kMostSquareSide / 4);
  if (longer.count > most) {  // parts of about as many steps, which make whole squares
    Loop& cut = longer.loops[0];
    rest.push_back(cut);
    const std::ptrdiff_t parts = cut.count / fitting(most, longer.count / cut.count) + 1;
    cut.count = tile.steps =
        std::min(cut.count, ((cut.count - 1) / parts / kSquareSteps + 1) * kSquareSteps);
  } else if (rest.empty()) {
    rest.push_back({});
  }
  Position first;
  for (Loop& loop : lines.loops)
    if (loop.source_stride < 0) turn_around(loop, first);
  tile.rows = places_of(rows.loops, &Loop::source_stride, first.source);
  const auto [begin, last] = std::ranges::minmax(tile.rows);
  tile.last_row = last;
  const std::ptrdiff_t window = last + lines.count * width - kWindowBytes;  // the last
  if (window < begin) return {};
  for (std::size_t r = 0; r < tile.rows.size(); ++r)
    if (tile.rows[r] > window) tile.late_rows.push_back(static_cast<std::ptrdiff_t>(r));
  tile.lines = places_of(lines.loops, &Loop::target_stride, first.target);
  loops = rest;
  return tile;
}

Tile Tile::of_pattern(Loops& loops, std::ptrdiff_t width) {
  std::size_t inside = loops.size();
  std::ptrdiff_t size_bytes = width;
  for (std::size_t i = loops.size(); i-- > 0; size_bytes *= loops[i].count) {
    if (loops[i].target_stride != size_bytes || size_bytes > kMostPatternBytes) break;
    if (loops[i].source_stride == 0 && size_bytes * loops[i].count >= kLeastRepeatedBytes)
      inside = i + 1;
  }
  if (inside == loops.size()) return {};
  Loops pattern(loops.begin() + inside, loops.end());
  Tile tile = of_elements(pattern, width, kMostTileMoves);
  if (!pattern.empty() || tile.moves.size() == 1) return {};
  loops.resize(inside);
  return tile;
}

}  // namespace opconform::optimized
