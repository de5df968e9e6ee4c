// Indexed moves with AVX2 intrinsics. Vectors are loaded from rows and packed indices, and stored
// to rows: not a byte beside them is touched. The last vector of a row or of a line of indices
// moves back over what is done already; the last elements of a line of offsets go one by one.
#include <limits>
#include <type_traits>
#include <utility>

#include "optimized/kernels/avx2.h"

#if defined(__x86_64__)

OPCONFORM_AVX2_BEGIN
namespace opconform::optimized {
namespace {

/// 16 bytes of elements that lie apart.
template <std::size_t W>
__m128i pick(const std::byte* source, const std::ptrdiff_t* offsets) {
  using Wide = std::conditional_t<W == 4, int, long long>;
  using Word = std::conditional_t<W == 1, char, std::conditional_t<W == 2, short, Wide>>;
  const auto at = [=](std::ptrdiff_t i) { return load_word<Word>(source + offsets[i]); };
  if constexpr (W == 1)  // faster than _mm_setr_epi8
    return [=]<int... kPlaces>(std::integer_sequence<int, kPlaces...> /*places*/) {
      __m128i picked = _mm_setzero_si128();
      ((picked = _mm_insert_epi8(picked, at(kPlaces), kPlaces)), ...);
      return picked;
    }
  (std::make_integer_sequence<int, 16>{});
  if constexpr (W == 2)
    return _mm_setr_epi16(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
  if constexpr (W == 4) return _mm_setr_epi32(at(0), at(1), at(2), at(3));
  if constexpr (W == 8) return _mm_set_epi64x(at(1), at(0));
  if constexpr (W == 16) return load_half(source + offsets[0]);
}

template <std::size_t W>
void pick_elements(std::byte* target, const std::byte* source, const std::ptrdiff_t* offsets,
                   std::ptrdiff_t count) {
  constexpr std::ptrdiff_t kWidth = W;
  constexpr std::ptrdiff_t kPicked = 16 / kWidth;
  std::ptrdiff_t i = 0;
  for (; i + kPicked <= count; i += kPicked)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target + i * kWidth), pick<W>(source, offsets + i));
  for (; i < count; ++i) move_element<W>(target + i * kWidth, source + offsets[i]);
}

/// Picked at a time.
constexpr std::ptrdiff_t kPart = 64;

OPCONFORM_PREFETCHES void fetch_part(const std::byte* from, const IndexedRows& rows,
                                     std::ptrdiff_t step, std::ptrdiff_t i,
                                     std::ptrdiff_t size_bytes) {
  if (step >= rows.fetch_steps) return;
  const std::byte* const first = from + rows.fetch_offset + i / kPart * size_bytes;
  for (std::ptrdiff_t at = 0; at < size_bytes; at += kCacheLineBytes)
    _mm_prefetch(reinterpret_cast<const char*>(first + at), _MM_HINT_T0);
}

/// Steps of which 16 bytes hold all elements, as many as fit, in one shuffle. What is stored behind
/// them is replaced by the next. Returns how many steps are done: those whose 16 bytes lie inside.
template <std::size_t W>
std::ptrdiff_t shuffle_steps(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  constexpr std::ptrdiff_t kWidth = W;
  constexpr std::ptrdiff_t kHalf = kVectorBytes / 2;
  const auto [steps, source_stride, target_stride, _] = rows.repeat;
  std::ptrdiff_t first = rows.offsets[0];
  std::ptrdiff_t last = first;
  for (std::ptrdiff_t i = 1; i < rows.count; ++i) {
    first = least(first, rows.offsets[i]);
    last = -least(-last, -rows.offsets[i]);
  }
  const std::ptrdiff_t span = last + kWidth - first;
  if (span > kHalf || target_stride > kHalf || target_stride != rows.count * kWidth ||
      source_stride <= 0)
    return 0;
  alignas(16) unsigned char mask[kHalf] = {};
  std::ptrdiff_t together = 0;
  for (; (together + 1) * target_stride <= kHalf && together * source_stride + span <= kHalf;
       ++together)
    for (std::ptrdiff_t i = 0; i < target_stride; ++i)
      mask[together * target_stride + i] = static_cast<unsigned char>(
          together * source_stride + rows.offsets[i / kWidth] - first + i % kWidth);
  const __m128i shuffle = load_half(mask);
  const std::ptrdiff_t last_load = (steps - 1) * source_stride + span - kHalf;
  const std::ptrdiff_t last_store = steps * target_stride - kHalf;
  if (last_load < 0 || last_store < 0) return 0;
  const std::ptrdiff_t last_step = least(last_load / source_stride, last_store / target_stride);
  const std::byte* from = source + first;
  std::ptrdiff_t step = 0;
  for (; step <= last_step; step += together) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target),
                     _mm_shuffle_epi8(load_half(from), shuffle));
    from += together * source_stride;
    target += together * target_stride;
  }
  return step;
}

/// Few elements of many steps.
template <std::size_t W>
void gather_few(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  const auto [steps, source_stride, target_stride, _] = rows.repeat;
  const std::ptrdiff_t* const offsets = rows.offsets;  // the stores could be to the original
  const std::ptrdiff_t count = rows.count;
  for (std::ptrdiff_t step = shuffle_steps<W>(target, source, rows); step < steps; ++step)
    for (std::ptrdiff_t i = 0; i < count; ++i)
      move_element<W>(target + step * target_stride + i * std::ptrdiff_t{W},
                      source + step * source_stride + offsets[i]);
}

/// Picks some and fetches some, in turn: both are kept waiting by the same caches.
template <std::size_t W>
void gather_elements(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  if (rows.count <= kFewIndices && rows.repeat.count > rows.count)
    return gather_few<W>(target, source, rows);
  const std::ptrdiff_t fetched = rows.fetch_bytes / ((rows.count + kPart - 1) / kPart);  // by each
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; i += kPart) {
      fetch_part(from, rows, step, i, fetched);
      pick_elements<W>(to + i * std::ptrdiff_t{W}, from, rows.offsets + i,
                       least(kPart, rows.count - i));
    }
  }
}

/// Copies each row by `copy(to, from)`. kAhead: the next ones are asked for meanwhile.
template <bool kAhead, class Copy>
void gather_each(std::byte* target, const std::byte* source, const IndexedRows& given,
                 const Copy& copy) {
  const IndexedRows rows = given;  // the stores could be to the original
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i, to += rows.step_bytes) {
      if constexpr (kAhead)
        _mm_prefetch(from + rows.offsets[least(i + kPrefetchRows, rows.count - 1)], _MM_HINT_T0);
      copy(to, from + rows.offsets[i]);
    }
  }
}

/// Two moves that overlap in the middle make a row.
template <std::size_t W>
void gather_short_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  gather_each<false>(target, source, rows,
                     [size_bytes = rows.row_bytes](std::byte* to, const std::byte* from) {
                       move_ends<W>(to, from, size_bytes);
                     });
}

/// Rows of kVectors vectors, of which the last may go back. Few come in time without prefetching.
template <std::ptrdiff_t kVectors>
void gather_vectors(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  const std::ptrdiff_t last = rows.row_bytes - kVectorBytes;
  gather_each<(kVectors > 4)>(target, source, rows, [=](std::byte* to, const std::byte* from) {
    for (std::ptrdiff_t v = 0; v < kVectors - 1; ++v)
      store(to + v * kVectorBytes, load(from + v * kVectorBytes));
    store(to + last, load(from + last));
  });
}

void gather_long_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  gather_each<true>(target, source, rows,
                    [size_bytes = rows.row_bytes](std::byte* to, const std::byte* from) {
                      copy_row(to, from, size_bytes);
                    });
}

template <std::size_t /*W*/>
void gather_rows(std::byte* target, const std::byte* source, const IndexedRows& rows) {
  static constexpr IndexedKernel kByVectors[]{
      gather_vectors<1>, gather_vectors<2>, gather_vectors<3>, gather_vectors<4>, gather_vectors<5>,
      gather_vectors<6>, gather_vectors<7>, gather_vectors<8>, gather_long_rows};
  kByVectors[least((rows.row_bytes - 1) / kVectorBytes, 8)](target, source, rows);
}

template <std::size_t W>
void scatter_rows(std::byte* target, const std::byte* source, const IndexedRows& given) {
  const IndexedRows rows = given;  // the stores could be to the original
  for (std::ptrdiff_t step = 0; step < rows.repeat.count; ++step) {
    std::byte* to = target + step * rows.repeat.target_stride;
    const std::byte* from = source + step * rows.repeat.source_stride;
    for (std::ptrdiff_t i = 0; i < rows.count; ++i)
      if (rows.offsets[i] >= 0)
        copy_row(to + rows.offsets[i], from + i * rows.step_bytes, rows.row_bytes);
  }
}

// Indices. Lines shorter than a vector are left to the scalar functions. An axis has at most
// kMostVectorAxis places: its size plus or minus any index that lies inside does not overflow.

template <class Index>
constexpr bool kSigned = static_cast<Index>(-1) < 0;
template <class Index>
constexpr const IndexKernels& kScalar =
    kScalarIndexKernels[(kSigned<Index> ? 0 : 2) + (sizeof(Index) == 8 ? 1 : 0)];

/// Four indices at a time become places in 64 bits each.
template <class Index>
class Places {
 public:
  explicit Places(const IndexedAxis& axis)
      : size_(_mm256_set1_epi64x(static_cast<std::ptrdiff_t>(axis.size))),
        wrap_(kSigned<Index> && axis.negative_counts_from_end ? size_ : _mm256_setzero_si256()),
        stride_(_mm256_set1_epi64x(axis.stride_bytes)) {}

  [[nodiscard]] __m256i of(const std::byte* indices) const {
    constexpr bool kLong = sizeof(Index) == 8;
    if constexpr (!kSigned<Index>)
      return kLong ? load(indices) : _mm256_cvtepu32_epi64(load_half(indices));
    const __m256i index = kLong ? load(indices) : _mm256_cvtepi32_epi64(load_half(indices));
    const __m256i signs = _mm256_shuffle_epi32(_mm256_srai_epi32(index, 31), 0xF5);
    return _mm256_add_epi64(index, _mm256_and_si256(signs, wrap_));
  }
  /// `start` bytes on; with the sign set where an index lies outside.
  [[nodiscard]] __m256i offsets(const std::byte* indices, __m256i start) const {
    const __m256i sign = _mm256_set1_epi64x(std::numeric_limits<std::int64_t>::min());
    const __m256i place = of(indices);
    const __m256i offset = _mm256_add_epi64(_mm256_mul_epu32(place, stride_), start);
    const __m256i not_below_size = _mm256_xor_si256(_mm256_sub_epi64(place, size_), sign);
    return _mm256_or_si256(offset, _mm256_and_si256(_mm256_or_si256(place, not_below_size), sign));
  }

 private:
  __m256i size_;
  __m256i wrap_;
  __m256i stride_;
};

template <class Index>
void resolve(const IndexLine& given, const IndexedAxis& axis, std::ptrdiff_t* offsets) {
  constexpr std::ptrdiff_t kWidth = sizeof(Index);
  if (given.count < 4 || given.stride_bytes != kWidth)
    return kScalar<Index>.resolve(given, axis, offsets);
  const IndexLine indices = given;  // the stores could be to the original
  const Places<Index> places(axis);
  const std::ptrdiff_t step = indices.step_bytes;
  const __m256i steps = _mm256_setr_epi64x(0, step, 2 * step, 3 * step);
  for (std::ptrdiff_t next = 0; next < indices.count; next += 4) {
    const std::ptrdiff_t i = least(next, indices.count - 4);
    const __m256i start = _mm256_add_epi64(_mm256_set1_epi64x(i * step), steps);
    store(reinterpret_cast<std::byte*>(offsets + i),
          places.offsets(indices.first + i * kWidth, start));
  }
}

/// Gathers elements of an axis without gaps, each used once: what is resolved stays in registers.
template <std::size_t W, class Index>
void gather_once(std::byte* target, const std::byte* source, const std::byte* indices,
                 std::ptrdiff_t count, const IndexedAxis& axis) {
  constexpr std::ptrdiff_t kWidth = W;
  const Places<Index> places(axis);
  for (std::ptrdiff_t next = 0; next < count; next += 4) {
    const std::ptrdiff_t i = least(next, count - 4);
    const __m256i place = places.of(indices + i * std::ptrdiff_t{sizeof(Index)});
    std::byte* const to = target + i * kWidth;
    move_element<W>(to, source + _mm256_extract_epi64(place, 0) * kWidth);
    move_element<W>(to + kWidth, source + _mm256_extract_epi64(place, 1) * kWidth);
    move_element<W>(to + 2 * kWidth, source + _mm256_extract_epi64(place, 2) * kWidth);
    move_element<W>(to + 3 * kWidth, source + _mm256_extract_epi64(place, 3) * kWidth);
  }
}

/// An index lies outside where its distance to either end of what is allowed is below 0.
template <class Index>
std::ptrdiff_t find_outside(const std::byte* first, std::ptrdiff_t count, const IndexedAxis& axis) {
  using Lane = std::make_unsigned_t<Index>;  // differences may wrap
  using Lanes [[gnu::vector_size(kVectorBytes)]] = Lane;
  constexpr std::ptrdiff_t kIndices = kLanes<sizeof(Index)>;
  const auto size = static_cast<Lane>(axis.size);
  const Lanes least_allowed =
      Lanes{} + (kSigned<Index> && axis.negative_counts_from_end ? -size : Lane{0});
  const Lanes most_allowed = Lanes{} + (size - 1);
  Lanes outside{};
  for (std::ptrdiff_t next = 0; next < count && count >= kIndices; next += kIndices) {
    const std::ptrdiff_t i = least(next, count - kIndices);
    const auto index = reinterpret_cast<Lanes>(load(first + i * std::ptrdiff_t{sizeof(Index)}));
    outside |= (index - least_allowed) | (most_allowed - index);
  }
  const int signs = sizeof(Index) == 8 ? _mm256_movemask_pd(reinterpret_cast<__m256d>(outside))
                                       : _mm256_movemask_ps(reinterpret_cast<__m256>(outside));
  return signs == 0 && count >= kIndices ? count : kScalar<Index>.find_outside(first, count, axis);
}

}  // namespace

#define OPCONFORM_INDEXED_KERNEL(shape, scalar_function, avx2_function) \
  OPCONFORM_WIDTHS(avx2_function)
constexpr IndexedKernels kAvx2IndexedKernels{{
#include "optimized/kernels/kernels.def"
}};

template <class Index>
constexpr IndexKernels kIndexKernels{
    resolve<Index>,
    find_outside<Index>,
    {gather_once<1, Index>, gather_once<2, Index>, gather_once<4, Index>, gather_once<8, Index>,
     gather_once<16, Index>}};
constexpr IndexKernelTable kAvx2IndexKernels{
    {kIndexKernels<std::int32_t>, kIndexKernels<std::int64_t>, kIndexKernels<std::uint32_t>,
     kIndexKernels<std::uint64_t>}};

}  // namespace opconform::optimized
OPCONFORM_AVX2_END

#endif
