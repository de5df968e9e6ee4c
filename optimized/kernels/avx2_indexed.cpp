// Indexed moves with AVX2 intrinsics.
#include "optimized/kernels/avx2.h"

#if defined(__x86_64__)

OPCONFORM_AVX2_BEGIN
namespace opconform::optimized {
namespace {

template <std::size_t W>
void gather_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i) {
      _mm_prefetch(from + rows.offsets[least(i + kPrefetchRows, rows.count - 1)], _MM_HINT_T0);
      copy_row(to + i * rows.step_bytes, from + rows.offsets[i], rows.row_bytes);
    }
  }
}

template <std::size_t W>
void scatter_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i)
      if (rows.offsets[i] >= 0)
        copy_row(to + rows.offsets[i], from + i * rows.step_bytes, rows.row_bytes);
  }
}

template <std::size_t W>
constexpr IndexedKernel indexed_twin = nullptr;

}  // namespace
}  // namespace opconform::optimized
OPCONFORM_AVX2_END

namespace opconform::optimized {

#define OPCONFORM_INDEXED_KERNEL(shape, scalar_function, avx2_function) \
  OPCONFORM_WIDTHS(avx2_function)
constexpr IndexedKernels kAvx2IndexedKernels{{
#include "optimized/kernels/kernels.def"
}};

}  // namespace opconform::optimized

#else

namespace opconform::optimized {
constexpr IndexedKernels kAvx2IndexedKernels{};
}  // namespace opconform::optimized

#endif
