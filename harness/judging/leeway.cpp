#include "harness/judging/leeway.h"

#include <cstdint>
#include <cstring>

#include "harness/cases/float_format.h"

namespace opconform::judging {
namespace {

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
  const FloatFormat format = float_format(type);
  const auto part_bytes = static_cast<std::size_t>(format.width_bits()) / 8;
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
