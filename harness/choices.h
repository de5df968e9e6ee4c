// Where a generator's decisions come from. A generator asks; a source answers: seeded random
// numbers, the bytes of a fuzzer, a tuple that a covering array still lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/random.h"

namespace opconform::harness {

class Choices {
 public:
  Choices() = default;
  Choices(const Choices&) = delete;
  Choices& operator=(const Choices&) = delete;
  virtual ~Choices() = default;

  /// A number below `count`, which is at least 1.
  virtual std::uint64_t below(std::uint64_t count) = 0;

  /// A number in [least, most].
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + below(most - least + 1);
  }
  /// True once in `count` times.
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  template <class T>
  const T& of(std::span<const T> values) {
    return values[below(values.size())];
  }
};

/// A function of its seed alone: the same answers on every machine.
class RandomChoices final : public Choices {
 public:
  explicit RandomChoices(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t count) override {
    // The high half of a product: no division, and a bias below 2^-32 for the counts asked for
    // here.
    __extension__ using Uint128 = unsigned __int128;
    return static_cast<std::uint64_t>(
        static_cast<Uint128>(random_bits(seed_, position_++)) * count >> 64);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t position_ = 0;
};

/// The bytes of a fuzzer: one byte answers a question of up to 256 answers, eight a larger one.
/// Beyond the end every answer is 0, which generators make the plainest.
class ByteChoices final : public Choices {
 public:
  explicit ByteChoices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint64_t below(std::uint64_t count) override {
    std::uint64_t value = 0;
    for (int i = 0; i < (count <= 256 ? 1 : 8); ++i) value = value << 8 | next();
    return value % count;
  }
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  std::uint8_t next() { return used_ < bytes_.size() ? bytes_[used_++] : 0; }
  std::span<const std::uint8_t> bytes_;
  std::size_t used_ = 0;
};

}  // namespace opconform::harness
