// Tiles: the innermost loops of a copy, worked out when it is planned. Dimensions of a few
// elements, in any order, with any stride, thus cost no loop each when it runs.
#pragma once

#include <cstdint>
#include <vector>

#include "optimized/loops.h"

namespace opconform::optimized {

/// Where 16 bytes of the source go in each half of a vector of the target, or nowhere.
struct alignas(64) Window {
  std::ptrdiff_t low = 0;                ///< where the bytes for the lower half begin
  std::ptrdiff_t high = 0;               ///< and those for the upper
  alignas(32) unsigned char mask[32]{};  ///< as VPSHUFB has it
};

/// One element.
struct Move {
  std::int32_t source;
  std::int32_t target;
};

/// Some steps of a loop, and all loops inside of it.
class Tile {
 public:
  /// The tile as vectors of 32 bytes, each made of `windows_each()` windows. Takes the loops that
  /// it holds off the end of `loops`; of the last one, which repeats the tile, it holds `steps()`
  /// steps. An empty result has taken none: the target has gaps in its elements, it is smaller than
  /// a vector, or a vector needs too many windows.
  [[nodiscard]] static Tile of_vectors(Loops& loops, std::ptrdiff_t width_bytes);
  /// The tile as single elements, with a loop that repeats it as above.
  [[nodiscard]] static Tile of_elements(Loops& loops, std::ptrdiff_t width_bytes);

  [[nodiscard]] bool empty() const { return windows_.empty() && moves_.empty(); }
  [[nodiscard]] std::ptrdiff_t steps() const { return steps_; }
  /// Bytes of the target, which lie together. Vector i starts at 32 * i; the last one ends where
  /// the tile ends.
  [[nodiscard]] std::ptrdiff_t size_bytes() const { return size_bytes_; }
  [[nodiscard]] std::ptrdiff_t windows_each() const { return windows_each_; }
  /// Those of all vectors, one vector after the other.
  [[nodiscard]] const std::vector<Window>& windows() const { return windows_; }
  [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
  /// The stretches of the source that it reads, from where it starts; none where they are many.
  struct Stretch {
    std::ptrdiff_t first;
    std::ptrdiff_t end;
  };
  using Stretches = InlineVector<Stretch, 8>;
  [[nodiscard]] Stretches stretches() const;

 private:
  std::ptrdiff_t steps_ = 1;
  std::ptrdiff_t size_bytes_ = 0;
  std::ptrdiff_t windows_each_ = 0;
  std::vector<Window> windows_;
  std::vector<Move> moves_;
};

}  // namespace opconform::optimized
