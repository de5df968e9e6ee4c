// Numbers in the formats of the float types: rounded to their bits, and back.
#pragma once

#include <cstdint>
#include <string>

#include "spec/data_type.h"

namespace opconform::cases {

/// An IEEE 754 binary format by its widths.
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;  // stored
  [[nodiscard]] int width_bits() const { return 1 + exponent_bits + mantissa_bits; }
  [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  }
  [[nodiscard]] std::uint64_t quiet_bit() const { return std::uint64_t{1} << (mantissa_bits - 1); }
  [[nodiscard]] std::uint64_t quiet_nan() const { return infinity() | quiet_bit(); }
  [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (width_bits() - 1); }
  [[nodiscard]] bool is_nan(std::uint64_t bits) const { return (bits & ~sign()) > infinity(); }
};

/// Of a float type, and of the parts of a complex one.
FloatFormat float_format(DataType type);

/// The nearest value of the format, ties to even. Gives the infinity where it rounds to it.
std::uint64_t float_bits(double value, const FloatFormat& format);
/// The same of a decimal literal, which is rounded once.
std::uint64_t float_bits(const std::string& literal, const FloatFormat& format);

/// The value of finite bits.
double widen(std::uint64_t bits, const FloatFormat& format);

}  // namespace opconform::cases
