#include "optimized/kernels/kernels.h"

#include <bit>

namespace opconform::optimized {
namespace {

template <class Table, class Shape>
auto find(const Table& best, const Table& scalar, Shape shape, std::size_t width_bytes) {
  const auto row = static_cast<std::size_t>(shape);
  const auto column = static_cast<std::size_t>(std::countr_zero(width_bytes));
  return best[row][column] != nullptr ? best[row][column] : scalar[row][column];
}

}  // namespace

PlaneKernel find_kernel(PlaneShape shape, std::size_t width_bytes, Isa isa) {
  return find(isa == Isa::kAvx2 ? kAvx2PlaneKernels : kScalarPlaneKernels, kScalarPlaneKernels,
              shape, width_bytes);
}
IndexedKernel find_kernel(IndexedShape shape, std::size_t width_bytes, Isa isa) {
  return find(isa == Isa::kAvx2 ? kAvx2IndexedKernels : kScalarIndexedKernels,
              kScalarIndexedKernels, shape, width_bytes);
}

}  // namespace opconform::optimized
