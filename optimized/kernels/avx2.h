// What the kernels with AVX2 intrinsics share. Only functions of the including file lie in the
// region that is compiled for AVX2: a function shared with other files would carry AVX2
// instructions to machines without them. That is why everything here is in an unnamed namespace,
// why nothing of std:: is called in a region, and why the C arrays.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include <cstring>

#include "optimized/kernels/kernels.h"
#include "optimized/tuning.h"

// Around the functions of a file: BEGIN after its includes, END at its end.
#if defined(__clang__)
#define OPCONFORM_AVX2_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx2\"))), apply_to = function)")
#define OPCONFORM_AVX2_END _Pragma("clang attribute pop")
#else
#define OPCONFORM_AVX2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2\")")
#define OPCONFORM_AVX2_END _Pragma("GCC pop_options")
#endif

// Each source of kernels has its own copies: shared ones would be AVX2 code for all callers.
// NOLINTBEGIN(cert-dcl59-cpp,misc-definitions-in-headers)
OPCONFORM_AVX2_BEGIN
namespace opconform::optimized {
namespace {

/// Elements of W bytes in a vector, and in each half, which most byte shuffles stay within.
template <std::size_t W>
constexpr std::ptrdiff_t kLanes = kVectorBytes / std::ptrdiff_t{W};
template <std::size_t W>
constexpr std::ptrdiff_t kHalfLanes = kLanes<W> / 2;

[[maybe_unused]] constexpr std::ptrdiff_t least(std::ptrdiff_t a, std::ptrdiff_t b) {
  return a < b ? a : b;
}

template <std::size_t W>
void move_element(std::byte* target, const std::byte* source) {
  std::memcpy(target, source, W);
}
/// Two moves that overlap in the middle serve every length from one to two times their own.
template <std::size_t W>
void move_ends(std::byte* target, const std::byte* source, std::ptrdiff_t size_bytes) {
  const std::ptrdiff_t second = size_bytes - std::ptrdiff_t{W};
  move_element<W>(target, source);
  move_element<W>(target + second, source + second);
}
template <class Word>
Word load_word(const std::byte* source) {
  Word word;
  std::memcpy(&word, source, sizeof word);
  return word;
}
[[maybe_unused]] __m256i load(const void* source) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(source));
}
[[maybe_unused]] __m128i load_half(const void* source) {
  return _mm_loadu_si128(static_cast<const __m128i*>(source));
}
[[maybe_unused]] __m256i load_halves(const std::byte* low, const std::byte* high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(load_half(low)), load_half(high), 1);
}
/// The same 16 bytes in both halves.
[[maybe_unused]] __m256i load_twice(const std::byte* source) {
  return _mm256_broadcastsi128_si256(load_half(source));
}
[[maybe_unused]] void store(std::byte* target, __m256i vector) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), vector);
}
[[maybe_unused]] void store_halves(std::byte* low, std::byte* high, __m256i vector) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(low), _mm256_castsi256_si128(vector));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(high), _mm256_extracti128_si256(vector, 1));
}

/// Bytes that lie together, in the fewest moves for their number. The library leaves long rows to
/// an instruction that takes 20 times as long on Zen 3 where the target lies less than a vector
/// behind the source, whole pages aside.
[[maybe_unused]] void copy_row(std::byte* target, const std::byte* source,
                               std::ptrdiff_t size_bytes,
                               std::ptrdiff_t library_bytes = kLibraryCopyBytes) {
  const auto behind =
      reinterpret_cast<std::uintptr_t>(target) - reinterpret_cast<std::uintptr_t>(source);
  if (size_bytes >= library_bytes && (behind - 1) % kPageBytes >= kVectorBytes - 1) {
    std::memcpy(target, source, static_cast<std::size_t>(size_bytes));
    return;
  }
  if (size_bytes >= kVectorBytes) {
    std::ptrdiff_t i = 0;
    for (; i < size_bytes - kVectorBytes; i += kVectorBytes) store(target + i, load(source + i));
    return store(target + size_bytes - kVectorBytes, load(source + size_bytes - kVectorBytes));
  }
  if (size_bytes >= 16) return move_ends<16>(target, source, size_bytes);
  if (size_bytes >= 8) return move_ends<8>(target, source, size_bytes);
  if (size_bytes >= 4) return move_ends<4>(target, source, size_bytes);
  if (size_bytes >= 2) return move_ends<2>(target, source, size_bytes);
  move_element<1>(target, source);
}

}  // namespace
}  // namespace opconform::optimized
OPCONFORM_AVX2_END
// NOLINTEND(cert-dcl59-cpp,misc-definitions-in-headers)

#endif
