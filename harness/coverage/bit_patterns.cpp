#include "harness/coverage/bit_patterns.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "harness/base/layout.h"

namespace opconform::coverage {
namespace {

enum FloatPattern : std::size_t {
  kMinusZero,
  kDenormal,
  kInfinity,
  kQuietNan,
  kNanPayload,
  kSignallingNan
};
constexpr std::array<std::string_view, 6> kFloatPatterns{
    "-0", "denormal", "infinity", "quiet NaN", "NaN payload", "signalling NaN"};
constexpr std::array<std::string_view, 4> kSignedPatterns{"0", "-1", "minimum", "maximum"};
constexpr std::array<std::string_view, 3> kUnsignedPatterns{"0", "maximum", "highest bit"};
constexpr std::array<std::string_view, 3> kBoolPatterns{"0", "1", "odd"};
constexpr std::array<std::string_view, 3> kStringPatterns{"empty", "up to 15 bytes",
                                                          "16 bytes or more"};

constexpr ClassSet when(bool condition, std::size_t pattern) {
  return static_cast<ClassSet>(condition) << pattern;
}

template <class Bits, unsigned kMantissaBits>
struct FloatScan {
  using Element = Bits;
  static ClassSet patterns(Bits bits) {
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    constexpr Bits kInf = static_cast<Bits>((kSign - 1) & ~((Bits{1} << kMantissaBits) - 1));
    constexpr Bits kQuiet = static_cast<Bits>(Bits{1} << (kMantissaBits - 1));
    constexpr Bits kLeastNormal = static_cast<Bits>(Bits{1} << kMantissaBits);
    const Bits magnitude = static_cast<Bits>(bits & ~kSign);
    ClassSet found = when(bits == kSign, kMinusZero) | when(magnitude == kInf, kInfinity) |
                     when(magnitude != 0 && magnitude < kLeastNormal, kDenormal);
    if (magnitude > kInf)
      found |= (magnitude & kQuiet) == 0      ? bit_of(kSignallingNan)
               : magnitude == (kInf | kQuiet) ? bit_of(kQuietNan)
                                              : bit_of(kNanPayload);
    return found;
  }
};
template <class Bits>
struct SignedScan {
  using Element = Bits;
  static ClassSet patterns(Bits bits) {
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    return when(bits == 0, 0) | when(bits == static_cast<Bits>(~Bits{0}), 1) |
           when(bits == kSign, 2) | when(bits == static_cast<Bits>(kSign - 1), 3);
  }
};
template <class Bits>
struct UnsignedScan {
  using Element = Bits;
  static ClassSet patterns(Bits bits) {
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    return when(bits == 0, 0) | when(bits == static_cast<Bits>(~Bits{0}), 1) |
           when((bits & kSign) != 0, 2);
  }
};
struct BoolScan {
  using Element = std::uint8_t;
  static ClassSet patterns(std::uint8_t bits) {
    return when(bits == 0, 0) | when(bits == 1, 1) | when(bits > 1, 2);
  }
};
struct StringScan {
  using Element = StringElement;
  static ClassSet patterns(const StringElement& view) {
    return bit_of(view.size_bytes == 0 ? 0U : view.size_bytes < 16 ? 1U : 2U);
  }
};

template <class Scan>
ClassSet scan_row(const std::byte* first, std::uint64_t count, std::uint64_t stride) {
  using Element = typename Scan::Element;
  ClassSet found = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Element element;
    std::memcpy(&element, first + i * stride * sizeof element, sizeof element);
    found |= Scan::patterns(element);
  }
  return found;
}

/// Calls `f(offset, count, stride)` for rows that make up the tensor, which must repeat nothing.
template <class F>
void for_each_row(const TensorDesc& tensor, F&& f) {
  const Dims& strides = *tensor.strides;
  const auto longest = static_cast<std::size_t>(
      std::max_element(tensor.sizes.begin(), tensor.sizes.end()) - tensor.sizes.begin());
  Dims at(tensor.rank());
  std::uint64_t offset = 0;
  for (;;) {
    f(offset, tensor.sizes[longest], strides[longest]);
    std::size_t i = tensor.rank();
    while (i-- > 0) {
      if (i == longest) continue;
      offset += strides[i];
      if (++at[i] < tensor.sizes[i]) break;
      offset -= at[i] * strides[i];
      at[i] = 0;
    }
    if (i == static_cast<std::size_t>(-1)) return;
  }
}

/// `parts` are the scanned elements that make up one of the tensor's: 2 for complex numbers.
template <class Scan>
ClassSet scan(const TensorDesc& tensor, ClassSet layout, const std::byte* buffer,
              std::uint64_t parts = 1) {
  constexpr std::size_t kWidth = sizeof(typename Scan::Element);
  ClassSet found = 0;
  if ((layout & bit_of(generation::LayoutClass::kOverlapping)) != 0) {
    base::for_each_address(tensor, [&](std::uint64_t offset) {
      found |= scan_row<Scan>(buffer + offset * parts * kWidth, parts, 1);
    });
  } else if ((layout & bit_of(generation::LayoutClass::kPadded)) != 0) {
    for_each_row(base::without_repetition(tensor), [&](auto offset, auto count, auto stride) {
      for (std::uint64_t part = 0; part < parts; ++part)
        found |= scan_row<Scan>(buffer + (offset * parts + part) * kWidth, count, stride * parts);
    });
  } else {
    // Neither gaps nor overlaps: the elements are the buffer, whatever their order.
    found = scan_row<Scan>(buffer, extent_elements(tensor).value_or(0) * parts, 1);
  }
  return found;
}

}  // namespace

std::span<const std::string_view> bit_pattern_names(DataTypeKind kind) {
  switch (kind) {
    case DataTypeKind::kFloat:
    case DataTypeKind::kComplex:
      return kFloatPatterns;
    case DataTypeKind::kSigned:
      return kSignedPatterns;
    case DataTypeKind::kUnsigned:
      return kUnsignedPatterns;
    case DataTypeKind::kBool:
      return kBoolPatterns;
    case DataTypeKind::kString:
      return kStringPatterns;
  }
  return {};
}

ClassSet bit_patterns(const TensorDesc& tensor, ClassSet layout,
                      std::span<const std::byte> buffer) {
  const std::byte* const start = buffer.data();
  switch (tensor.data_type) {
    case DataType::kFloat64:
      return scan<FloatScan<std::uint64_t, 52>>(tensor, layout, start);
    case DataType::kFloat32:
      return scan<FloatScan<std::uint32_t, 23>>(tensor, layout, start);
    case DataType::kFloat16:
      return scan<FloatScan<std::uint16_t, 10>>(tensor, layout, start);
    case DataType::kBfloat16:
      return scan<FloatScan<std::uint16_t, 7>>(tensor, layout, start);
    case DataType::kComplex64:
      return scan<FloatScan<std::uint32_t, 23>>(tensor, layout, start, 2);
    case DataType::kComplex128:
      return scan<FloatScan<std::uint64_t, 52>>(tensor, layout, start, 2);
    case DataType::kInt64:
      return scan<SignedScan<std::uint64_t>>(tensor, layout, start);
    case DataType::kInt32:
      return scan<SignedScan<std::uint32_t>>(tensor, layout, start);
    case DataType::kInt16:
      return scan<SignedScan<std::uint16_t>>(tensor, layout, start);
    case DataType::kInt8:
      return scan<SignedScan<std::uint8_t>>(tensor, layout, start);
    case DataType::kUint64:
      return scan<UnsignedScan<std::uint64_t>>(tensor, layout, start);
    case DataType::kUint32:
      return scan<UnsignedScan<std::uint32_t>>(tensor, layout, start);
    case DataType::kUint16:
      return scan<UnsignedScan<std::uint16_t>>(tensor, layout, start);
    case DataType::kUint8:
      return scan<UnsignedScan<std::uint8_t>>(tensor, layout, start);
    case DataType::kBool:
      return scan<BoolScan>(tensor, layout, start);
    case DataType::kString:
      return scan<StringScan>(tensor, layout, start);
  }
  return 0;
}

bool are_fragile(DataTypeKind kind, ClassSet patterns) {
  switch (kind) {
    case DataTypeKind::kFloat:
    case DataTypeKind::kComplex:
      return (patterns & (bit_of(kMinusZero) | bit_of(kDenormal) | bit_of(kNanPayload) |
                          bit_of(kSignallingNan))) != 0;
    case DataTypeKind::kBool:
      return (patterns & bit_of(2U)) != 0;
    default:
      return false;
  }
}

}  // namespace opconform::coverage
