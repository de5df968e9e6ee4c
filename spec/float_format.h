// Where the bits of the float types lie.
#pragma once

#include <cstdint>

#include "spec/data_type.h"

namespace opconform {

/// An IEEE 754 binary format by its widths.
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;  // stored
  [[nodiscard]] constexpr int width_bits() const { return 1 + exponent_bits + mantissa_bits; }
  [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  /// All bits of the exponent.
  [[nodiscard]] constexpr std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  }
  [[nodiscard]] constexpr std::uint64_t mantissa() const {
    return (std::uint64_t{1} << mantissa_bits) - 1;
  }
  [[nodiscard]] constexpr std::uint64_t quiet_bit() const {
    return std::uint64_t{1} << (mantissa_bits - 1);
  }
  [[nodiscard]] constexpr std::uint64_t quiet_nan() const { return infinity() | quiet_bit(); }
  [[nodiscard]] constexpr std::uint64_t sign() const {
    return std::uint64_t{1} << (width_bits() - 1);
  }
  [[nodiscard]] constexpr bool is_nan(std::uint64_t bits) const {
    return (bits & ~sign()) > infinity();
  }
};

/// Of a float type, and of the parts of a complex one.
constexpr FloatFormat float_format(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return {5, 10};
    case DataType::kBfloat16:
      return {8, 7};
    case DataType::kFloat64:
    case DataType::kComplex128:
      return {11, 52};
    default:
      return {8, 23};
  }
}

}  // namespace opconform
