// The values of traits that are no numbers. Their names stand in trait_values.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/diagnosis/traits.h"

namespace opconform::diagnosis {

/// Of kFamily.
enum class Family : std::uint8_t { kDirectml, kOnnx, kIndexed, kWithAxis, kWithWindows, kOfParts };

/// Of kStanding: what is due.
enum class Standing : std::uint8_t {
  kValid,
  kRejected,
  kResultDue,
  kElementsDue,  ///< a result that is neither empty nor left open
  kOpen,         ///< any result conforms
  kErrorDue,
  kErrorPermitted,
};

/// Of kIndexShape: behind generation::IndexClass.
enum class IndexShape : std::uint8_t {
  kSomeNegative = 7,
  kOutside,
  kOnlyNegative,  ///< an element that negative indices alone name
  kMinusSize,
  kSize,
  kBelowMinusSize,
  kMinusOne,
  kUnequalRows,
};

/// Of kAxisPlace.
enum class AxisPlace : std::uint8_t {
  kNotInTheMiddle,
  kLongerThanFirst,
  kShorterThanFirst,
  kOtherSizeThanFirst,
  kEqualsRank,
  kInRangeIn8Bits,
};

/// Of kWindowShape and its like: of a window in one dimension.
enum class WindowShape : std::uint8_t {
  kUnequal,
  kBehindStart,
  kAtEnd,
  kBehindStartAtEnd,
  kBeforeEnd,
  kPartial,
  kRest,
  kNotReached,
  kOutputTakesRest,
};

/// Of kParts: of an array of tensors, which divide an axis.
enum class PartsShape : std::uint8_t {
  kUnequal,
  kUnequalBeside,
  kUnequalLayouts,
  kOtherAxisStride,
  kTwoAlike,
  kLess,
  kMore,
};

/// Of kShape: of a tensor.
enum class Shape : std::uint8_t {
  kScalar,
  kEmpty,
  kOneSizes,  ///< a dimension of size 1
  kPacked,
  kStridesGiven,
  kNotPacked,        ///< in memory, dimensions of size 1 apart
  kTransposed,       ///< packed in another order of dimensions
  kInnermostStride,  ///< is not 1
  kRowsApart,        ///< further than they are long
  kRowsPadded,       ///< and without gaps in them
  kInterleaved,
  kShared,        ///< places that elements share
  kAsManyPlaces,  ///< as elements, or more, though some share one
  kFewerPlaces,   ///< than elements
  kSlack,
  kFitsPacked,      ///< the buffer is too small for the layout alone
  kFitsUnrounded,   ///< for the rounding alone
  kLastGapMissing,  ///< the buffer ends before the gap behind the last row does
};

/// Of kPair: how a tensor is to another.
enum class Pair : std::uint8_t {
  kSameType,
  kOtherType,
  kOtherRank,
  kSmaller,  ///< in some dimension, as is the next; of operators without an axis
  kLarger,
  kShorterAxis,
  kLongerAxis,
  kSameBesideAxis,  ///< sizes
  kSmallerBesideAxis,
  kLargerBesideAxis,
  kSameStrides,
  kOtherStrides,
};
/// `is_array` where the other is an array of tensors, whose first is meant.
[[nodiscard]] constexpr std::int64_t pair_value(Pair pair, Subject other, bool is_array) {
  return static_cast<std::int64_t>(pair) * 256 + (is_array ? 128 : 0) + other;
}

/// Of kDataType and kIndexType: dialects have names of their own.
[[nodiscard]] constexpr std::int64_t type_value(DataType type, Dialect dialect) {
  return static_cast<std::int64_t>(type) +
         (dialect == Dialect::kOnnx ? std::int64_t{kDataTypeCount} : 0);
}
/// Of kKindAndWidth, kPattern and kExpectedPattern: a kind, and its bytes or a pattern.
[[nodiscard]] constexpr std::int64_t kind_value(DataTypeKind kind, std::size_t other) {
  return static_cast<std::int64_t>(kind) * 256 + static_cast<std::int64_t>(other);
}

/// The name of a topic's value; empty where it is a plain number.
[[nodiscard]] std::string name_of_value(Topic topic, std::int64_t value);

}  // namespace opconform::diagnosis
