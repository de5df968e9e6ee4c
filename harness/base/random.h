// Numbers that look random and are the same on every machine: a function of seed and position
// alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace opconform::base {

/// The SplitMix64 mix of seed and position.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t position) {
  std::uint64_t z = seed + (position + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// Bits made of the seed alone, for all bytes.
inline void fill_with_noise(std::span<std::byte> bytes, std::uint64_t seed) {
  const std::size_t whole = bytes.size() / sizeof seed * sizeof seed;
  for (std::size_t at = 0; at < whole; at += sizeof seed) {
    const std::uint64_t bits = random_bits(seed, at);
    std::memcpy(bytes.data() + at, &bits, sizeof bits);
  }
  if (whole == bytes.size()) return;
  const std::uint64_t bits = random_bits(seed, whole);
  std::memcpy(bytes.data() + whole, &bits, bytes.size() - whole);
}

/// A hash of the bytes for this process alone, a word at a time; `start` is that of what went
/// before.
inline std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t start) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof start) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    start = random_bits(start ^ word, 0);
  }
  return start;
}

/// FNV-1a of the text; `start` is the hash of what went before it.
constexpr std::uint64_t hash_text(std::string_view text, std::uint64_t start = 0xCBF29CE484222325) {
  for (const char c : text) start = (start ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return start;
}

}  // namespace opconform::base
