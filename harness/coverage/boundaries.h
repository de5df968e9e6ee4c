// Which sizes stand around a power of two, and how: what vectors, blocks, caches and counters end
// at. Read off a descriptor alone.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spec/operator.h"

namespace opconform::coverage {

inline constexpr int kLeastBoundary = 4;  ///< exponents
inline constexpr int kMostBoundary = 32;

/// On which side of the power a number stands.
enum class Side : std::uint8_t { kBelow, kAt, kAbove, kOdd };
inline constexpr std::array<std::string_view, 4> kSideNames{"-1", "0", "+1", "odd"};

/// The number that a walk takes there; of the odd ones between this power and the next, one whose
/// last pieces are short.
[[nodiscard]] std::uint64_t boundary_number(int exponent, Side side);

/// What of an operator was near which boundaries, by quantity: "elements", "bytes", "rows", "axis",
/// "indices", "updates", "inputs", "outputs", "starts", "offsets", "windows" or "steps". An
/// operator has those of its fields.
class Boundaries {
 public:
  using Sides = std::array<std::uint8_t, kMostBoundary + 1>;  ///< a bit a side, by exponent

  void observe(const Operator& op);

  [[nodiscard]] const std::map<std::string_view, Sides>& quantities() const { return seen_; }
  [[nodiscard]] bool has(std::string_view quantity, int exponent, Side side) const;
  void merge(const Boundaries& other);

 private:
  void note(std::string_view quantity, std::uint64_t number);

  std::map<std::string_view, Sides> seen_;
};

/// A line a quantity: its name, and a digit an exponent, the number of sides that were seen.
[[nodiscard]] std::string boundaries_text(const Boundaries& boundaries);

}  // namespace opconform::coverage
