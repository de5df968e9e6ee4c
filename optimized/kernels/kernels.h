// The kernels and their one table. A kernel moves whole elements of W bytes and knows nothing of
// types.
//
// What every kernel may assume: counts of at least 1; source and target do not overlap; no two
// steps share a target, scattered rows aside. It may not assume any alignment. What it may touch:
// it writes the elements of its steps and not one byte beside them; it reads no byte before the
// first or behind the last of its source elements, but may read between them.
// Who handles the tail: the kernel itself. Where a last vector does not fit it moves back over
// elements already written; lines shorter than a vector go element by element.
#pragma once

#include <array>
#include <cstddef>

#include "opconform/optimized.h"
#include "optimized/kernels/indexed.h"
#include "optimized/loops.h"
#include "optimized/tile.h"

/// For functions that do nothing but prefetch: GCC takes these for functions without any effect,
/// and leaves out the calls that it does not inline before it looks.
#define OPCONFORM_PREFETCHES [[gnu::always_inline]] inline

namespace opconform::optimized {

inline constexpr std::ptrdiff_t kVectorBytes = 32;  ///< of AVX2

/// Two loops of an affine copy. With a tile, the inner loop is the one that repeats it: at every
/// tile->steps of its steps the whole tile is copied.
struct Plane {
  Loop outer;
  Loop inner;
  const Tile* tile = nullptr;
};
using PlaneKernel = void (*)(std::byte* target, const std::byte* source, const Plane& plane);

/// Bytes that lie together on both sides.
struct Run {
  std::byte* target;
  const std::byte* source;
  std::ptrdiff_t size_bytes;
};
/// Source bytes that will be read soon: rows `pitch` bytes apart.
struct Rows {
  const std::byte* first;
  std::ptrdiff_t count;
  std::ptrdiff_t pitch;
  std::ptrdiff_t row_bytes;
};
using Footprint = InlineVector<Rows, 8>;
/// Stores runs past the cache, several side by side, and meanwhile fetches what will be read next.
/// Other threads may miss what was stored until a call without runs.
using StreamKernel = void (*)(const Run* runs, std::ptrdiff_t count, const Footprint& next);

/// Rows of a target, each made of a run of every source; tiles of them, of blocks of 16 or 32
/// bytes.
struct Weave {
  std::ptrdiff_t steps = 0;  ///< rows of a tile
  std::ptrdiff_t row_bytes = 0;
  std::ptrdiff_t block_bytes = 0;
  InlineVector<std::ptrdiff_t, kMostWovenSources> source_strides{};  ///< from row to row
  Blocks blocks{};  ///< each alone in its group where they have 32 bytes
};
/// Makes `rows` rows, two tiles or more; where the last tiles do not fit they go back. Reads whole
/// windows, all of which lie inside of what the rows are made of.
using WeaveKernel = void (*)(std::byte* target, const std::byte* const* sources, const Weave& weave,
                             std::ptrdiff_t rows);

enum class PlaneShape : unsigned char {
#define OPCONFORM_PLANE_KERNEL(shape, scalar_function, avx2_function) shape,
#include "optimized/kernels/kernels.def"
};
enum class IndexedShape : unsigned char {
#define OPCONFORM_INDEXED_KERNEL(shape, scalar_function, avx2_function) shape,
#include "optimized/kernels/kernels.def"
};
// By the last of each.
inline constexpr auto kPlaneShapeCount = static_cast<std::size_t>(PlaneShape::kStrided) + 1;
inline constexpr auto kIndexedShapeCount =
    static_cast<std::size_t>(IndexedShape::kScatterElements) + 1;

inline constexpr std::array<std::size_t, 5> kWidths{1, 2, 4, 8, 16};
[[nodiscard]] constexpr bool is_width(std::size_t size_bytes) {
  return size_bytes != 0 && size_bytes <= kWidths.back() && (size_bytes & (size_bytes - 1)) == 0;
}

/// One instruction set's kernels, by shape and place of the width in kWidths. Null: the scalar
/// twin.
template <class Kernel, std::size_t kShapeCount>
using KernelTable = std::array<std::array<Kernel, kWidths.size()>, kShapeCount>;
using PlaneKernels = KernelTable<PlaneKernel, kPlaneShapeCount>;
using IndexedKernels = KernelTable<IndexedKernel, kIndexedShapeCount>;
extern const PlaneKernels kScalarPlaneKernels;
extern const PlaneKernels kAvx2PlaneKernels;
extern const IndexedKernels kScalarIndexedKernels;
extern const IndexedKernels kAvx2IndexedKernels;
template <std::size_t W>
inline constexpr std::nullptr_t no_kernel = nullptr;
// NOLINTBEGIN(bugprone-macro-parentheses): they are names of functions.
/// A row of such a table, of a function template.
#define OPCONFORM_WIDTHS(function) \
  {function<1>, function<2>, function<4>, function<8>, function<16>},
/// A function template by the number of windows.
static_assert(kMostWindows == 16);
#define OPCONFORM_BY_WINDOWS(f)                                                                   \
  f<1>, f<2>, f<3>, f<4>, f<5>, f<6>, f<7>, f<8>, f<9>, f<10>, f<11>, f<12>, f<13>, f<14>, f<15>, \
      f<16>
// NOLINTEND(bugprone-macro-parentheses)

extern const StreamKernel kAvx2Stream;
/// Null where there is no AVX2.
extern const WeaveKernel kAvx2Weave;

[[nodiscard]] PlaneKernel find_kernel(PlaneShape shape, std::size_t width_bytes, Isa isa);
[[nodiscard]] IndexedKernel find_kernel(IndexedShape shape, std::size_t width_bytes, Isa isa);

}  // namespace opconform::optimized
