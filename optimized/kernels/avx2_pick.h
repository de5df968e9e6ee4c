// Elements that lie apart as one vector, for AVX2.
#pragma once

#include <utility>

#include "optimized/kernels/avx2.h"

#if defined(__x86_64__)

// As in avx2.h, an own copy for each source.
// NOLINTBEGIN(cert-dcl59-cpp,misc-definitions-in-headers)
OPCONFORM_AVX2_BEGIN
namespace opconform::optimized {
namespace {

/// 16 bytes of elements that lie apart.
template <std::size_t W>
__m128i pick(const std::byte* source, const std::ptrdiff_t* offsets);

template <int... kPlaces>
__m128i pick_bytes(const std::byte* source, const std::ptrdiff_t* offsets,
                   std::integer_sequence<int, kPlaces...> /*places*/) {
  __m128i picked = _mm_setzero_si128();
  ((picked = _mm_insert_epi8(picked, static_cast<char>(source[offsets[kPlaces]]), kPlaces)), ...);
  return picked;
}
template <>
__m128i pick<1>(const std::byte* source, const std::ptrdiff_t* offsets) {
  return pick_bytes(source, offsets, std::make_integer_sequence<int, 16>{});
}
template <>
__m128i pick<2>(const std::byte* source, const std::ptrdiff_t* offsets) {
  const auto element = [=](std::ptrdiff_t i) {
    short value;
    std::memcpy(&value, source + offsets[i], sizeof value);
    return value;
  };
  __m128i picked = _mm_cvtsi32_si128(element(0));
  picked = _mm_insert_epi16(picked, element(1), 1);
  picked = _mm_insert_epi16(picked, element(2), 2);
  picked = _mm_insert_epi16(picked, element(3), 3);
  picked = _mm_insert_epi16(picked, element(4), 4);
  picked = _mm_insert_epi16(picked, element(5), 5);
  picked = _mm_insert_epi16(picked, element(6), 6);
  return _mm_insert_epi16(picked, element(7), 7);
}
template <>
__m128i pick<4>(const std::byte* source, const std::ptrdiff_t* offsets) {
  const auto element = [=](std::ptrdiff_t i) {
    int value;
    std::memcpy(&value, source + offsets[i], sizeof value);
    return _mm_cvtsi32_si128(value);
  };
  return _mm_unpacklo_epi64(_mm_unpacklo_epi32(element(0), element(1)),
                            _mm_unpacklo_epi32(element(2), element(3)));
}
template <>
__m128i pick<8>(const std::byte* source, const std::ptrdiff_t* offsets) {
  const auto half = [=](std::ptrdiff_t i) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(source + offsets[i]));
  };
  return _mm_unpacklo_epi64(half(0), half(1));
}
template <>
__m128i pick<16>(const std::byte* source, const std::ptrdiff_t* offsets) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + offsets[0]));
}

}  // namespace
}  // namespace opconform::optimized
OPCONFORM_AVX2_END
// NOLINTEND(cert-dcl59-cpp,misc-definitions-in-headers)

#endif
