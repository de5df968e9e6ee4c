// Rows that are woven from several sources, with AVX2 intrinsics.
#include "optimized/kernels/avx2.h"

#if defined(__x86_64__)

OPCONFORM_AVX2_BEGIN
namespace opconform::optimized {
namespace {

/// A group of blocks, for all tiles. kWide: of 32 bytes; else of 16, two tiles at a time.
template <std::size_t N, bool kWide>
void weave_group(std::byte* target, const std::byte* const* sources, const Weave& weave,
                 const BlockGroup& group, std::ptrdiff_t rows) {
  const std::ptrdiff_t row_bytes = weave.row_bytes;
  const unsigned char* const masks = weave.blocks.masks.data() + group.masks;
  const std::ptrdiff_t* const targets = group.targets.data();
  const std::size_t blocks = group.targets.size();
  const std::byte* low[N];
  std::ptrdiff_t high[N];
  std::ptrdiff_t strides[N];
  for (std::size_t n = 0; n < N; ++n) {
    const Place& window = group.windows[n];
    strides[n] = weave.source_strides[window.source];
    low[n] = sources[window.source] + window.at;
    high[n] = weave.steps * strides[n];
  }
  const std::ptrdiff_t steps = kWide ? weave.steps : 2 * weave.steps;
  for (std::ptrdiff_t i = 0; i < rows; i += steps) {
    const std::ptrdiff_t row = least(i, rows - steps);  // the last tiles go back
    std::byte* const to = target + row * row_bytes;
    __m256i windows[N];
    for (std::size_t n = 0; n < N; ++n) {
      const std::byte* const from = low[n] + row * strides[n];
      windows[n] = kWide ? load_twice(from) : load_halves(from, from + high[n]);
    }
    const unsigned char* mask = masks;
    for (std::size_t b = 0; b < blocks; ++b, mask += N * kMaskBytes) {
      __m256i made = _mm256_shuffle_epi8(windows[0], load(mask));
      for (std::size_t n = 1; n < N; ++n)
        made = _mm256_or_si256(made, _mm256_shuffle_epi8(windows[n], load(mask + n * kMaskBytes)));
      std::byte* const at = to + targets[b];
      if constexpr (kWide) store(at, made);
      if constexpr (!kWide) store_halves(at, at + weave.steps * row_bytes, made);
    }
  }
}
template <std::size_t N>
constexpr auto weave_narrow = weave_group<N, false>;
template <std::size_t N>
constexpr auto weave_wide = weave_group<N, true>;

void weave_rows(std::byte* target, const std::byte* const* sources, const Weave& weave,
                std::ptrdiff_t rows) {
  static constexpr decltype(weave_wide<1>) kByWindows[][kMostWindows] = {
      {OPCONFORM_BY_WINDOWS(weave_narrow)}, {OPCONFORM_BY_WINDOWS(weave_wide)}};
  const auto* const by_windows = kByWindows[weave.block_bytes == kVectorBytes ? 1 : 0];
  for (const BlockGroup& group : weave.blocks.groups)
    by_windows[group.windows.size() - 1](target, sources, weave, group, rows);
}

}  // namespace

constexpr WeaveKernel kAvx2Weave = weave_rows;

}  // namespace opconform::optimized
OPCONFORM_AVX2_END

#endif
