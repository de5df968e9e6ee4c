// Elements whose bits do not arrive as they left.

#include <algorithm>
#include <cstring>

#include "planted/registry.h"
#include "spec/float_format.h"

namespace opconform::planted {
namespace {

/// Elements of up to 8 bytes for which `applies` pass through `change`, which gets their bits.
template <class Applies, class Change>
void change_bits(Seams& seams, Applies applies, Change change) {
  seams.copy = [applies, change](DataType type, std::byte* to, const std::byte* from) {
    if (!applies(type)) return copy_element(type, to, from);
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, element_size_bytes(type));
    bits = change(type, bits);
    std::memcpy(to, &bits, element_size_bytes(type));
  };
}
bool is_ieee(DataType type) {
  return kind(type) == DataTypeKind::kFloat && type != DataType::kBfloat16;
}
template <class Change>
void change_floats(Seams& seams, Change change) {
  change_bits(seams, is_ieee, [change](DataType type, std::uint64_t bits) {
    return change(float_format(type), bits);
  });
}
/// Elements of one type pass through another, as values.
template <class Element, class Through>
void convert(Seams& seams, DataType converted) {
  change_bits(
      seams, [converted](DataType type) { return type == converted; },
      [](DataType, std::uint64_t bits) {
        Element element{};
        std::memcpy(&element, &bits, sizeof element);
        const auto there = static_cast<Through>(element);
        // Beyond the range of the integer, the conversion back is not defined.
        constexpr auto kLimit = static_cast<Through>(std::uint64_t{1} << (sizeof(Element) * 8 - 2));
        if (there >= -kLimit && there <= kLimit) element = static_cast<Element>(there);
        std::memcpy(&bits, &element, sizeof element);
        return bits;
      });
}
bool has_8_bytes(DataType type) { return element_size_bytes(type) == 8; }

constexpr Row kElementBugs[] = {
    {"nan-quietened",
     "makes signalling NaNs quiet: elements loaded into x87 registers or through an identity "
     "multiplication",
     kAll, "tensor.bits-preserved",
     [](Seams& s) {
       change_floats(s, [](const FloatFormat& f, std::uint64_t bits) {
         return f.is_nan(bits) ? bits | f.quiet_bit() : bits;
       });
     }},
    {"nan-payload-lost",
     "makes every NaN the canonical one: arithmetic on RISC-V and in WebAssembly", kAll,
     "tensor.bits-preserved",
     [](Seams& s) {
       change_floats(s, [](const FloatFormat& f, std::uint64_t bits) {
         return f.is_nan(bits) ? f.infinity() | f.quiet_bit() : bits;
       });
     }},
    {"minus-zero-lost", "makes -0 +0: elements that are added to 0", kAll, "tensor.bits-preserved",
     [](Seams& s) {
       change_floats(
           s, [](const FloatFormat& f, std::uint64_t bits) { return bits == f.sign() ? 0 : bits; });
     }},
    {"denormals-flushed", "makes denormals 0: a GPU or FTZ mode in which elements are floats", kAll,
     "tensor.bits-preserved",
     [](Seams& s) {
       change_floats(s, [](const FloatFormat& f, std::uint64_t bits) {
         return (bits & f.infinity()) == 0 ? bits & f.sign() : bits;
       });
     }},
    {"half-as-bfloat16", "reads float16 and stores bfloat16: both are called half somewhere", kAll,
     "tensor.bits-preserved",
     [](Seams& s) {
       change_bits(
           s, [](DataType type) { return type == DataType::kFloat16; },
           [](DataType, std::uint64_t bits) {
             // By exponent and the upper seven fraction bits; special values stay special.
             const std::uint64_t exponent = bits >> 10 & 0x1F;
             const std::uint64_t wide = exponent == 0 ? 0 : exponent == 31 ? 255 : exponent + 112;
             return (bits & 0x8000) | wide << 7 | (bits >> 3 & 0x7F);
           });
     }},
    {"double-through-float",
     "moves FLOAT64 as FLOAT32: devices without doubles (DirectML before feature level 4_1)", kAll,
     "tensor.bits-preserved",
     [](Seams& s) {
       change_bits(
           s, [](DataType type) { return type == DataType::kFloat64; },
           [](DataType, std::uint64_t bits) { return bits & ~std::uint64_t{0x1FFFFFFF}; });
     }},
    {"float32-through-half",
     "keeps 11 significant bits of FLOAT32: storage as halves (MNN 2562, where 4047 became 4048)",
     kAll, "tensor.bits-preserved",
     [](Seams& s) {
       change_bits(
           s, [](DataType type) { return type == DataType::kFloat32; },
           [](DataType, std::uint64_t bits) { return bits & ~std::uint64_t{0x1FFF}; });
     }},
    {"int64-through-double", "moves 64-bit integers as doubles, which count to 2^53: JavaScript",
     kAll, "tensor.bits-preserved",
     [](Seams& s) { convert<std::int64_t, double>(s, DataType::kInt64); }},
    {"int32-through-float", "moves INT32 as FLOAT32, which counts to 2^24: WebGL textures", kAll,
     "tensor.bits-preserved", [](Seams& s) { convert<std::int32_t, float>(s, DataType::kInt32); }},
    {"uint8-saturates-at-127", "moves UINT8 as INT8 with saturation: NPUs with signed bytes only",
     kAll, "tensor.bits-preserved",
     [](Seams& s) {
       change_bits(
           s, [](DataType type) { return type == DataType::kUint8; },
           [](DataType, std::uint64_t bits) { return std::min<std::uint64_t>(bits, 127); });
     }},
    {"64-bit-halves-swapped", "moves 8-byte elements as two halves, the upper one first", kAll,
     "tensor.bits-preserved",
     [](Seams& s) {
       change_bits(s, has_8_bytes,
                   [](DataType, std::uint64_t bits) { return bits << 32 | bits >> 32; });
     }},
    {"64-bit-low-half-only",
     "moves the low half of 8-byte elements and leaves the other as it stood: 64-bit tensors "
     "emulated with doubled strides (ORT and TensorFlow on DirectML)",
     kAll, "tensor.bits-preserved",
     [](Seams& s) {
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         std::memcpy(to, from, has_8_bytes(type) ? 4 : element_size_bytes(type));
       };
     }},
    {"uint64-loses-top-bit", "moves UINT64 as INT64 without a sign: 2^63 arrives as 0", kAll,
     "tensor.bits-preserved",
     [](Seams& s) {
       change_bits(
           s, [](DataType type) { return type == DataType::kUint64; },
           [](DataType, std::uint64_t bits) { return bits & ~(std::uint64_t{1} << 63); });
     }},
    {"bool-normalised", "makes every bool that is not 0 a 1", kOnly<OnnxGather>,
     "tensor.bits-preserved",
     [](Seams& s) {
       change_bits(
           s, [](DataType type) { return type == DataType::kBool; },
           [](DataType, std::uint64_t bits) { return bits != 0 ? std::uint64_t{1} : 0; });
     }},
    {"imaginary-part-lost", "moves the real part of complex elements alone", kOnly<OnnxGather>,
     "tensor.bits-preserved",
     [](Seams& s) {
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         copy_element(type, to, from);
         const std::size_t half = element_size_bytes(type) / 2;
         if (kind(type) == DataTypeKind::kComplex) std::memset(to + half, 0, half);
       };
     }},
    {"complex-parts-swapped", "gives the imaginary part first: interleaving undone the wrong way",
     kOnly<OnnxGather>, "tensor.bits-preserved",
     [](Seams& s) {
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         copy_element(type, to, from);
         const std::size_t half = element_size_bytes(type) / 2;
         if (kind(type) == DataTypeKind::kComplex) std::rotate(to, to + half, to + 2 * half);
       };
     }},
    {"strings-copied-shallowly",
     "gives views of a string that changes afterwards: one scratch string for all elements",
     kOnly<OnnxGather>, "tensor.bits-preserved",
     [](Seams& s) {
       static thread_local std::array<char, 64> scratch;  // threads may share the backend
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         copy_element(type, to, from);
         StringElement element{};
         if (type != DataType::kString) return;
         std::memcpy(&element, from, sizeof element);
         if (element.bytes == nullptr || element.size_bytes > scratch.size()) return;
         std::copy_n(element.bytes, element.size_bytes, scratch.data());
         element.bytes = scratch.data();
         std::memcpy(to, &element, sizeof element);
       };
     }},
    {"string-ends-at-nul", "ends a string at its first NUL: copies by strcpy", kOnly<OnnxGather>,
     "tensor.bits-preserved",
     [](Seams& s) {
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         copy_element(type, to, from);
         StringElement element{};
         if (type != DataType::kString) return;
         std::memcpy(&element, from, sizeof element);
         if (element.bytes != nullptr)
           element.size_bytes = ::strnlen(element.bytes, element.size_bytes);
         std::memcpy(to, &element, sizeof element);
       };
     }},
};

}  // namespace

Rows element_bugs() { return kElementBugs; }

}  // namespace opconform::planted
