// Conditions on cases: what may be said of a topic's values, in which words, and how plain they
// are.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/diagnosis/traits.h"

namespace opconform::diagnosis {

enum class Relation : std::uint8_t { kIs, kAtLeast, kAtMost };

/// Holds for a case that has a trait of that topic and subject with a fitting value.
struct Condition {
  Topic topic;
  Subject subject;
  Relation relation;
  std::vector<std::int64_t> values;  ///< one; of kIs also a few, any of which fits

  [[nodiscard]] bool fits(std::int64_t value) const;
  /// "some InputWindowStrides[i] < 0"
  [[nodiscard]] std::string text() const;
  friend auto operator<=>(const Condition&, const Condition&) = default;
};

// What may be said of a topic's values.
inline constexpr unsigned kSayIs = 1;
inline constexpr unsigned kSayOneOf = 2;
inline constexpr unsigned kSaySmall = 4;  ///< that it is 0 or 1
inline constexpr unsigned kSayAtLeast = 8;
inline constexpr unsigned kSayAtMost = 16;
inline constexpr unsigned kSayNegative = 32;  ///< at most a number below 0

struct TopicWords {
  Topic topic;
  std::string_view pattern;  ///< "$" is the subject, "#" relation and value, "%" the value alone
  unsigned sayings;
  unsigned cost;  ///< by how many thousandths a description must be better to be worth the words
};
[[nodiscard]] const TopicWords& words_of(Topic topic);

}  // namespace opconform::diagnosis
