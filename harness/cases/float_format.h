// Numbers in the formats of the float types: rounded to their bits, and back.
#pragma once

#include <cstdint>
#include <string>

#include "spec/float_format.h"

namespace opconform::cases {

/// The nearest value of the format, ties to even. Gives the infinity where it rounds to it.
std::uint64_t float_bits(double value, const FloatFormat& format);
/// The same of a decimal literal, which is rounded once.
std::uint64_t float_bits(const std::string& literal, const FloatFormat& format);

/// The value of finite bits.
double widen(std::uint64_t bits, const FloatFormat& format);

}  // namespace opconform::cases
