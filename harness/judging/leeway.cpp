#include "harness/judging/leeway.h"

#include <cstdint>
#include <cstring>

namespace opconform::judging {
namespace {

/// A binary floating-point type: the bits of its mantissa, and all of them.
struct FloatFormat {
  unsigned mantissa_bits;
  unsigned bits;

  [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (bits - 1); }
  [[nodiscard]] std::uint64_t infinity() const {
    return (sign() - 1) & ~((std::uint64_t{1} << mantissa_bits) - 1);
  }
  [[nodiscard]] std::uint64_t quiet_bit() const { return std::uint64_t{1} << (mantissa_bits - 1); }
  [[nodiscard]] bool is_nan(std::uint64_t value) const { return (value & ~sign()) > infinity(); }
};

FloatFormat format_of(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return {10, 16};
    case DataType::kBfloat16:
      return {7, 16};
    case DataType::kFloat64:
    case DataType::kComplex128:
      return {52, 64};
    default:
      return {23, 32};
  }
}

bool number_stands_for(const FloatFormat& format, std::uint64_t found, std::uint64_t expected,
                       const cases::Leeway& leeway) {
  if (found == expected) return true;
  if (format.is_nan(expected))
    return (leeway.any_nan && format.is_nan(found)) ||
           (leeway.quiet_nan && found == (expected | format.quiet_bit()));
  return leeway.either_zero && ((found | expected) & ~format.sign()) == 0;
}

}  // namespace

bool stands_for(DataType type, const std::byte* found, const std::byte* expected,
                const cases::Leeway& leeway) {
  const DataTypeKind kind = opconform::kind(type);
  if (kind == DataTypeKind::kBool)
    return leeway.one_for_true && *found == std::byte{1} && *expected != std::byte{0};
  if (kind != DataTypeKind::kFloat && kind != DataTypeKind::kComplex) return false;
  const FloatFormat format = format_of(type);
  const std::size_t part_bytes = format.bits / 8;
  for (std::size_t at = 0; at < element_size_bytes(type); at += part_bytes) {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::memcpy(&a, found + at, part_bytes);
    std::memcpy(&b, expected + at, part_bytes);
    if (!number_stands_for(format, a, b, leeway)) return false;
  }
  return true;
}

}  // namespace opconform::judging
