// Where the bits of floating-point numbers lie.
#pragma once

#include <cstdint>

#include "spec/data_type.h"

namespace opconform::planted {

/// Of a number, or of a part of a complex one.
struct FloatFormat {
  unsigned width_bits;
  unsigned fraction_bits;

  [[nodiscard]] constexpr std::uint64_t sign() const {
    return std::uint64_t{1} << (width_bits - 1);
  }
  [[nodiscard]] constexpr std::uint64_t fraction() const {
    return (std::uint64_t{1} << fraction_bits) - 1;
  }
  [[nodiscard]] constexpr std::uint64_t exponent() const { return (sign() - 1) & ~fraction(); }
  [[nodiscard]] constexpr std::uint64_t quiet_bit() const { return (fraction() + 1) >> 1; }
  [[nodiscard]] constexpr bool is_nan(std::uint64_t bits) const {
    return (bits & exponent()) == exponent() && (bits & fraction()) != 0;
  }
};

/// Of a type that has one.
constexpr FloatFormat float_format(DataType type) {
  switch (type) {
    case DataType::kFloat64:
    case DataType::kComplex128:
      return {64, 52};
    case DataType::kFloat16:
      return {16, 10};
    case DataType::kBfloat16:
      return {16, 7};
    default:
      return {32, 23};
  }
}

}  // namespace opconform::planted
