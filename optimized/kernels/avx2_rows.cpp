// Rows woven from several sources, and runs stored past the cache, with AVX2 intrinsics.
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
  const std::size_t blocks = kWide ? 1 : group.targets.size();
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
  const std::ptrdiff_t second = weave.steps * row_bytes;
  const auto make_at = [=](std::ptrdiff_t row) {
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
      if constexpr (!kWide) store_halves(at, at + second, made);
    }
  };
  for (std::ptrdiff_t row = 0; row < rows - steps; row += steps) make_at(row);
  make_at(rows - steps);  // the last tiles go back
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

/// How many runs are streamed, and how many rows are fetched, side by side.
constexpr std::ptrdiff_t kSide = 4;

/// Goes through the lines of a footprint, four rows side by side.
class Prefetcher {
 public:
  explicit Prefetcher(const Footprint& footprint)
      : next_(footprint.data()), end_(next_ + footprint.size()) {
    for (const Rows* rows = next_; rows != end_; ++rows)
      lines_ += rows->count * (rows->row_bytes / kCacheLineBytes + 1);
  }
  [[nodiscard]] std::ptrdiff_t lines() const { return lines_; }
  /// A line of each of kSide rows.
  void fetch() {
    if (next_ == end_) return;
    Rows rows = *next_;
    if (rows.count == 1) {  // it is cut, with its end in the last part
      rows.count = kSide;
      rows.row_bytes = rows.pitch =
          (rows.row_bytes / kSide / kCacheLineBytes + 1) * kCacheLineBytes;
    }
    const std::byte* const at = rows.first + row_ * rows.pitch + offset_;
    const std::ptrdiff_t side = least(kSide, rows.count - row_);
    for (std::ptrdiff_t i = 0; i < side; ++i) _mm_prefetch(at + i * rows.pitch, _MM_HINT_T0);
    offset_ += kCacheLineBytes;
    if (offset_ < rows.row_bytes + kCacheLineBytes) return;
    offset_ = 0;
    row_ += kSide;
    if (row_ < rows.count) return;
    row_ = 0;
    ++next_;
  }

 private:
  const Rows* next_;
  const Rows* end_;
  std::ptrdiff_t lines_ = 0;
  std::ptrdiff_t row_ = 0;
  std::ptrdiff_t offset_ = 0;
};

void stream_line(std::byte* target, const std::byte* source) {
  auto* const line = reinterpret_cast<__m256i*>(target);
  const __m256i low = load(source);
  const __m256i high = load(source + kVectorBytes);
  _mm256_stream_si256(line, low);
  _mm256_stream_si256(line + 1, high);
}

/// What is streamed side by side, one line of each in turn, and what is fetched meanwhile. Four
/// stores past the cache to the same place of four pages wait for each other, up to ten times as
/// long on Zen 3: of such pieces each begins two lines further on than the one before it.
class Streamer {
 public:
  Streamer(const Run* runs, std::ptrdiff_t count, const Footprint& next) : prefetcher_(next) {
    for (std::ptrdiff_t r = 0; r < count; ++r) lines_ += runs[r].size_bytes / kCacheLineBytes;
  }

  /// Whole lines, on lines of the target.
  void add(const Run& run) {
    pieces_[count_++] = run;
    if (count_ == kSide) flush();
  }
  void flush() {
    std::ptrdiff_t together = pieces_[0].size_bytes;
    for (const Run& piece : pieces_) together = least(together, piece.size_bytes);
    const bool are_crowded = (pieces_[1].target - pieces_[0].target) % kCrowdedPitchBytes == 0;
    const std::ptrdiff_t later =
        are_crowded ? least(2 * kCacheLineBytes, together - kCacheLineBytes) : 0;
    for (std::ptrdiff_t i = 0; i < together; i += kCacheLineBytes) {
      std::ptrdiff_t at = i;
      for (const Run& piece : pieces_) {
        stream_line(piece.target + at, piece.source + at);
        at += at + later < together ? later : later - together;
      }
      fetch(kSide);
    }
    for (Run& piece : pieces_) {
      for (std::ptrdiff_t i = together; i < piece.size_bytes; i += kCacheLineBytes) {
        stream_line(piece.target + i, piece.source + i);
        fetch(1);
      }
      piece.size_bytes = 0;
    }
    count_ = 0;
  }

 private:
  /// All is fetched when the last line is stored.
  void fetch(std::ptrdiff_t stored_lines) {
    due_ += stored_lines * prefetcher_.lines();
    for (; due_ >= 0; due_ -= kSide * lines_) prefetcher_.fetch();
  }

  Run pieces_[kSide]{};
  std::ptrdiff_t count_ = 0;
  Prefetcher prefetcher_;
  std::ptrdiff_t lines_ = 1;  // that will be stored, about
  std::ptrdiff_t due_ = 0;
};

/// How many lines of the cache are streamed at a time of a run of so many bytes: not quite a page,
/// or less where a few short runs are to lie side by side.
std::ptrdiff_t piece_lines(std::ptrdiff_t size_bytes, std::ptrdiff_t runs) {
  constexpr std::ptrdiff_t kMostBytes = 62 * kCacheLineBytes;
  const std::ptrdiff_t pages = size_bytes / kMostBytes + 1;
  const std::ptrdiff_t pieces = runs < kSide && pages < kSide ? kSide : pages;
  return size_bytes / kCacheLineBytes / pieces + 1;
}

/// Lines of the target that a run shares with others are written through the cache. Without runs:
/// orders what was streamed before all stores that follow.
void stream_runs(const Run* runs, std::ptrdiff_t count, const Footprint& next) {
  if (count == 0) return _mm_sfence();
  Streamer streamer(runs, count, next);
  for (const Run* run = runs; run != runs + count; ++run) {
    const auto address = reinterpret_cast<std::uintptr_t>(run->target);
    const std::ptrdiff_t head =
        least(static_cast<std::ptrdiff_t>(-address % kCacheLineBytes), run->size_bytes);
    const std::ptrdiff_t tail = (run->size_bytes - head) % kCacheLineBytes;
    const std::ptrdiff_t end = run->size_bytes - tail;
    if (head > 0) copy_row(run->target, run->source, head);
    if (tail > 0) copy_row(run->target + end, run->source + end, tail);
    const std::ptrdiff_t piece = piece_lines(end - head, count) * kCacheLineBytes;
    for (std::ptrdiff_t i = head; i < end; i += piece)
      streamer.add({run->target + i, run->source + i, least(piece, end - i)});
  }
  streamer.flush();
}

}  // namespace

constexpr WeaveKernel kAvx2Weave = weave_rows;
constexpr StreamKernel kAvx2Stream = stream_runs;

}  // namespace opconform::optimized
OPCONFORM_AVX2_END

#endif
