// Affine copies with AVX2 intrinsics.
#include "optimized/kernels/avx2.h"

#if defined(__x86_64__)

OPCONFORM_AVX2_BEGIN
namespace opconform::optimized {
namespace {

template <bool kStreams>
void put(std::byte* target, __m256i vector) {
  if constexpr (kStreams)
    stream(target, vector);
  else
    store(target, vector);
}

// Lines: how a vector's worth of target elements is made from the source, for targets without gaps.
// A line has
//   load(i)     elements i to i + kLanes of the target
//   element(i)  where element i lies in the source
//   kBeyond     how many elements must follow those of a load, so that it reads nothing behind the
//   line

template <std::size_t W>
class ReversedLine {
 public:
  static constexpr std::ptrdiff_t kBeyond = 0;
  ReversedLine(const std::byte* source, std::ptrdiff_t /*stride*/) : source_(source) {}
  [[nodiscard]] const std::byte* element(std::ptrdiff_t i) const {
    return source_ - i * std::ptrdiff_t{W};
  }
  [[nodiscard]] __m256i load(std::ptrdiff_t i) const {
    const __m256i ascending = optimized::load(element(i + kLanes<W> - 1));
    const __m256i halves_reversed = _mm256_shuffle_epi8(ascending, optimized::load(kMask.bytes));
    return _mm256_permute4x64_epi64(halves_reversed, 0x4E);  // swaps the halves
  }

 private:
  struct Mask {
    alignas(kVectorBytes) unsigned char bytes[kVectorBytes]{};
    consteval Mask() {
      for (std::size_t b = 0; b < kVectorBytes; ++b) {
        const std::size_t in_half = b % 16;
        bytes[b] = static_cast<unsigned char>((16 / W - 1 - in_half / W) * W + in_half % W);
      }
    }
  };
  static constexpr Mask kMask{};
  const std::byte* source_;
};

template <std::size_t W>
class FilledLine {
 public:
  static constexpr std::ptrdiff_t kBeyond = 0;
  FilledLine(const std::byte* source, std::ptrdiff_t /*stride*/)
      : source_(source), vector_(broadcast(source)) {}
  [[nodiscard]] const std::byte* element(std::ptrdiff_t /*i*/) const { return source_; }
  [[nodiscard]] __m256i load(std::ptrdiff_t /*i*/) const { return vector_; }

 private:
  template <class Word>
  static Word word(const std::byte* source) {
    Word result;
    std::memcpy(&result, source, sizeof result);
    return result;
  }
  static __m256i broadcast(const std::byte* source) {
    if constexpr (W == 1) return _mm256_set1_epi8(word<char>(source));
    if constexpr (W == 2) return _mm256_set1_epi16(word<short>(source));
    if constexpr (W == 4) return _mm256_set1_epi32(word<int>(source));
    if constexpr (W == 8) return _mm256_set1_epi64x(word<long long>(source));
    if constexpr (W == 16) return load_halves(source, source);
  }
  const std::byte* source_;
  __m256i vector_;
};

/// Every K-th element, forwards or backwards. The elements of half a vector lie in a window of K
/// times 16 bytes.
template <std::size_t W, std::size_t K, bool kBackwards>
class PickedLine {
 public:
  // The window reaches up to the element that follows those of the vector.
  static constexpr std::ptrdiff_t kBeyond = 1;
  PickedLine(const std::byte* source, std::ptrdiff_t /*stride*/) : source_(source) {}
  [[nodiscard]] const std::byte* element(std::ptrdiff_t i) const { return source_ + i * kStride; }
  [[nodiscard]] __m256i load(std::ptrdiff_t i) const {
    const std::byte* low = window(i);
    const std::byte* high = window(i + kHalfLanes<W>);
    __m256i picked = _mm256_setzero_si256();
    for (std::size_t k = 0; k < K; ++k) {
      const __m256i part = load_halves(low + 16 * k, high + 16 * k);
      picked = _mm256_or_si256(picked, _mm256_shuffle_epi8(part, optimized::load(kMasks.bytes[k])));
    }
    return picked;
  }

 private:
  static constexpr std::ptrdiff_t kStride = (kBackwards ? -1 : 1) * std::ptrdiff_t{K * W};
  /// The lowest byte of the window of element i and those after it.
  [[nodiscard]] const std::byte* window(std::ptrdiff_t i) const {
    return kBackwards ? element(i) + W - 16 * K : element(i);
  }
  struct Masks {
    alignas(kVectorBytes) unsigned char bytes[K][kVectorBytes]{};
    consteval Masks() {
      for (std::size_t k = 0; k < K; ++k)
        for (std::size_t b = 0; b < kVectorBytes; ++b) {
          const std::size_t element = b % 16 / W;
          const std::size_t in_window = kBackwards ? 16 * K - W - element * K * W : element * K * W;
          const std::size_t from = in_window + b % W;
          bytes[k][b] = from / 16 == k ? static_cast<unsigned char>(from % 16) : kZero;
        }
    }
  };
  static constexpr Masks kMasks{};
  const std::byte* source_;
};

/// With kStreams, the target lies a whole number of elements behind an aligned address.
template <std::size_t W, bool kStreams, class Line>
void write_line(std::byte* target, const Line& line, std::ptrdiff_t count) {
  constexpr std::ptrdiff_t kWidth = W;
  const std::ptrdiff_t end = count - Line::kBeyond;  // of what vectors may load
  std::ptrdiff_t i = 0;
  if (end >= kLanes<W>) {
    if constexpr (kStreams) {
      store(target, line.load(0));
      i = (kVectorBytes - misalignment(target)) / kWidth;
    }
    for (; i + kLanes<W> <= end; i += kLanes<W>) put<kStreams>(target + i * kWidth, line.load(i));
    if (i < end) store(target + (end - kLanes<W>)*kWidth, line.load(end - kLanes<W>));
    i = end;
  }
  for (; i < count; ++i) move_element<W>(target + i * kWidth, line.element(i));
}

template <std::size_t W, bool kStreams, class Line>
void write_lines(std::byte* target, const std::byte* source, const Plane& plane) {
  const Loop& outer = plane.outer;
  const Loop& inner = plane.inner;
  // Lines whose elements lie between each other's are read strip by strip, while they are in the
  // cache.
  const bool interleaved = magnitude(outer.source_stride) < magnitude(inner.source_stride);
  const std::ptrdiff_t strip = interleaved ? kStripBytes / (4 * std::ptrdiff_t{W}) : inner.count;
  for (std::ptrdiff_t i = 0; i < inner.count; i += strip)
    for (std::ptrdiff_t row = 0; row < outer.count; ++row) {
      const Line line(source + row * outer.source_stride + i * inner.source_stride,
                      inner.source_stride);
      write_line<W, kStreams>(target + row * outer.target_stride + i * inner.target_stride, line,
                              least(strip, inner.count - i));
    }
  if constexpr (kStreams) _mm_sfence();
}

template <std::size_t W, class Line>
void write_lines(std::byte* target, const std::byte* source, const Plane& plane) {
  // Elements that were made of smaller ones may never come to lie on an aligned address.
  const bool aligned = misalignment(target) % std::ptrdiff_t{W} == 0 &&
                       plane.outer.target_stride % std::ptrdiff_t{W} == 0;
  if (plane.streams && aligned) return write_lines<W, true, Line>(target, source, plane);
  write_lines<W, false, Line>(target, source, plane);
}

template <std::size_t W>
void copy_reversed(std::byte* target, const std::byte* source, const Plane& plane) {
  write_lines<W, ReversedLine<W>>(target, source, plane);
}

template <std::size_t W>
void fill(std::byte* target, const std::byte* source, const Plane& plane) {
  write_lines<W, FilledLine<W>>(target, source, plane);
}

/// For strides that shuffles do not cover.
template <std::size_t W>
void copy_strided(std::byte* target, const std::byte* source, const Plane& plane) {
  for (std::ptrdiff_t row = 0; row < plane.outer.count; ++row)
    for (std::ptrdiff_t i = 0; i < plane.inner.count; ++i)
      move_element<W>(target + row * plane.outer.target_stride + i * plane.inner.target_stride,
                      source + row * plane.outer.source_stride + i * plane.inner.source_stride);
}

/// Up to which distance shuffles beat single moves.
template <std::size_t W>
constexpr std::size_t kMostPicked = W <= 2   ? 8
                                    : W == 4 ? 4
                                    : W == 8 ? 2
                                             : 0;

template <std::size_t W, std::size_t K = 2>
void pick(std::byte* target, const std::byte* source, const Plane& plane) {
  if constexpr (K <= kMostPicked<W>) {
    if (plane.inner.source_stride == std::ptrdiff_t{K * W})
      return write_lines<W, PickedLine<W, K, false>>(target, source, plane);
    if (plane.inner.source_stride == -std::ptrdiff_t{K * W})
      return write_lines<W, PickedLine<W, K, true>>(target, source, plane);
    return pick<W, K + 1>(target, source, plane);
  } else {
    copy_strided<W>(target, source, plane);
  }
}

/// Never past the cache by itself: the C library does that, where it serves.
template <std::size_t W>
void copy_runs(std::byte* target, const std::byte* source, const Plane& plane) {
  for (std::ptrdiff_t row = 0; row < plane.outer.count; ++row)
    copy_row(target + row * plane.outer.target_stride, source + row * plane.outer.source_stride,
             plane.inner.count * std::ptrdiff_t{W});
}

/// Byte masks that put element i of channel c at place i * N + c. Piece j is the j-th 16 bytes of
/// the result.
template <std::size_t W, std::size_t N>
struct InterleaveMasks {
  alignas(kVectorBytes) unsigned char bytes[N][N][kVectorBytes]{};  // of a piece, for a channel
  consteval InterleaveMasks() {
    for (std::size_t piece = 0; piece < N; ++piece)
      for (std::size_t channel = 0; channel < N; ++channel)
        for (std::size_t b = 0; b < kVectorBytes; ++b) {
          const std::size_t place = (16 * piece + b % 16) / W;
          bytes[piece][channel][b] =
              place % N == channel ? static_cast<unsigned char>(place / N * W + b % W) : kZero;
        }
  }
};

/// A vector of each of N channels makes N vectors of the target.
template <std::size_t W, std::size_t N, bool kStreams>
void interleave_vectors(std::byte* target, const std::byte* source, std::ptrdiff_t channel_stride) {
  static constexpr InterleaveMasks<W, N> kMasks{};
  __m128i pieces[2 * N];  // in the order of the target: those of the lower halves, then those of
                          // the upper
  for (std::size_t piece = 0; piece < N; ++piece) {
    __m256i both = _mm256_setzero_si256();
    for (std::size_t channel = 0; channel < N; ++channel) {
      const __m256i elements = load(source + static_cast<std::ptrdiff_t>(channel) * channel_stride);
      both =
          _mm256_or_si256(both, _mm256_shuffle_epi8(elements, load(kMasks.bytes[piece][channel])));
    }
    pieces[piece] = _mm256_castsi256_si128(both);
    pieces[N + piece] = _mm256_extracti128_si256(both, 1);
  }
  for (std::size_t i = 0; i < N; ++i)
    put<kStreams>(
        target + kVectorBytes * static_cast<std::ptrdiff_t>(i),
        _mm256_inserti128_si256(_mm256_castsi128_si256(pieces[2 * i]), pieces[2 * i + 1], 1));
}

template <std::size_t W, std::size_t N, bool kStreams>
void interleave_channels(std::byte* target, const std::byte* source, const Plane& plane) {
  constexpr std::ptrdiff_t kWidth = W;
  constexpr std::ptrdiff_t kPixel = N * W;
  const auto write = [&]<bool kAligned>(std::ptrdiff_t i) {
    interleave_vectors<W, N, kAligned>(target + i * kPixel, source + i * kWidth,
                                       plane.inner.source_stride);
  };
  const std::ptrdiff_t count = plane.outer.count;
  std::ptrdiff_t i = 0;
  if constexpr (kStreams) {
    write.template operator()<false>(0);
    while (misalignment(target + i * kPixel) != 0) ++i;
  }
  for (; i + kLanes<W> <= count; i += kLanes<W>) write.template operator()<kStreams>(i);
  if (i < count) write.template operator()<false>(count - kLanes<W>);
  if constexpr (kStreams) _mm_sfence();
}

template <std::size_t W, std::size_t N = 2>
void interleave(std::byte* target, const std::byte* source, const Plane& plane) {
  if constexpr (W <= 8 && N <= 4) {
    if (plane.inner.count != std::ptrdiff_t{N}) return interleave<W, N + 1>(target, source, plane);
    if (plane.outer.count < kLanes<W>) return copy_strided<W>(target, source, plane);
    // Pixels of 2 or 4 elements reach an aligned address only if the first lies a whole number of
    // them behind one.
    constexpr std::ptrdiff_t kStep = N == 3 ? W : N * W;
    if (plane.streams && misalignment(target) % kStep == 0)
      return interleave_channels<W, N, true>(target, source, plane);
    interleave_channels<W, N, false>(target, source, plane);
  } else {
    copy_strided<W>(target, source, plane);
  }
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

/// kLanes rows of the source, each 16 bytes, become 16 / W rows of the target, each a vector. Each
/// half of the vectors holds a square of its own; pairing row i with row i + half of the rows, log2
/// times, transposes a square.
template <std::size_t W>
void transpose_tile(std::byte* target, const std::byte* source, const Plane& plane) {
  constexpr std::ptrdiff_t kRows = kHalfLanes<W>;
  __m256i rows[std::size_t{kRows}];
  for (std::ptrdiff_t i = 0; i < kRows; ++i)
    rows[i] = load_halves(source + i * plane.inner.source_stride,
                          source + (i + kRows) * plane.inner.source_stride);
  for (std::ptrdiff_t paired = 1; paired < kRows; paired *= 2) {
    __m256i pairs[std::size_t{kRows}];
    for (std::ptrdiff_t i = 0; i < kRows / 2; ++i) {
      pairs[2 * i] = unpack_low<W>(rows[i], rows[i + kRows / 2]);
      pairs[2 * i + 1] = unpack_high<W>(rows[i], rows[i + kRows / 2]);
    }
    for (std::ptrdiff_t i = 0; i < kRows; ++i) rows[i] = pairs[i];
  }
  for (std::ptrdiff_t i = 0; i < kRows; ++i) store(target + i * plane.outer.target_stride, rows[i]);
}

template <std::size_t W>
void transpose(std::byte* target, const std::byte* source, const Plane& plane) {
  constexpr std::ptrdiff_t kWidth = W;
  const Loop& outer = plane.outer;
  const Loop& inner = plane.inner;
  if (outer.count < kHalfLanes<W> || inner.count < kLanes<W>)
    return copy_strided<W>(target, source, plane);
  // The last tile of a row or column moves back over the one before it.
  const auto tile = [&](std::ptrdiff_t o, std::ptrdiff_t i) {
    o = least(o, outer.count - kHalfLanes<W>);
    i = least(i, inner.count - kLanes<W>);
    transpose_tile<W>(target + o * outer.target_stride + i * kWidth,
                      source + o * kWidth + i * inner.source_stride, plane);
  };
  constexpr std::ptrdiff_t kOuterBlock = kBlockSourceBytes / kWidth;
  constexpr std::ptrdiff_t kInnerBlock = kBlockTargetBytes / kWidth;
  for (std::ptrdiff_t outer_block = 0; outer_block < outer.count; outer_block += kOuterBlock)
    for (std::ptrdiff_t inner_block = 0; inner_block < inner.count; inner_block += kInnerBlock)
      for (std::ptrdiff_t i = inner_block; i < least(inner_block + kInnerBlock, inner.count);
           i += kLanes<W>)
        for (std::ptrdiff_t o = outer_block; o < least(outer_block + kOuterBlock, outer.count);
             o += kHalfLanes<W>)
          tile(o, i);
}

template <std::size_t W>
constexpr PlaneKernel plane_twin = nullptr;

}  // namespace
}  // namespace opconform::optimized

OPCONFORM_AVX2_END

namespace opconform::optimized {

#define OPCONFORM_PLANE_KERNEL(shape, scalar_function, avx2_function) \
  OPCONFORM_WIDTHS(avx2_function)
constexpr PlaneKernels kAvx2PlaneKernels{{
#include "optimized/kernels/kernels.def"
}};

}  // namespace opconform::optimized

#else

namespace opconform::optimized {
constexpr PlaneKernels kAvx2PlaneKernels{};
}  // namespace opconform::optimized

#endif
