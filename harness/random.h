// Numbers that look random and are the same on every machine: a function of seed and position
// alone.
#pragma once

#include <cstdint>

namespace opconform::harness {

/// The SplitMix64 mix of seed and position.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t position) {
  std::uint64_t z = seed + (position + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace opconform::harness
