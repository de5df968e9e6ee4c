#include "harness/cases/float_format.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdlib>

namespace opconform::cases {
namespace {

/// The double next to the literal towards zero, its last bit set where the literal is not exact.
/// Rounding that to a shorter format gives what rounding the literal itself would.
double round_to_odd(const std::string& literal) {
  const int mode = std::fegetround();
  std::fesetround(FE_DOWNWARD);
  const double low = std::strtod(literal.c_str(), nullptr);
  std::fesetround(FE_UPWARD);
  const double high = std::strtod(literal.c_str(), nullptr);
  std::fesetround(mode);
  if (std::bit_cast<std::uint64_t>(low) == std::bit_cast<std::uint64_t>(high)) return low;
  // Neighbours: one of the two has an odd last bit.
  return (std::bit_cast<std::uint64_t>(low) & 1) != 0 ? low : high;
}

std::uint64_t narrow(double value, const FloatFormat& format) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits >> 63 != 0 ? format.sign() : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude in [2^(exponent-1), 2^exponent)
  const int least_exponent = 1 - format.bias();
  const int unit_exponent = std::max(exponent - 1, least_exponent) - format.mantissa_bits;
  // Exact scaling: the double has more bits and more exponents than any format it is narrowed to
  // here.
  const double scaled = std::ldexp(magnitude, -unit_exponent);
  const auto units = static_cast<std::uint64_t>(std::nearbyint(scaled));
  // Units carry into the exponent where they round up to the next power of two, as the encoding
  // wants.
  const auto biased =
      static_cast<std::uint64_t>(unit_exponent + format.mantissa_bits + format.bias() - 1);
  const std::uint64_t encoded = (biased << format.mantissa_bits) + units;
  return sign | std::min(encoded, format.infinity());
}

}  // namespace

std::uint64_t float_bits(double value, const FloatFormat& format) {
  return format.mantissa_bits == 52 ? std::bit_cast<std::uint64_t>(value) : narrow(value, format);
}

std::uint64_t float_bits(const std::string& literal, const FloatFormat& format) {
  return format.mantissa_bits == 52
             ? std::bit_cast<std::uint64_t>(std::strtod(literal.c_str(), nullptr))
             : narrow(round_to_odd(literal), format);
}

double widen(std::uint64_t bits, const FloatFormat& format) {
  if (format.mantissa_bits == 52) return std::bit_cast<double>(bits);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << format.mantissa_bits) - 1);
  const auto biased = static_cast<int>((bits & ~format.sign()) >> format.mantissa_bits);
  const double units =
      static_cast<double>(mantissa) + (biased != 0 ? std::ldexp(1.0, format.mantissa_bits) : 0.0);
  const double value =
      std::ldexp(units, std::max(biased, 1) - format.bias() - format.mantissa_bits);
  return (bits & format.sign()) != 0 ? -value : value;
}

}  // namespace opconform::cases
