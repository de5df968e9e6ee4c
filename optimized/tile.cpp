#include "optimized/tile.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "optimized/kernels/kernels.h"

namespace opconform::optimized {
namespace {

/// What VPSHUFB takes for a byte of 0.
constexpr unsigned char kZero = 0x80;

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

/// windows.size() where none holds the element.
std::size_t find_window(const Windows& windows, const Place& element, std::ptrdiff_t width) {
  std::size_t w = 0;
  while (w < windows.size() && (windows[w].source != element.source || element.at < windows[w].at ||
                                element.at + width > windows[w].at + kWindowBytes))
    ++w;
  return w;
}

/// Adds windows until each element of the block lies in one, `most` in all.
bool add_windows(std::span<const Place> block, std::ptrdiff_t width, const std::ptrdiff_t* last,
                 std::size_t most, Windows& windows) {
  InlineVector<Place, 2 * kWindowBytes> sorted(block.begin(), block.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Place& a, const Place& b) { return a.at < b.at; });
  for (const Place& element : sorted) {
    if (find_window(windows, element, width) < windows.size()) continue;
    if (windows.size() >= most) return false;
    windows.push_back({element.source, std::min(element.at, last[element.source])});
  }
  return true;
}

/// One for each window.
void add_masks(std::span<const Place> block, std::ptrdiff_t width, const Windows& windows,
               std::vector<ShuffleMask>& masks) {
  const std::size_t first = masks.size();
  masks.resize(first + windows.size());
  for (std::size_t w = 0; w < windows.size(); ++w)
    std::fill(std::begin(masks[first + w].bytes), std::end(masks[first + w].bytes), kZero);
  for (std::size_t e = 0; e < block.size(); ++e) {
    const std::size_t w = find_window(windows, block[e], width);
    unsigned char* const bytes = masks[first + w].bytes + static_cast<std::ptrdiff_t>(e) * width;
    std::iota(bytes, bytes + width, static_cast<unsigned char>(block[e].at - windows[w].at));
  }
  // A block of one half stands in both.
  if (std::ssize(block) * width > kWindowBytes) return;
  for (std::size_t w = first; w < masks.size(); ++w)
    std::copy_n(masks[w].bytes, kWindowBytes, masks[w].bytes + kWindowBytes);
}

}  // namespace

Blocks Blocks::of(std::span<const Place> elements, std::ptrdiff_t width, std::ptrdiff_t block_bytes,
                  const std::ptrdiff_t* last, std::ptrdiff_t near) {
  Blocks blocks;
  std::vector<BlockGroup>& groups = blocks.groups;
  const std::ptrdiff_t size_bytes = std::ssize(elements) * width;
  const auto block_at = [&](std::ptrdiff_t target) {
    return elements.subspan(static_cast<std::size_t>(target / width),
                            static_cast<std::size_t>(block_bytes / width));
  };
  for (std::ptrdiff_t next = 0; next < size_bytes; next += block_bytes) {
    const std::ptrdiff_t target = std::min(next, size_bytes - block_bytes);
    const auto join = [&](BlockGroup& group, std::size_t most) {
      Windows windows = group.windows;
      if (!add_windows(block_at(target), width, last, most, windows)) return false;
      group.windows = windows;
      group.targets.push_back(target);
      return true;
    };
    const auto joined = [&](BlockGroup& group) { return join(group, kMostSharedWindows); };
    const auto first = groups.end() - std::min(near, std::ssize(groups));
    if (target == next && std::any_of(first, groups.end(), joined)) continue;
    if (!join(groups.emplace_back(), kMostWindows)) return {};
  }
  for (BlockGroup& group : groups) {
    group.masks = blocks.masks.size();
    for (const std::ptrdiff_t target : group.targets)
      add_masks(block_at(target), width, group.windows, blocks.masks);
  }
  return blocks;
}

Tile Tile::of_blocks(Loops& loops, std::ptrdiff_t width) {
  Tile tile;
  Loops rest = loops;
  Loops inside;
  tile.size_bytes_ = width;
  std::ptrdiff_t read_bytes = width;
  while (!rest.empty() && rest.back().target_stride == tile.size_bytes_) {
    const Loop& loop = rest.back();
    const std::ptrdiff_t steps = steps_of(loop, tile.size_bytes_, read_bytes);
    read_bytes += (loop.count - 1) * std::abs(loop.source_stride);
    inside.push_back(loop);
    if (steps != 0) {
      inside.back().count = tile.steps_ = steps;
      tile.size_bytes_ *= steps;
      break;
    }
    tile.size_bytes_ *= loop.count;
    rest.pop_back();
  }
  if (tile.size_bytes_ < kWindowBytes || rest.empty()) return {};
  std::reverse(inside.begin(), inside.end());

  InlineVector<Place, kMostWholeTileBytes> elements;
  for_each_position(inside, [&](const Position& at) { elements.push_back({0, at.source}); });
  const auto [first, last] = std::minmax_element(
      elements.begin(), elements.end(), [](const Place& a, const Place& b) { return a.at < b.at; });
  const std::ptrdiff_t last_window = last->at + width - kWindowBytes;
  if (last_window < first->at) return {};
  tile.blocks_ =
      Blocks::of({elements.begin(), elements.end()}, width, kWindowBytes, &last_window, 1);
  if (tile.blocks_.groups.empty()) return {};
  loops = rest;
  return tile;
}

Tile::Stretches Tile::stretches() const {
  constexpr std::ptrdiff_t kNear = 128;  // two lines of the cache, of which one may be read
  std::vector<std::ptrdiff_t> begins;
  for (const BlockGroup& group : blocks_.groups)
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
  tile.width_ = static_cast<std::ptrdiff_t>(
      std::min(std::bit_floor(static_cast<std::size_t>(element_bytes)), kWidths.back()));
  const std::ptrdiff_t last = element_bytes - tile.width_;
  Loops inside;
  std::ptrdiff_t count = 1;
  std::ptrdiff_t reach = last;  // of the moves, which are kept in 32 bits
  while (!loops.empty() && count < least && (count == 1 || loops.back().count < least)) {
    const Loop& loop = loops.back();
    reach += (loop.count - 1) * std::max(std::abs(loop.source_stride), loop.target_stride);
    if (count * loop.count > kMostTileMoves ||
        count * loop.count * element_bytes > kMostElementTileBytes ||
        reach > std::numeric_limits<std::int32_t>::max())
      break;
    tile.is_dense_ = tile.is_dense_ && loop.target_stride == count * element_bytes;
    count *= loop.count;
    inside.push_back(loop);
    loops.pop_back();
  }
  std::reverse(inside.begin(), inside.end());
  for_each_position(inside, [&](const Position& at) {
    for (std::ptrdiff_t next = 0; next < element_bytes; next += tile.width_) {
      const std::ptrdiff_t piece = std::min(next, last);
      tile.moves_.push_back({static_cast<std::int32_t>(at.source + piece),
                             static_cast<std::int32_t>(at.target + piece)});
    }
  });
  tile.size_bytes_ = count * element_bytes;
  return tile;
}

Tile Tile::of_squares(Loops& loops, std::ptrdiff_t width) {
  struct Side {
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
  constexpr std::ptrdiff_t kAny = std::numeric_limits<std::ptrdiff_t>::max();
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
  tile.is_dense_ = false;
  const std::ptrdiff_t most =
      std::clamp(kSquareTileBytes / width / shorter, kSquareSteps, kMostSquareSide);
  if (longer.count > most) {  // parts of about as many steps, which make whole squares
    Loop& cut = longer.loops[0];
    rest.push_back(cut);
    const std::ptrdiff_t parts = cut.count / fitting(most, longer.count / cut.count) + 1;
    cut.count = tile.steps_ =
        std::min(cut.count, ((cut.count - 1) / parts / kSquareSteps + 1) * kSquareSteps);
  } else if (rest.empty()) {
    rest.push_back({});
  }
  Position first;
  for (Loop& loop : lines.loops)
    if (loop.source_stride < 0) turn_around(loop, first);
  for_each_position(rows.loops,
                    [&](const Position& at) { tile.rows_.push_back(first.source + at.source); });
  for_each_position(lines.loops,
                    [&](const Position& at) { tile.lines_.push_back(first.target + at.target); });
  if (rows.loops.size() == 1) tile.row_stride_ = rows.loops[0].source_stride;
  loops = rest;
  return tile;
}

bool Tile::beats(const Tile& blocks, std::ptrdiff_t repeating_steps, std::ptrdiff_t width) const {
  std::ptrdiff_t shuffles = 0;  // and loads of windows, which take as long
  for (const BlockGroup& group : blocks.blocks_.groups)
    shuffles += (std::ssize(group.targets) + 1) * std::ssize(group.windows);
  if (blocks.steps_ > 1)
    shuffles *=
        std::clamp(kManyTiles * blocks.steps_ / repeating_steps, std::ptrdiff_t{1}, kFewTilesCost);
  const std::ptrdiff_t rows = std::ssize(rows_);
  const std::ptrdiff_t pairs = (rows * width - 1) / (2 * kWindowBytes) + 1;
  const std::ptrdiff_t moved = rows * std::min(std::ssize(lines_) * width, kWindowBytes);
  return pairs * kSquaresCost * blocks.size_bytes_ < shuffles * width * moved;
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
  if (!pattern.empty() || tile.moves_.size() == 1) return {};
  loops.resize(inside);
  return tile;
}

}  // namespace opconform::optimized
