// The kernels and their one table. A kernel moves whole elements of W bytes and knows nothing of
// types.
//
// What every kernel may assume: counts of at least 1; source and target do not overlap; no two
// steps share a target, scattered rows aside. It may not assume any alignment. What it may touch:
// it writes the elements of its steps and not one byte beside them; it reads no byte before the
// first or behind the last element of a line, but may read between them.
// Who handles the tail: the kernel itself. Where a last vector does not fit it moves back over
// elements already written; lines shorter than a vector go element by element.
#pragma once

#include <array>
#include <cstddef>

#include "opconform/optimized.h"
#include "optimized/loops.h"

namespace opconform::optimized {

/// Two loops of an affine copy.
struct Plane {
  Loop outer;
  Loop inner;
  bool streams = false;  ///< may store past the cache
};
using PlaneKernel = void (*)(std::byte* target, const std::byte* source, const Plane& plane);

/// Row i lies `offsets[i]` bytes from the start of the indexed side (the source of a gather, the
/// target of a scatter) and i * step_bytes from the start of the other. All of it again at each
/// step of `repeat`.
struct IndexedRows {
  const std::ptrdiff_t*
      offsets;  ///< a scatter skips rows whose offset is below 0; a gather has none
  std::ptrdiff_t count;
  std::ptrdiff_t step_bytes;
  std::ptrdiff_t row_bytes;  ///< W for kernels of elements
  Loop repeat;
};
using IndexedKernel = void (*)(std::byte* target, const std::byte* source, const IndexedRows& rows);

enum class PlaneShape : unsigned char {
#define OPCONFORM_PLANE_KERNEL(shape, scalar_function, avx2_function) shape,
#include "optimized/kernels/kernels.def"
};
enum class IndexedShape : unsigned char {
#define OPCONFORM_INDEXED_KERNEL(shape, scalar_function, avx2_function) shape,
#include "optimized/kernels/kernels.def"
};
inline constexpr std::size_t kPlaneShapeCount = 0
#define OPCONFORM_PLANE_KERNEL(shape, scalar_function, avx2_function) +1
#include "optimized/kernels/kernels.def"
    ;
inline constexpr std::size_t kIndexedShapeCount = 0
#define OPCONFORM_INDEXED_KERNEL(shape, scalar_function, avx2_function) +1
#include "optimized/kernels/kernels.def"
    ;

inline constexpr std::array<std::size_t, 5> kWidths{1, 2, 4, 8, 16};
[[nodiscard]] constexpr bool is_width(std::size_t size_bytes) {
  return size_bytes != 0 && size_bytes <= kWidths.back() && (size_bytes & (size_bytes - 1)) == 0;
}

/// One instruction set's kernels, by shape and by the place of the width in kWidths. Null: the
/// scalar twin serves.
template <class Kernel, std::size_t kShapeCount>
using KernelTable = std::array<std::array<Kernel, kWidths.size()>, kShapeCount>;
using PlaneKernels = KernelTable<PlaneKernel, kPlaneShapeCount>;
using IndexedKernels = KernelTable<IndexedKernel, kIndexedShapeCount>;
extern const PlaneKernels kScalarPlaneKernels;
extern const PlaneKernels kAvx2PlaneKernels;
extern const IndexedKernels kScalarIndexedKernels;
extern const IndexedKernels kAvx2IndexedKernels;
/// A row of such a table, of a function template.
#define OPCONFORM_WIDTHS(function) \
  {function<1>, function<2>, function<4>, function<8>, function<16>},

[[nodiscard]] PlaneKernel find_kernel(PlaneShape shape, std::size_t width_bytes, Isa isa);
[[nodiscard]] IndexedKernel find_kernel(IndexedShape shape, std::size_t width_bytes, Isa isa);

}  // namespace opconform::optimized
