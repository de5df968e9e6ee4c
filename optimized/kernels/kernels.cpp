#include "optimized/kernels/kernels.h"

#include <bit>

namespace opconform::optimized {
namespace {

template <class Kernels, class Shape>
auto find(Kernels KernelTable::*kernels, Shape shape, std::size_t width_bytes, Isa isa) {
  const auto row = static_cast<std::size_t>(shape);
  const auto column = static_cast<std::size_t>(std::countr_zero(width_bytes));
  const auto best = (isa == Isa::kAvx2 ? kAvx2Kernels : kScalarKernels).*kernels;
  return best[row][column] != nullptr ? best[row][column] : (kScalarKernels.*kernels)[row][column];
}

}  // namespace

PlaneKernel find_kernel(PlaneShape shape, std::size_t width_bytes, Isa isa) {
  return find(&KernelTable::plane, shape, width_bytes, isa);
}
IndexedKernel find_kernel(IndexedShape shape, std::size_t width_bytes, Isa isa) {
  return find(&KernelTable::indexed, shape, width_bytes, isa);
}

}  // namespace opconform::optimized
