// The classes that cases fall into, with their names: what generators draw, and what coverage reads
// off a case again.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace opconform::generation {

/// What the values of a generated case hold. Gaps hold other bytes than elements do.
enum class FillKind : std::uint8_t {
  kDistinct,   ///< every place another value, as far as the width allows
  kRandom,     ///< any bits
  kSpecial,    ///< NaN payloads, signalling NaNs, -0, denormals, extreme integers, odd bools
  kFewValues,  ///< two values: a wrong index shows only where they differ
};
inline constexpr std::array<std::string_view, 4> kFillKindNames{"distinct", "random", "special",
                                                                "few-values"};

/// What the indices of a generated case are.
enum class IndexClass : std::uint8_t {
  kDistinct,     ///< no two along the axis name one element
  kDuplicate,    ///< some do
  kNegative,     ///< all counted from the end
  kMixedSign,    ///< both kinds, the same element under both names among them
  kEdges,        ///< the first and the last element, and -1 and -size where negatives go
  kJustOutside,  ///< one index is size or -size - 1
  kFarOutside,   ///< one index is far off: 2^32 + k, the smallest or largest of its type
};
inline constexpr std::array<std::string_view, 7> kIndexClassNames{
    "distinct", "duplicate", "negative", "mixed-sign", "edges", "just-outside", "far-outside"};

/// How long the dimension at the centre of things is: around the widths of vectors.
inline constexpr std::array<std::string_view, 5> kSizeClassNames{"1", "2-4", "5-15", "16-33",
                                                                 "34-96"};
inline constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, 5> kSizeClasses{
    {{1, 1}, {2, 4}, {5, 15}, {16, 33}, {34, 96}}};

/// How many bytes the largest tensor of a case may have: up to the bounds of caches, where blocks,
/// strips, threads and narrow counters end. Those of the first tier are far smaller, because many
/// small cases show more than a few large ones.
enum class SizeTier : std::uint8_t { kSmall, kFirstCache, kSecondCache, kThirdCache, kMemory };
inline constexpr std::string_view kTierFactor = "size tier";
inline constexpr std::array<std::string_view, 5> kSizeTierNames{"small", "32 KiB", "1 MiB",
                                                                "32 MiB", "128 MiB"};
inline constexpr std::array<std::uint64_t, 5> kMostBytesOfTier{
    std::uint64_t{1} << 12, std::uint64_t{1} << 15, std::uint64_t{1} << 20, std::uint64_t{1} << 25,
    std::uint64_t{1} << 27};

enum class LayoutClass : std::uint8_t {
  kPacked,       ///< strides left out
  kExplicit,     ///< the packed strides, given
  kPermuted,     ///< packed in another order of dimensions
  kPadded,       ///< gaps between rows or elements
  kAbsurd,       ///< dimensions of size 1 have any stride
  kBroadcast,    ///< inputs only: a stride of 0 on a size above 1, where there is one
  kOverlapping,  ///< inputs only: elements share addresses without a stride of 0
};
inline constexpr std::array<std::string_view, 7> kLayoutNames{
    "packed", "explicit", "permuted", "padded", "absurd", "broadcast", "overlapping"};
inline constexpr std::array kInputOnlyLayouts{LayoutClass::kBroadcast, LayoutClass::kOverlapping};

/// How an axis that may be left out, or be negative, is given.
enum class AxisForm : std::uint8_t { kLeftOut, kFromFront, kFromBack };
inline constexpr std::array<std::string_view, 3> kAxisFormNames{"left out", "from front",
                                                                "from back"};

}  // namespace opconform::generation
