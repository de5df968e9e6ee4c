// Tiles: the innermost loops of a copy, worked out when it is planned. Dimensions of a few
// elements, in any order, with any stride, thus cost no loop each when it runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimized/loops.h"
#include "optimized/tuning.h"

namespace opconform::optimized {

/// From where a tile begins in one of several sources: of an element, or a window of kWindowBytes.
struct Place {
  std::size_t source;
  std::ptrdiff_t at;
};
inline constexpr std::ptrdiff_t kWindowBytes = 16;
using Windows = InlineVector<Place, kMostWindows>;

/// Of a mask for VPSHUFB: what goes where from a window to a block, twice, for two tiles at a time.
inline constexpr std::ptrdiff_t kMaskBytes = 2 * kWindowBytes;
/// Some of a tile's blocks, which are made of the same windows.
struct BlockGroup {
  Windows windows;
  InlineVector<std::ptrdiff_t, kMostWovenTileBytes / kWindowBytes> targets;  ///< where they begin
  std::size_t masks = 0;  ///< where targets * windows of them begin, with those of the first block
  /// Loads of windows and shuffles, which take as long.
  [[nodiscard]] auto cost() const { return (std::ssize(targets) + 1) * std::ssize(windows); }
};
/// A tile as blocks of 16 or 32 bytes.
struct Blocks {
  std::vector<BlockGroup> groups;
  std::vector<unsigned char> masks;
  std::ptrdiff_t cost = 0;  ///< of all groups

  /// Of elements as they follow each other in the target; the last block may go back. No window
  /// begins above its source's last. A block joins one of the `near` groups before it as long as
  /// the windows stay few. Without groups where one would need too many, or all cost more.
  [[nodiscard]] static Blocks of(std::span<const Place> elements, std::ptrdiff_t width_bytes,
                                 std::ptrdiff_t block_bytes, const std::ptrdiff_t* last,
                                 std::ptrdiff_t near, std::ptrdiff_t most_cost);
};

/// One element.
struct Move {
  std::int32_t source;
  std::int32_t target;
};

/// Some steps of a loop, and all loops inside of it.
struct Tile {
  /// The tile as blocks of 16 bytes. Takes the loops that it holds off the end of `loops`; of the
  /// last one, which repeats the tile and has twice as many at least, it holds `steps` steps. An
  /// empty one took none: of too few elements, or with gaps, or because `squares` are faster.
  [[nodiscard]] static Tile of_blocks(Loops& loops, std::ptrdiff_t width_bytes,
                                      const Tile* squares = nullptr);
  /// The tile as single elements of loops of fewer than `least` steps, repeated by the next loop,
  /// if there is one. Of any number of bytes: moves of `width`; the last two may overlap.
  [[nodiscard]] static Tile of_elements(Loops& loops, std::ptrdiff_t element_bytes,
                                        std::ptrdiff_t least = kLeastTileMoves);
  /// The tile as squares to be transposed: loops whose elements lie side by side in the target make
  /// its rows, others, in which they do so in the source, its lines. Takes loops as of_blocks()
  /// does; empty where there are too few rows, or no lines.
  [[nodiscard]] static Tile of_squares(Loops& loops, std::ptrdiff_t width_bytes);
  /// Single elements that lie together in the target, where the next loop goes back to the same
  /// ones at each step; empty where there is no such loop, or where it is short.
  [[nodiscard]] static Tile of_pattern(Loops& loops, std::ptrdiff_t width_bytes);

  [[nodiscard]] bool empty() const {
    return blocks.groups.empty() && moves.empty() && rows.empty();
  }
  /// The stretches of the source that it reads, from where it starts; none where they are many.
  struct Stretch {
    std::ptrdiff_t first;
    std::ptrdiff_t end;
  };
  using Stretches = InlineVector<Stretch, 8>;
  [[nodiscard]] Stretches stretches() const;

  std::ptrdiff_t steps = 1;
  /// Bytes of the target. Do they lie together? Strides need not be nested: of {n, 2, 2} elements
  /// with the strides {4, 3, 2} no two meet.
  std::ptrdiff_t size_bytes = 0;
  bool is_dense = true;
  Blocks blocks;
  std::ptrdiff_t width = 0;  ///< of its moves
  std::vector<Move> moves;
  std::vector<std::ptrdiff_t> rows;       ///< where they begin in the source
  std::vector<std::ptrdiff_t> late_rows;  ///< those that hold less than a window up to its end
  std::ptrdiff_t last_row = 0;            ///< where the last of them begins
  std::vector<std::ptrdiff_t> lines;      ///< where they begin in the target
};

}  // namespace opconform::optimized
