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

namespace opconform::judging {

struct ObservedInput;
struct ObservedOutput;

struct ChoiceText {
  std::string_view rule;
  std::string_view name;
};
/// What can be chosen: first what operators leave open, one after the other in the order of
/// spec/operators.def, then what tensors do.
[[nodiscard]] std::span<const ChoiceText> all_choices();

/// A choice, by its place in all_choices().
enum class Choice : std::uint8_t {};
[[nodiscard]] const ChoiceText& text(Choice choice);
/// Nothing where no rule leaves that open.
[[nodiscard]] std::optional<Choice> parse_choice(std::string_view rule, std::string_view name);

/// How many cases show each choice, by its place. Larger than all_choices(), whose size only the
/// operators know: processes share it.
inline constexpr std::size_t kMostChoices = 64;
using ChoiceCounts = std::array<std::uint64_t, kMostChoices>;
constexpr std::uint64_t& count_of(Choice choice, ChoiceCounts& counts) {
  return counts[static_cast<std::size_t>(choice)];
}

/// What an execution that conforms shows: at most one choice a rule, in the order of Choice. Where
/// the outputs would be the same either way, none.
[[nodiscard]] std::vector<Choice> choices_made(const Operator& op, Version version,
                                               std::span<const ObservedInput> inputs,
                                               std::span<const ObservedOutput> outputs,
                                               bool failed);

/// An execution that conforms.
struct Conforming {
  Version version;
  std::span<const ObservedInput> inputs;
  std::span<const ObservedOutput> outputs;
  bool failed;
};
/// The place of a choice among those of one operator.
using OwnChoice = std::optional<std::size_t>;

// For each operator, in operators/OPERATOR.cpp:
//   choices      what can be made of what its document leaves open; empty where that is nothing
//   choice_made  what an execution shows of that
#define OPCONFORM_OPERATOR(file, Type, prefix)                   \
  std::span<const ChoiceText> choices(std::type_identity<Type>); \
  OwnChoice choice_made(const Type& op, const Conforming& execution);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::judging
