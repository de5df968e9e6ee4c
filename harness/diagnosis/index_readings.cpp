// Indices that become the wrong coordinate.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::PlacedIndex;
using model::Seams;
using Coordinate = std::optional<std::uint64_t>;

/// Every index passes through `change`, which gets its bits and says what is read instead.
template <class Change>
void change_indices(Seams& seams, Change change) {
  seams.read_index = [change](PlacedIndex& index) { index.bits = change(index); };
}
/// The coordinate that is right, or what `outside` makes of an index that has none.
template <class Outside>
void take_outside(Seams& seams, Outside outside) {
  seams.resolve = [right = seams.resolve, outside](const Execution& e, const PlacedIndex& index,
                                                   std::uint64_t size) -> Coordinate {
    const Coordinate coordinate = right(e, index, size);
    return coordinate || size == 0 ? coordinate : outside(index, size);
  };
}
/// What becomes of an index that counts from the end, and would be right.
template <class Negative>
void take_negative(Seams& seams, Negative negative) {
  seams.resolve = [right = seams.resolve, negative](const Execution& e, const PlacedIndex& index,
                                                    std::uint64_t size) -> Coordinate {
    const Coordinate coordinate = right(e, index, size);
    return coordinate && index.is_negative() ? negative(e, *coordinate, size) : coordinate;
  };
}

/// No element has it: it reads as zeros, and what is written there is lost.
constexpr std::uint64_t kNowhere = ~std::uint64_t{0} >> 8;

template <class Narrow>
std::uint64_t narrowed(const PlacedIndex& index) {
  if constexpr (std::is_signed_v<Narrow>)
    return static_cast<std::uint64_t>(
        std::int64_t{static_cast<Narrow>(static_cast<std::make_unsigned_t<Narrow>>(index.bits))});
  else
    return static_cast<Narrow>(index.bits);
}
/// Through a floating-point type that counts exactly up to 2^digits only.
template <int digits>
std::uint64_t rounded(const PlacedIndex& index) {
  const auto value = static_cast<double>(index.value());
  if (value == 0 || !std::isfinite(value)) return index.bits;
  const double step = std::exp2(std::max(0.0, std::floor(std::log2(std::abs(value))) - digits + 1));
  const double nearest = std::nearbyint(value / step) * step;
  if (nearest >= 0x1p63) return index.bits;  // no int64
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(nearest));
}

std::uint64_t last(std::uint64_t size) { return size - 1; }
std::uint64_t clamped(const PlacedIndex& index, std::uint64_t size) {
  return index.is_negative() ? 0 : last(size);
}

/// An index is in range where `bound` of the sizes of the first input says so. What that lets
/// through beyond the axis is lost.
template <class Bound>
void bound_by(Seams& seams, Bound bound) {
  seams.resolve = [right = seams.resolve, bound](const Execution& e, const PlacedIndex& index,
                                                 std::uint64_t size) -> Coordinate {
    const std::uint64_t most = bound(e.inputs[0].desc->sizes);
    const bool passes = index.is_negative() ? index.bits + most < most : index.bits < most;
    if (!passes) return std::nullopt;
    const Coordinate coordinate = right(e, index, size);
    return coordinate ? coordinate : Coordinate(kNowhere);
  };
}

constexpr Reading kIndexReadings[] = {
    // What a negative index means.
    {"negative-index-refused", ".negative-index", "takes a negative index for one out of range",
     [](Seams& s) {
       take_negative(s,
                     [](const Execution&, std::uint64_t, std::uint64_t) { return Coordinate(); });
     }},
    {"negative-index-as-0", ".negative-index", "takes a negative index for 0",
     [](Seams& s) {
       take_negative(s,
                     [](const Execution&, std::uint64_t, std::uint64_t) { return Coordinate(0); });
     }},
    {"negative-index-lost", ".negative-index",
     "reads zeros, or writes nothing, for a negative index",
     [](Seams& s) {
       take_negative(
           s, [](const Execution&, std::uint64_t, std::uint64_t) { return Coordinate(kNowhere); });
     },
     kBounded},
    {"negative-index-without-size", ".negative-index",
     "does not add the size to a negative index: reads what lies in front of the axis",
     [](Seams& s) {
       s.resolve = [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         const Coordinate right = model::resolve(index, size);
         return right && index.is_negative() ? Coordinate(index.bits) : right;
       };
     }},
    {"negative-index-off-by-one", ".negative-index",
     "takes -1 for the last but one element: size - 1 + index",
     [](Seams& s) {
       take_negative(s, [](const Execution&, std::uint64_t right, std::uint64_t size) {
         return Coordinate((right + size - 1) % size);
       });
     }},
    {"negative-index-of-first-dimension", ".negative-index",
     "counts a negative index from the end of the first dimension, not of the axis",
     [](Seams& s) {
       take_negative(s, [](const Execution& e, std::uint64_t right, std::uint64_t size) {
         return Coordinate(right - size + e.inputs[0].desc->sizes[0]);
       });
     }},
    {"negative-index-of-last-dimension", ".negative-index",
     "counts a negative index from the end of the last dimension, not of the axis",
     [](Seams& s) {
       take_negative(s, [](const Execution& e, std::uint64_t right, std::uint64_t size) {
         return Coordinate(right - size + e.inputs[0].desc->sizes.back());
       });
     }},
    {"least-negative-index-refused", ".negative-index",
     "takes the index -size, which is the first element, for one out of range",
     [](Seams& s) {
       take_negative(s, [](const Execution&, std::uint64_t right, std::uint64_t) {
         return right == 0 ? Coordinate() : Coordinate(right);
       });
     }},
    // How it is read.
    {"index-in-32-bits", ".index-range", "keeps the low 32 bits of an index",
     [](Seams& s) { change_indices(s, narrowed<std::int32_t>); }},
    {"index-low-half-unsigned", ".negative-index",
     "reads an index as its low 32 bits, without a sign",
     [](Seams& s) { change_indices(s, narrowed<std::uint32_t>); }},
    {"index-in-16-bits", kMovement, "keeps the low 16 bits of an index",
     [](Seams& s) { change_indices(s, narrowed<std::int16_t>); }},
    {"index-in-16-bits-unsigned", kMovement, "keeps the low 16 bits of an index, without a sign",
     [](Seams& s) { change_indices(s, narrowed<std::uint16_t>); }},
    {"index-in-8-bits", kMovement, "keeps the low 8 bits of an index",
     [](Seams& s) { change_indices(s, narrowed<std::int8_t>); }},
    {"index-in-8-bits-unsigned", kMovement, "keeps the low 8 bits of an index, without a sign",
     [](Seams& s) { change_indices(s, narrowed<std::uint8_t>); }},
    {"index-through-float16", kMovement,
     "holds indices as float16, which counts exactly up to 2048",
     [](Seams& s) { change_indices(s, rounded<11>); }},
    {"index-through-float32", kMovement,
     "holds indices as float32, which counts exactly up to 16,777,216",
     [](Seams& s) { change_indices(s, rounded<24>); }},
    {"index-without-sign", ".negative-index", "reads an index as unsigned",
     [](Seams& s) {
       s.resolve = [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         return index.bits < size ? Coordinate(index.bits) : std::nullopt;
       };
     }},
    {"index-off-by-one", kMovement, "counts indices from 1",
     [](Seams& s) { change_indices(s, [](const PlacedIndex& i) { return i.bits - 1; }); }},
    {"index-zero", kMovement, "takes every index for 0",
     [](Seams& s) { change_indices(s, [](const PlacedIndex&) { return std::uint64_t{0}; }); }},
    {"coordinate-in-16-bits", kMovement, "keeps 16 bits of an index that is in range",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) -> Coordinate {
         const Coordinate coordinate = right(e, index, size);
         return coordinate ? Coordinate(*coordinate & 0xFFFF) : coordinate;
       };
     }},
    // What is out of range.
    {"index-clamped", ".index-range", "clamps an index outside to the nearest element",
     [](Seams& s) {
       take_outside(s, [](const PlacedIndex& index, std::uint64_t size) {
         return Coordinate(clamped(index, size));
       });
     }},
    {"index-outside-lost", ".index-range", "reads zeros, or writes nothing, for an index outside",
     [](Seams& s) {
       take_outside(s, [](const PlacedIndex&, std::uint64_t) { return Coordinate(kNowhere); });
     },
     kBounded},
    {"index-outside-as-0", ".index-range", "takes an index outside for 0",
     [](Seams& s) {
       take_outside(s, [](const PlacedIndex&, std::uint64_t) { return Coordinate(0); });
     }},
    {"index-outside-as-last", ".index-range", "takes an index outside for the last element",
     [](Seams& s) {
       take_outside(s,
                    [](const PlacedIndex&, std::uint64_t size) { return Coordinate(last(size)); });
     }},
    {"index-modulo-size", ".index-range", "counts an index outside modulo the size",
     [](Seams& s) {
       take_outside(s, [](const PlacedIndex& index, std::uint64_t size) {
         const std::int64_t rest = index.is_signed()
                                       ? index.value() % static_cast<std::int64_t>(size)
                                       : static_cast<std::int64_t>(index.bits % size);
         return Coordinate(static_cast<std::uint64_t>(rest) + (rest < 0 ? size : 0));
       });
     }},
    {"negative-index-wrapped-twice", ".index-range",
     "adds the size to a negative index until it is in range",
     [](Seams& s) {
       take_outside(s, [](const PlacedIndex& index, std::uint64_t size) {
         if (!index.is_negative()) return Coordinate();
         const std::int64_t rest = index.value() % static_cast<std::int64_t>(size);
         return Coordinate(static_cast<std::uint64_t>(rest) + (rest < 0 ? size : 0));
       });
     }},
    {"index-bound-of-first-dimension", ".index-range",
     "compares an index with the size of the first dimension, not of the axis",
     [](Seams& s) { bound_by(s, [](const Dims& sizes) { return sizes[0]; }); }, kBounded},
    {"index-bound-of-last-dimension", ".index-range",
     "compares an index with the size of the last dimension, not of the axis",
     [](Seams& s) { bound_by(s, [](const Dims& sizes) { return sizes.back(); }); }, kBounded},
    {"index-size-accepted", ".index-range", "takes the index size for in range",
     [](Seams& s) {
       take_outside(s, [](const PlacedIndex& index, std::uint64_t size) {
         return index.bits == size ? Coordinate(size) : std::nullopt;
       });
     }},
    {"index-unchecked", ".index-range",
     "does not compare an index with the size: reads, or writes, what lies outside of the axis",
     [](Seams& s) {
       take_outside(s, [](const PlacedIndex& index, std::uint64_t size) {
         return Coordinate(index.is_negative() ? index.bits + size : index.bits);
       });
     }},
    {"indices-checked-while-writing", ".index-range",
     "has written elements by the time it finds an index outside",
     [](Seams& s) { s.checks_indices_first = false; }},
};

}  // namespace

Readings index_readings() { return kIndexReadings; }

}  // namespace opconform::diagnosis
