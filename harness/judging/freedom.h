// What an implementation made of what the documents leave open: for each rule of kind freedom, what
// can be done about it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "spec/operator.h"

namespace opconform::harness {

struct ObservedInput;
struct ObservedOutput;

enum class Choice : std::uint8_t {
  kFirstWrite,
  kLastWrite,
  kAnotherWrite,
  kWriteByElement,
  kIndexFails,
  kUpdateDropped,
  kIndexClamped,
  kIndexWrapped,
  kAnotherResult,
  kNegativeFails,
  kNegativeCountsBack,
  kGapsIntact,
  kGapsOverwritten,
};
struct ChoiceText {
  std::string_view rule;
  std::string_view name;
};
inline constexpr std::array kChoices{
    // In the order of Choice.
    ChoiceText{"scatter.overlap-any-winner", "first write"},
    ChoiceText{"scatter.overlap-any-winner", "last write"},
    ChoiceText{"scatter.overlap-any-winner", "another write"},
    ChoiceText{"scatter.overlap-any-winner", "differs from element to element"},
    ChoiceText{"scatter.index-range", "fails"},
    ChoiceText{"scatter.index-range", "as if the update were not there"},
    ChoiceText{"scatter.index-range", "clamped"},
    ChoiceText{"scatter.index-range", "counted modulo the size"},
    ChoiceText{"scatter.index-range", "another result"},
    ChoiceText{"gather.negative-index-v1", "fails"},
    ChoiceText{"gather.negative-index-v1", "counted from the end"},
    ChoiceText{"tensor.gaps-dont-care", "left intact"},
    ChoiceText{"tensor.gaps-dont-care", "overwritten"},
};

constexpr const ChoiceText& text(Choice choice) {
  return kChoices[static_cast<std::size_t>(choice)];
}
/// Nothing where no rule leaves that open.
[[nodiscard]] std::optional<Choice> parse_choice(std::string_view rule, std::string_view name);

/// How many cases show each choice.
using ChoiceCounts = std::array<std::uint64_t, kChoices.size()>;
constexpr std::uint64_t& count_of(Choice choice, ChoiceCounts& counts) {
  return counts[static_cast<std::size_t>(choice)];
}

/// What an execution that conforms shows: at most one choice a rule, in the order of Choice. Where
/// the outputs would be the same either way, none.
[[nodiscard]] std::vector<Choice> choices_made(const Operator& op, Version version,
                                               std::span<const ObservedInput> inputs,
                                               std::span<const ObservedOutput> outputs,
                                               bool failed);

}  // namespace opconform::harness
