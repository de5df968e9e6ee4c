// Bits of one data type that do not arrive as they left: what a comparison shows that forgives
// nothing in any of them.

#include <cstring>

#include "planted/registry.h"
#include "spec/float_format.h"

namespace opconform::planted {
namespace {

template <DataType kType>
constexpr FloatFormat kFormat = float_format(kType);

using Change = std::uint64_t (*)(const FloatFormat& format, std::uint64_t bits);

/// A NaN keeps its sign, and whether it is quiet.
std::uint64_t lose_payload(const FloatFormat& format, std::uint64_t bits) {
  const std::uint64_t quiet = format.quiet_bit();
  const std::uint64_t canonical = (bits & quiet) != 0 ? quiet : 1;
  return format.is_nan(bits) ? (bits & ~format.mantissa()) | canonical : bits;
}
std::uint64_t lose_sign_of_zero(const FloatFormat& format, std::uint64_t bits) {
  return bits == format.sign() ? 0 : bits;
}
std::uint64_t lose_denormals(const FloatFormat& format, std::uint64_t bits) {
  return (bits & format.infinity()) == 0 ? bits & format.sign() : bits;
}
/// Of finite numbers that are no denormals, the last bit: less than any tolerance of arithmetic.
std::uint64_t lose_last_bit(const FloatFormat& format, std::uint64_t bits) {
  const std::uint64_t exponent = bits & format.infinity();
  return exponent == 0 || exponent == format.infinity() ? bits : bits & ~std::uint64_t{1};
}

/// Elements of that type pass through the change: of complex ones, the imaginary part.
template <DataType kType, Change kChange>
void spoil(Seams& seams) {
  seams.copy = [](DataType type, std::byte* to, const std::byte* from) {
    copy_element(type, to, from);
    if (type != kType) return;
    constexpr std::size_t kBytes = kFormat<kType>.width_bits() / 8;
    std::byte* const part = to + element_size_bytes(type) - kBytes;
    std::uint64_t bits = 0;
    std::memcpy(&bits, part, kBytes);  // little endian: the low bytes
    bits = kChange(kFormat<kType>, bits);
    std::memcpy(part, &bits, kBytes);
  };
}

/// An integer that lacks its lowest bit, where it is too large for a tolerance to see that.
template <DataType kType>
void spoil_integer(Seams& seams) {
  seams.copy = [](DataType type, std::byte* to, const std::byte* from) {
    copy_element(type, to, from);
    const std::size_t width = element_size_bytes(type);
    const auto top = std::to_integer<unsigned>(to[width - 1]);
    if (type == kType && top >= 0x40 && top < 0xC0) to[0] &= std::byte{0xFE};
  };
}

// One row for each of a type's leniencies.
#define OPCONFORM_FLOAT_BITS(suffix, words, operators, type)                                       \
  {"nan-payload-lost-" suffix, "loses the payload of NaNs in " words ": conversions", operators,   \
   "tensor.bits-preserved", spoil<DataType::type, lose_payload>},                                  \
      {"minus-zero-lost-" suffix, "makes -0 +0 in " words ": sums that start at 0", operators,     \
       "tensor.bits-preserved", spoil<DataType::type, lose_sign_of_zero>},                         \
      {"denormals-lost-" suffix, "makes denormals 0 in " words ": arithmetic with FTZ", operators, \
       "tensor.bits-preserved", spoil<DataType::type, lose_denormals>},                            \
  {                                                                                                \
    "last-bit-lost-" suffix, "rounds away the last bit of " words ": conversions", operators,      \
        "tensor.bits-preserved", spoil<DataType::type, lose_last_bit>                              \
  }
#define OPCONFORM_INTEGER_BITS(suffix, words, type)                                               \
  {                                                                                               \
    "last-bit-lost-" suffix, "loses the lowest bit of large numbers of " words ": scaled floats", \
        kAll, "tensor.bits-preserved", spoil_integer<DataType::type>                              \
  }

constexpr Row kBitBugs[] = {
    OPCONFORM_FLOAT_BITS("float16", "FLOAT16", kAll, kFloat16),
    OPCONFORM_FLOAT_BITS("float32", "FLOAT32", kAll, kFloat32),
    OPCONFORM_FLOAT_BITS("float64", "FLOAT64", kAll, kFloat64),
    OPCONFORM_FLOAT_BITS("bfloat16", "bfloat16", kOnly<OnnxGather>, kBfloat16),
    OPCONFORM_FLOAT_BITS("complex64", "imaginary parts of complex64", kOnly<OnnxGather>,
                         kComplex64),
    OPCONFORM_FLOAT_BITS("complex128", "imaginary parts of complex128", kOnly<OnnxGather>,
                         kComplex128),
    OPCONFORM_INTEGER_BITS("int8", "INT8", kInt8),
    OPCONFORM_INTEGER_BITS("int16", "INT16", kInt16),
    OPCONFORM_INTEGER_BITS("int32", "INT32", kInt32),
    OPCONFORM_INTEGER_BITS("int64", "INT64", kInt64),
    OPCONFORM_INTEGER_BITS("uint8", "UINT8", kUint8),
    OPCONFORM_INTEGER_BITS("uint16", "UINT16", kUint16),
    OPCONFORM_INTEGER_BITS("uint32", "UINT32", kUint32),
    OPCONFORM_INTEGER_BITS("uint64", "UINT64", kUint64),
};

#undef OPCONFORM_FLOAT_BITS
#undef OPCONFORM_INTEGER_BITS

}  // namespace

Rows bit_bugs() { return kBitBugs; }

}  // namespace opconform::planted
