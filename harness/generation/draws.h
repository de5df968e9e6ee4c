// Where a generator's decisions come from. A generator asks; a source answers: seeded random
// numbers, the bytes of a fuzzer, a tuple that a covering array still lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/random.h"

namespace opconform::generation {

class Draws {
 public:
  Draws() = default;
  Draws(const Draws&) = delete;
  Draws& operator=(const Draws&) = delete;
  virtual ~Draws() = default;

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
class RandomDraws final : public Draws {
 public:
  explicit RandomDraws(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t count) override {
    // The high half of a product: no division, and a bias below 2^-32 for the counts asked for
    // here.
    __extension__ using Uint128 = unsigned __int128;
    return static_cast<std::uint64_t>(
        static_cast<Uint128>(base::random_bits(seed_, position_++)) * count >> 64);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t position_ = 0;
};

/// The bytes of a fuzzer that answer a question of so many answers.
constexpr std::size_t answer_size_bytes(std::uint64_t count) { return count <= 256 ? 1 : 8; }

/// The bytes of a fuzzer. Beyond the end every answer is 0, which generators make the plainest.
class ByteDraws final : public Draws {
 public:
  explicit ByteDraws(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint64_t below(std::uint64_t count) override {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < answer_size_bytes(count); ++i) value = value << 8 | next();
    return value % count;
  }

 private:
  std::uint8_t next() { return used_ < bytes_.size() ? bytes_[used_++] : 0; }
  std::span<const std::uint8_t> bytes_;
  std::size_t used_ = 0;
};

/// Lets another source answer, and keeps what it said as the bytes that make ByteDraws say it
/// again.
class RecordedDraws final : public Draws {
 public:
  struct Answer {
    std::size_t offset;  ///< of its first byte
    std::uint64_t count;
  };

  explicit RecordedDraws(Draws& source) : source_(source) {}
  std::uint64_t below(std::uint64_t count) override {
    const std::uint64_t value = source_.below(count);
    answers_.push_back({bytes_.size(), count});
    bytes_.resize(bytes_.size() + answer_size_bytes(count));
    set(answers_.size() - 1, value);
    return value;
  }
  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  /// Changes an answer that was given, below its count.
  void set(std::size_t answer, std::uint64_t value) {
    const auto [offset, count] = answers_[answer];
    for (std::size_t i = answer_size_bytes(count); i-- > 0; value >>= 8)
      bytes_[offset + i] = static_cast<std::uint8_t>(value & 0xFF);
  }

 private:
  Draws& source_;
  std::vector<Answer> answers_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace opconform::generation
