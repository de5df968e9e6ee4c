#include "optimized/kernels/kernels.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace opconform::optimized {
namespace {

template <class Table, class Shape>
auto find(const Table& avx2, const Table& scalar, Shape shape, std::size_t width_bytes, Isa isa) {
  const auto row = static_cast<std::size_t>(shape);
  const auto column = static_cast<std::size_t>(std::countr_zero(width_bytes));
  const auto kernel = isa == Isa::kAvx2 ? avx2[row][column] : nullptr;
  return kernel != nullptr ? kernel : scalar[row][column];
}

}  // namespace

PlaneKernel find_kernel(PlaneShape shape, std::size_t width_bytes, Isa isa) {
  return find(kAvx2PlaneKernels, kScalarPlaneKernels, shape, width_bytes, isa);
}
IndexedKernel find_kernel(IndexedShape shape, std::size_t width_bytes, Isa isa) {
  return find(kAvx2IndexedKernels, kScalarIndexedKernels, shape, width_bytes, isa);
}

const IndexKernels& find_index_kernels(DataType index_type, const IndexedAxis& axis, Isa isa) {
  const bool fits = axis.size <= kMostVectorAxis && 0 <= axis.stride_bytes &&
                    axis.stride_bytes <= std::numeric_limits<std::uint32_t>::max();
  const auto* const type = std::find(kIndexTypes.begin(), kIndexTypes.end(), index_type);
  const auto place = static_cast<std::size_t>(type - kIndexTypes.begin());
  return (isa == Isa::kAvx2 && fits ? kAvx2IndexKernels : kScalarIndexKernels)[place];
}

#if !defined(__x86_64__)
constexpr PlaneKernels kAvx2PlaneKernels{};
constexpr IndexedKernels kAvx2IndexedKernels{};
constexpr IndexKernelTable kAvx2IndexKernels{};
constexpr StreamKernel kAvx2Stream = nullptr;
constexpr WeaveKernel kAvx2Weave = nullptr;
#endif

}  // namespace opconform::optimized
