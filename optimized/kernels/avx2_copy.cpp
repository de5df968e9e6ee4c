// Affine copies with AVX2 intrinsics.
#include "optimized/kernels/avx2.h"

#if defined(__x86_64__)

OPCONFORM_AVX2_BEGIN
namespace opconform::optimized {
namespace {

/// Each row by itself, whatever its length.
template <std::size_t W>
void copy_runs(std::byte* target, const std::byte* source, const Plane& plane) {
  const std::ptrdiff_t row_bytes = plane.inner.count * std::ptrdiff_t{W};
  const std::ptrdiff_t loop_bytes =
      least(plane.outer.count * row_bytes / kLibraryCopyBytes, kMostLoopBytes);
  const Loop rows = plane.outer;  // the stores could be to the original
  for (std::ptrdiff_t row = 0; row < rows.count; ++row)
    copy_row(target + row * rows.target_stride, source + row * rows.source_stride, row_bytes,
             -least(-kLibraryCopyBytes, -loop_bytes));
}

template <std::size_t W>
__m256i broadcast(const std::byte* source) {
  if constexpr (W == 1) return _mm256_set1_epi8(load_word<char>(source));
  if constexpr (W == 2) return _mm256_set1_epi16(load_word<short>(source));
  if constexpr (W == 4) return _mm256_set1_epi32(load_word<int>(source));
  if constexpr (W == 8) return _mm256_set1_epi64x(load_word<long long>(source));
  if constexpr (W == 16) return load_halves(source, source);
}

/// Rows of a single element each, of 16 bytes at least: the last vector, or half of it, goes back.
template <std::size_t W>
void fill(std::byte* target, const std::byte* source, const Plane& plane) {
  const std::ptrdiff_t end = plane.inner.count * std::ptrdiff_t{W} - kVectorBytes;
  const Loop rows = plane.outer;  // the stores could be to the original
  for (std::ptrdiff_t row = 0; row < rows.count; ++row) {
    const __m256i vector = broadcast<W>(source + row * rows.source_stride);
    std::byte* const to = target + row * rows.target_stride;
    for (std::ptrdiff_t i = 0; i < end; i += kVectorBytes) store(to + i, vector);
    if (end >= 0)
      store(to + end, vector);
    else
      store_halves(to, to + end + kVectorBytes / 2, vector);
  }
}

/// A group of blocks, for all tiles of the plane, two tiles at a time. kDense: its only block is
/// all there is of a tile, and tiles lie side by side.
template <std::size_t N, bool kDense>
void shuffle_group(std::byte* target, const std::byte* source, const Plane& plane,
                   const BlockGroup& group) {
  const Tile& tile = *plane.tile;
  const Loop line = plane.inner;  // the stores could be to the original
  const std::ptrdiff_t source_step = tile.steps * line.source_stride;
  const std::ptrdiff_t target_step = tile.steps * line.target_stride;
  const std::size_t blocks = group.targets.size();
  const std::ptrdiff_t* const targets = group.targets.data();
  const unsigned char* const masks = tile.blocks.masks.data() + group.masks;
  std::ptrdiff_t low[N];
  std::ptrdiff_t high[N];
  __m256i first_masks[N];
  for (std::size_t n = 0; n < N; ++n) {
    low[n] = group.windows[n].at;
    high[n] = low[n] + source_step;
    first_masks[n] = load(masks + n * kMaskBytes);
  }
  const auto copy_two = [&](std::byte* to, const std::byte* from) {
    __m256i windows[N];
    for (std::size_t n = 0; n < N; ++n) windows[n] = load_halves(from + low[n], from + high[n]);
    __m256i made = _mm256_shuffle_epi8(windows[0], first_masks[0]);
    for (std::size_t n = 1; n < N; ++n)
      made = _mm256_or_si256(made, _mm256_shuffle_epi8(windows[n], first_masks[n]));
    if constexpr (kDense) return store(to, made);
    store_halves(to, to + target_step, made);
    const unsigned char* mask = masks + N * kMaskBytes;
    for (std::size_t b = 1; b < blocks; ++b, mask += N * kMaskBytes) {
      std::byte* const at = to + (targets[b] - targets[0]);
      made = _mm256_shuffle_epi8(windows[0], load(mask));
      for (std::size_t n = 1; n < N; ++n)
        made = _mm256_or_si256(made, _mm256_shuffle_epi8(windows[n], load(mask + n * kMaskBytes)));
      store_halves(at, at + target_step, made);
    }
  };
  const std::ptrdiff_t two = 2 * tile.steps;
  const std::ptrdiff_t last = line.count - two;
  const bool goes_back = line.count % two != 0;
  const Loop rows = plane.outer;
  target += group.targets[0];
  for (std::ptrdiff_t row = 0; row < rows.count; ++row) {
    std::byte* to = target;
    const std::byte* from = source;
    for (std::ptrdiff_t i = 0; i <= last; i += two, to += 2 * target_step, from += 2 * source_step)
      copy_two(to, from);
    if (goes_back) copy_two(target + last * line.target_stride, source + last * line.source_stride);
    target += rows.target_stride;
    source += rows.source_stride;
  }
}

template <std::size_t N>
void shuffle_group(std::byte* target, const std::byte* source, const Plane& plane,
                   const BlockGroup& group) {
  const std::ptrdiff_t size = plane.tile->size_bytes;
  if (size == kVectorBytes / 2 && plane.tile->steps * plane.inner.target_stride == size)
    return shuffle_group<N, true>(target, source, plane, group);
  shuffle_group<N, false>(target, source, plane, group);
}

/// The tile again and again, two at a time; where the last ones do not fit they go back. Reads
/// whole windows, all of which lie inside of the tile's source.
template <std::size_t /*W*/>
void shuffle(std::byte* target, const std::byte* source, const Plane& plane) {
  static constexpr decltype(&shuffle_group<1>) kByWindows[] = {OPCONFORM_BY_WINDOWS(shuffle_group)};
  for (const BlockGroup& group : plane.tile->blocks.groups)
    kByWindows[group.windows.size() - 1](target, source, plane, group);
}

template <std::size_t W>
__m256i unpack_low(__m256i a, __m256i b) {
  if constexpr (W == 1) return _mm256_unpacklo_epi8(a, b);
  if constexpr (W == 2) return _mm256_unpacklo_epi16(a, b);
  if constexpr (W == 4) return _mm256_unpacklo_epi32(a, b);
  if constexpr (W >= 8) return _mm256_unpacklo_epi64(a, b);
}
template <std::size_t W>
__m256i unpack_high(__m256i a, __m256i b) {
  if constexpr (W == 1) return _mm256_unpackhi_epi8(a, b);
  if constexpr (W == 2) return _mm256_unpackhi_epi16(a, b);
  if constexpr (W == 4) return _mm256_unpackhi_epi32(a, b);
  if constexpr (W >= 8) return _mm256_unpackhi_epi64(a, b);
}

/// Where rows begin in the source, or lines in the target, that are equally far apart.
struct Strided {
  std::ptrdiff_t stride;
  std::ptrdiff_t operator[](std::ptrdiff_t i) const { return i * stride; }
};

/// Half of each vector is a row of its own matrix. Pairing row i with row i + half of the rows,
/// log2 times, brings all that are one above the other together, from the first to the last.
template <std::size_t W, std::size_t kRows>
[[gnu::always_inline]] inline void interleave(__m256i (&rows)[kRows]) {
  for (std::size_t paired = 1; paired < kRows; paired *= 2) {
    __m256i pairs[kRows];
    for (std::size_t i = 0; i < kRows / 2; ++i) {
      pairs[2 * i] = unpack_low<W>(rows[i], rows[i + kRows / 2]);
      pairs[2 * i + 1] = unpack_high<W>(rows[i], rows[i + kRows / 2]);
    }
    for (std::size_t i = 0; i < kRows; ++i) rows[i] = pairs[i];
  }
}

/// Two squares of kHalfLanes rows, each 16 bytes, become 16 / W lines, of which `count` are stored.
/// The second square begins with row `second`: they overlap where kNarrow.
template <std::size_t W, bool kNarrow, bool kFew, class Rows, class Lines>
[[gnu::always_inline]] inline void transpose_two(std::byte* target, const std::byte* source,
                                                 Rows from, std::ptrdiff_t row,
                                                 std::ptrdiff_t second, Lines to,
                                                 std::ptrdiff_t line, std::ptrdiff_t count) {
  constexpr std::ptrdiff_t kRows = kHalfLanes<W>;
  __m256i rows[std::size_t{kRows}];
  for (std::ptrdiff_t i = 0; i < kRows; ++i)
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a tile has enough rows
    rows[i] = load_halves(source + from[row + i], source + from[second + i]);
  interleave<W>(rows);
  for (std::ptrdiff_t i = 0; i < kRows; ++i) {
    if (kFew && i >= count) continue;
    std::byte* const at = target + to[line + i];
    if constexpr (!kNarrow) store(at, rows[i]);
    if constexpr (kNarrow) store_halves(at, at + (second - row) * std::ptrdiff_t{W}, rows[i]);
  }
}

/// Two squares after two; the last ones of the rows or lines go back over those before them. kFew:
/// there are fewer lines than a square has, and what follows them in a row is read.
template <std::size_t W, bool kNarrow, bool kFew, class Rows, class Lines>
void transpose_all(std::byte* target, const std::byte* source, Rows from, std::ptrdiff_t rows,
                   Lines to, std::ptrdiff_t lines) {
  constexpr std::ptrdiff_t kWidth = W;
  constexpr std::ptrdiff_t kHalf = kHalfLanes<W>;
  for (std::ptrdiff_t i = 0; i < rows; i += kLanes<W>) {
    std::ptrdiff_t row = kNarrow ? 0 : least(i, rows - kLanes<W>);
    for (std::ptrdiff_t o = 0; o < (kFew ? 1 : lines); o += kHalf) {
      // Else the compiler keeps the places of all rows in memory, from one square to the next.
      asm("" : "+r"(row));
      const std::ptrdiff_t line = kFew ? 0 : least(o, lines - kHalf);
      transpose_two<W, kNarrow, kFew>(target + row * kWidth, source + line * kWidth, from, row,
                                      kNarrow ? rows - kHalf : row + kHalf, to, line, lines);
    }
  }
}

/// Short lines, two squares of them side by side in the rows. They have kGroupBytes, of which two
/// stores of half as many overlap unless kWhole, or 16 to 31: the first 16, then the last.
template <std::size_t W, std::size_t kGroupBytes, bool kWhole>
void transpose_groups(std::byte* target, const std::byte* source, const Plane& plane) {
  constexpr std::ptrdiff_t kRows = kGroupBytes / W;
  constexpr std::ptrdiff_t kGroups = 16 / kGroupBytes;
  constexpr std::size_t kStored = kWhole ? kGroupBytes : kGroupBytes / 2;
  const auto [lines, line_stride, pitch, _0] = plane.outer;
  const auto [count, row_stride, width, _1] = plane.inner;
  const std::ptrdiff_t end = count * width - std::ptrdiff_t{kStored};
  const __m256i ends = _mm256_add_epi8(
      _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0F0E0D0C0B0A0908, 0x0706050403020100)),
      _mm256_set1_epi8(static_cast<char>(end)));
  const auto put = [pitch = pitch](std::byte* to, __m256i vector) {
    if constexpr (kStored == 16) return store_halves(to, to + kHalfLanes<W> * pitch, vector);
    unsigned long long words[4];
    std::memcpy(words, &vector, sizeof words);
    for (std::size_t at = 0; at < 16; at += kGroupBytes, to += pitch) {
      const unsigned long long low = words[at / 8] >> at % 8 * 8;
      const unsigned long long high = words[2 + at / 8] >> at % 8 * 8;
      std::memcpy(to, &low, kStored);
      std::memcpy(to + kHalfLanes<W> * pitch, &high, kStored);
    }
  };
  for (std::ptrdiff_t i = 0; i < lines; i += kLanes<W>) {
    const std::ptrdiff_t line = least(i, lines - kLanes<W>);
    for (std::ptrdiff_t first = 0;; first = count - kRows) {
      __m256i rows[std::size_t{kRows}];
      for (std::ptrdiff_t r = 0; r < kRows; ++r)
        rows[static_cast<std::size_t>(r)] = load(
            source + line * line_stride + (kWhole ? first + r : least(r, count - 1)) * row_stride);
      interleave<W>(rows);
      std::byte* to = target + line * pitch + first * width;
      for (const __m256i& row : rows) {
        put(to, row);
        if constexpr (!kWhole) put(to + end, _mm256_shuffle_epi8(row, ends));
        to += kGroups * pitch;
      }
      if (first + kRows >= count) break;
    }
  }
}
template <std::size_t W, std::size_t kGroupBytes = 16>
void transpose_short(std::byte* target, const std::byte* source, const Plane& plane) {
  const std::size_t bytes = static_cast<std::size_t>(plane.inner.count) * W;
  if constexpr (kGroupBytes > 2 * W)
    if (bytes <= kGroupBytes / 2) return transpose_short<W, kGroupBytes / 2>(target, source, plane);
  if (bytes < kGroupBytes) return transpose_groups<W, kGroupBytes, false>(target, source, plane);
  transpose_groups<W, kGroupBytes, true>(target, source, plane);
}

template <std::size_t W>
void transpose(std::byte* target, const std::byte* source, const Plane& plane) {
  if constexpr (W < 16)
    if (plane.inner.count < kLanes<W>) return transpose_short<W>(target, source, plane);
  transpose_all<W, false, false>(target, source, Strided{plane.inner.source_stride},
                                 plane.inner.count, Strided{plane.outer.target_stride},
                                 plane.outer.count);
}

/// Tile after tile. Rows that would be read on behind the last of the source are read before it,
/// and then go element by element.
template <std::size_t W, bool kFew>
void transpose_tiles(std::byte* target, const std::byte* source, const Plane& plane) {
  constexpr std::ptrdiff_t kWidth = W;
  const Tile& tile = *plane.tile;
  const std::ptrdiff_t* const all = tile.rows.data();
  const std::ptrdiff_t* const to = tile.lines.data();
  const std::ptrdiff_t rows = std::ssize(tile.rows);
  const std::ptrdiff_t lines = std::ssize(tile.lines);
  const Loop outer = plane.outer;  // the stores could be to the originals
  const Loop inner = plane.inner;
  const auto reach = [](const Loop& loop, std::ptrdiff_t steps) {
    return -least(0, (steps - loop.count) * loop.source_stride);
  };
  const std::ptrdiff_t read_on = (kHalfLanes<W> - lines) * kWidth;
  const std::ptrdiff_t last = reach(outer, 1) + reach(inner, tile.steps) - read_on;
  for (std::ptrdiff_t o = 0; o < outer.count; ++o)
    for (std::ptrdiff_t i = 0; i < inner.count; i += tile.steps) {
      const std::ptrdiff_t step = least(i, inner.count - tile.steps);
      const std::ptrdiff_t at = o * outer.source_stride + step * inner.source_stride;
      std::byte* const begin = target + o * outer.target_stride + step * inner.target_stride;
      const std::ptrdiff_t* from = all;
      std::ptrdiff_t clamped[kMostSquareSide];
      if (kFew && at > last) {
        for (std::ptrdiff_t r = 0; r < rows; ++r)
          clamped[r] = least(all[r], tile.last_row + last - at);
        from = clamped;
      }
      if (rows < kLanes<W>)
        transpose_all<W, true, kFew>(begin, source + at, from, rows, to, lines);
      else
        transpose_all<W, false, kFew>(begin, source + at, from, rows, to, lines);
      if (!kFew || at <= last) continue;
      for (const std::ptrdiff_t r : tile.late_rows)
        for (std::ptrdiff_t l = 0; l < lines; ++l)
          move_element<W>(begin + to[l] + r * kWidth, source + at + all[r] + l * kWidth);
    }
}
template <std::size_t W>
void transpose_tiles(std::byte* target, const std::byte* source, const Plane& plane) {
  if (std::ssize(plane.tile->lines) < kHalfLanes<W>)
    return transpose_tiles<W, true>(target, source, plane);
  transpose_tiles<W, false>(target, source, plane);
}

}  // namespace

#define OPCONFORM_PLANE_KERNEL(shape, scalar_function, avx2_function) \
  OPCONFORM_WIDTHS(avx2_function)
constexpr PlaneKernels kAvx2PlaneKernels{{
#include "optimized/kernels/kernels.def"
}};

}  // namespace opconform::optimized
OPCONFORM_AVX2_END

#endif
