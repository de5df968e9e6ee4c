// Rows that are woven from several sources, with AVX2 intrinsics.
#include "optimized/kernels/avx2.h"

#if defined(__x86_64__)

OPCONFORM_AVX2_BEGIN
namespace opconform::optimized {
namespace {

/// A block of 32 bytes, for all tiles.
template <std::size_t N>
void weave_wide_block(std::byte* target, const std::byte* const* sources, const Weave& weave,
                      const BlockGroup& block, std::ptrdiff_t rows) {
  const std::byte* from[N];
  std::ptrdiff_t strides[N];
  __m256i masks[N];
  for (std::size_t n = 0; n < N; ++n) {
    const Place& window = block.windows[n];
    strides[n] = weave.source_strides[window.source];
    from[n] = sources[window.source] + window.at;
    masks[n] = load(weave.blocks.masks.data() + block.masks + n * kMaskBytes);
  }
  const std::ptrdiff_t row_bytes = weave.row_bytes;
  const auto make_at = [=](std::byte* to, std::ptrdiff_t row) {
    __m256i made = _mm256_shuffle_epi8(load_twice(from[0] + row * strides[0]), masks[0]);
    for (std::size_t n = 1; n < N; ++n)
      made = _mm256_or_si256(made,
                             _mm256_shuffle_epi8(load_twice(from[n] + row * strides[n]), masks[n]));
    store(to + row * row_bytes, made);
  };
  target += block.targets[0];
  const std::ptrdiff_t steps = weave.steps;
  const std::ptrdiff_t last = rows - steps;
  for (std::ptrdiff_t row = 0; row < last; row += steps) make_at(target, row);
  make_at(target, last);  // the last tile goes back
}

/// A group of blocks of 16 bytes, for all tiles, two at a time.
template <std::size_t N>
void weave_group(std::byte* target, const std::byte* const* sources, const Weave& weave,
                 const BlockGroup& group, std::ptrdiff_t rows) {
  const std::ptrdiff_t target_step = weave.steps * weave.row_bytes;
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
  const std::ptrdiff_t two = 2 * weave.steps;
  for (std::ptrdiff_t i = 0; i < rows; i += two) {
    const std::ptrdiff_t row = least(i, rows - two);  // the last two tiles go back
    std::byte* const to = target + row * weave.row_bytes;
    __m256i windows[N];
    for (std::size_t n = 0; n < N; ++n) {
      const std::byte* const from = low[n] + row * strides[n];
      windows[n] = load_halves(from, from + high[n]);
    }
    const unsigned char* mask = masks;
    for (std::size_t b = 0; b < blocks; ++b, mask += N * kMaskBytes) {
      __m256i made = _mm256_shuffle_epi8(windows[0], load(mask));
      for (std::size_t n = 1; n < N; ++n)
        made = _mm256_or_si256(made, _mm256_shuffle_epi8(windows[n], load(mask + n * kMaskBytes)));
      store_halves(to + targets[b], to + target_step + targets[b], made);
    }
  }
}

void weave_rows(std::byte* target, const std::byte* const* sources, const Weave& weave,
                std::ptrdiff_t rows) {
  static constexpr decltype(&weave_group<1>) kByWindows[] = {OPCONFORM_BY_WINDOWS(weave_group)};
  static constexpr decltype(&weave_group<1>) kWideByWindows[] = {
      OPCONFORM_BY_WINDOWS(weave_wide_block)};
  const auto* const by_windows = weave.block_bytes == kVectorBytes ? kWideByWindows : kByWindows;
  for (const BlockGroup& group : weave.blocks.groups)
    by_windows[group.windows.size() - 1](target, sources, weave, group, rows);
}

}  // namespace

constexpr WeaveKernel kAvx2Weave = weave_rows;

}  // namespace opconform::optimized
OPCONFORM_AVX2_END

#endif
