// Elements whose bits do not arrive as they left.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Seams;

/// Where sign, exponent and fraction of a floating-point type lie.
struct Format {
  unsigned width_bits = 0;  ///< 0: no such type
  unsigned fraction_bits = 0;

  [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (width_bits - 1); }
  [[nodiscard]] std::uint64_t fraction() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  [[nodiscard]] std::uint64_t exponent() const { return (sign() - 1) & ~fraction(); }
  [[nodiscard]] bool is_nan(std::uint64_t bits) const {
    return (bits & exponent()) == exponent() && (bits & fraction()) != 0;
  }
  [[nodiscard]] std::uint64_t quiet_bit() const { return std::uint64_t{1} << (fraction_bits - 1); }
};
/// Of a complex type: that of its two parts.
Format format_of(DataType type) {
  switch (type) {
    case DataType::kFloat64:
    case DataType::kComplex128:
      return {64, 52};
    case DataType::kFloat32:
    case DataType::kComplex64:
      return {32, 23};
    case DataType::kFloat16:
      return {16, 10};
    case DataType::kBfloat16:
      return {16, 7};
    default:
      return {};
  }
}

/// Each number of an element passes through `change`, which gets and gives its bits. A complex
/// element is two numbers.
template <class Change>
void change_numbers(Seams& seams, Change change) {
  seams.copy = [change](DataType type, std::byte* to, const std::byte* from) {
    const std::size_t size_bytes = element_size_bytes(type);
    const unsigned width_bits = format_of(type).width_bits;
    const std::size_t step =
        width_bits != 0 ? width_bits / 8 : std::min<std::size_t>(size_bytes, 8);
    std::array<std::byte, 16> changed{};
    for (std::size_t at = 0; at < size_bytes; at += step) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, from + at, step);
      bits = change(type, bits);
      std::memcpy(changed.data() + at, &bits, step);
    }
    std::memcpy(to, changed.data(), size_bytes);
  };
}
template <class Change>
void change_floats(Seams& seams, Change change) {
  change_numbers(seams, [change](DataType type, std::uint64_t bits) {
    const Format format = format_of(type);
    return format.width_bits == 0 ? bits : change(format, bits);
  });
}
template <class Change>
void change_bytes(Seams& seams, Change change) {
  seams.copy = [change](DataType type, std::byte* to, const std::byte* from) {
    const std::size_t size_bytes = element_size_bytes(type);
    std::array<std::byte, 16> old{};
    std::memcpy(old.data(), from, size_bytes);
    change(to, old.data(), size_bytes);
  };
}

/// Numbers of type `own` pass through `Through`, as values.
template <class Number, class Through>
std::uint64_t through(std::uint64_t bits) {
  Number number{};
  std::memcpy(&number, &bits, sizeof number);
  constexpr auto kMost = static_cast<long double>(std::numeric_limits<Number>::max());
  constexpr auto kLeast = static_cast<long double>(std::numeric_limits<Number>::lowest());
  const auto value = static_cast<long double>(static_cast<Through>(number));
  if constexpr (std::is_integral_v<Number>)
    number = value >= kMost    ? std::numeric_limits<Number>::max()
             : value <= kLeast ? std::numeric_limits<Number>::lowest()
                               : static_cast<Number>(value);
  else
    number = static_cast<Number>(static_cast<Through>(number));
  bits = 0;
  std::memcpy(&bits, &number, sizeof number);
  return bits;
}
template <class Through>
std::uint64_t through_of(DataType type, std::uint64_t bits) {
  switch (type) {
    case DataType::kFloat64:
      return through<double, Through>(bits);
    case DataType::kInt64:
      return through<std::int64_t, Through>(bits);
    case DataType::kUint64:
      return through<std::uint64_t, Through>(bits);
    case DataType::kInt32:
      return through<std::int32_t, Through>(bits);
    case DataType::kUint32:
      return through<std::uint32_t, Through>(bits);
    default:
      return bits;
  }
}

constexpr Reading kElementReadings[] = {
    {"nan-quietened", "tensor.bits-preserved", "makes signalling NaNs quiet",
     [](Seams& s) {
       change_floats(s, [](const Format& f, std::uint64_t bits) {
         return f.is_nan(bits) ? bits | f.quiet_bit() : bits;
       });
     }},
    {"nan-canonical", "tensor.bits-preserved", "gives every NaN the same bits, without a sign",
     [](Seams& s) {
       change_floats(s, [](const Format& f, std::uint64_t bits) {
         return f.is_nan(bits) ? f.exponent() | f.quiet_bit() : bits;
       });
     }},
    {"nan-payload-lost", "tensor.bits-preserved", "keeps of a NaN only its sign",
     [](Seams& s) {
       change_floats(s, [](const Format& f, std::uint64_t bits) {
         return f.is_nan(bits) ? (bits & f.sign()) | f.exponent() | f.quiet_bit() : bits;
       });
     }},
    {"minus-zero-lost", "tensor.bits-preserved", "makes -0 a 0",
     [](Seams& s) {
       change_floats(
           s, [](const Format& f, std::uint64_t bits) { return bits == f.sign() ? 0 : bits; });
     }},
    {"denormals-flushed", "tensor.bits-preserved", "makes denormal numbers 0 of their sign",
     [](Seams& s) {
       change_floats(s, [](const Format& f, std::uint64_t bits) {
         return (bits & f.exponent()) == 0 ? bits & f.sign() : bits;
       });
     }},
    {"denormals-zeroed", "tensor.bits-preserved", "makes denormal numbers 0",
     [](Seams& s) {
       change_floats(s, [](const Format& f, std::uint64_t bits) {
         return (bits & f.exponent()) == 0 && (bits & f.fraction()) != 0 ? 0 : bits;
       });
     }},
    {"float16-as-bfloat16", "tensor.bits-preserved",
     "keeps of a 16-bit number as much as bfloat16 holds",
     [](Seams& s) {
       change_floats(s, [](const Format& f, std::uint64_t bits) {
         return f.width_bits == 16 && f.fraction_bits == 10 ? bits & ~std::uint64_t{7} : bits;
       });
     }},
    {"through-float32", "tensor.bits-preserved", "moves numbers as float32 values",
     [](Seams& s) { change_numbers(s, through_of<float>); }},
    {"integers-through-float64", "tensor.bits-preserved", "moves integers as float64 values",
     [](Seams& s) {
       change_numbers(s, [](DataType type, std::uint64_t bits) {
         return type == DataType::kFloat64 ? bits : through_of<double>(type, bits);
       });
     }},
    {"uint8-saturated", "tensor.bits-preserved", "holds a UINT8 in 7 bits: 127 at the most",
     [](Seams& s) {
       change_numbers(s, [](DataType type, std::uint64_t bits) {
         return type == DataType::kUint8 ? std::min<std::uint64_t>(bits, 127) : bits;
       });
     }},
    {"highest-bit-lost", "tensor.bits-preserved", "loses the highest bit of an unsigned integer",
     [](Seams& s) {
       change_numbers(s, [](DataType type, std::uint64_t bits) {
         const std::size_t width_bits = 8 * element_size_bytes(type);
         return kind(type) == DataTypeKind::kUnsigned
                    ? bits & ~(std::uint64_t{1} << (width_bits - 1))
                    : bits;
       });
     }},
    {"bool-normalised", "tensor.bits-preserved", "makes every bool that is not 0 a 1",
     [](Seams& s) {
       change_numbers(s, [](DataType type, std::uint64_t bits) {
         return type == DataType::kBool && bits != 0 ? 1 : bits;
       });
     }},
    {"halves-exchanged", "tensor.bits-preserved", "exchanges the halves of a 64-bit element",
     [](Seams& s) {
       change_bytes(s, [](std::byte* to, const std::byte* from, std::size_t size_bytes) {
         const std::size_t half = size_bytes == 8 ? 4 : 0;
         if (half == 0) return static_cast<void>(std::memcpy(to, from, size_bytes));
         std::memcpy(to, from + half, half);
         std::memcpy(to + half, from, half);
       });
     }},
    {"low-half-only", "tensor.bits-preserved", "writes zeros for the high half of a 64-bit element",
     [](Seams& s) {
       change_bytes(s, [](std::byte* to, const std::byte* from, std::size_t size_bytes) {
         std::memcpy(to, from, size_bytes);
         if (size_bytes == 8) std::memset(to + 4, 0, 4);
       });
     }},
    {"low-half-written", "tensor.bits-preserved",
     "leaves the high half of a 64-bit element unwritten",
     [](Seams& s) {
       change_bytes(s, [](std::byte* to, const std::byte* from, std::size_t size_bytes) {
         std::memcpy(to, from, size_bytes == 8 ? 4 : size_bytes);
       });
     }},
    {"low-half-sign-extended", "tensor.bits-preserved",
     "fills the high half of a 64-bit element with the sign of the low half",
     [](Seams& s) {
       change_bytes(s, [](std::byte* to, const std::byte* from, std::size_t size_bytes) {
         std::memcpy(to, from, size_bytes);
         if (size_bytes == 8)
           std::memset(to + 4, (std::to_integer<int>(from[3]) & 0x80) != 0 ? 0xFF : 0, 4);
       });
     }},
    {"imaginary-part-lost", "tensor.bits-preserved", "makes the imaginary part of an element 0",
     [](Seams& s) {
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         const std::size_t size_bytes = element_size_bytes(type);
         std::memcpy(to, from, size_bytes);
         if (kind(type) == DataTypeKind::kComplex)
           std::memset(to + size_bytes / 2, 0, size_bytes / 2);
       };
     }},
    {"complex-parts-exchanged", "tensor.bits-preserved",
     "exchanges the real and the imaginary part of an element",
     [](Seams& s) {
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         const std::size_t size_bytes = element_size_bytes(type);
         const std::size_t half = size_bytes / 2;
         if (kind(type) != DataTypeKind::kComplex) return model::copy_element(type, to, from);
         std::array<std::byte, 16> old{};
         std::memcpy(old.data(), from, size_bytes);
         std::memcpy(to, old.data() + half, half);
         std::memcpy(to + half, old.data(), half);
       };
     }},
    {"string-cut-at-nul", "tensor.bits-preserved", "ends a string at its first NUL",
     [](Seams& s) {
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         model::copy_element(type, to, from);
         StringElement view{};
         if (type != DataType::kString) return;
         std::memcpy(&view, from, sizeof view);
         if (view.bytes != nullptr) view.size_bytes = ::strnlen(view.bytes, view.size_bytes);
         std::memcpy(to, &view, sizeof view);
       };
     }},
    {"bytes-reversed", "tensor.bits-preserved", "reverses the bytes of an element",
     [](Seams& s) {
       change_bytes(s, [](std::byte* to, const std::byte* from, std::size_t size_bytes) {
         std::reverse_copy(from, from + size_bytes, to);
       });
     }},
};

}  // namespace

Readings element_readings() { return kElementReadings; }

}  // namespace opconform::diagnosis
