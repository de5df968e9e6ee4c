#include "harness/judging/freedom.h"

#include <stdexcept>

#include "harness/judging/judge.h"

namespace opconform::judging {
namespace {

enum GapChoice : std::size_t { kIntact, kOverwritten };
constexpr ChoiceText kOfGaps[] = {
    {"tensor.gaps-dont-care", "left intact"},
    {"tensor.gaps-dont-care", "overwritten"},
};

std::optional<std::size_t> gaps(std::span<const ObservedOutput> outputs) {
  std::optional<std::size_t> choice;
  for (const ObservedOutput& output : outputs) {
    const TensorDesc& tensor = output.tensor.desc;
    if (output.after.size() == *element_count(tensor.sizes) * tensor.element_size_bytes()) continue;
    if (changed_gap(output)) return kOverwritten;
    choice = kIntact;
  }
  return choice;
}

struct CollectedChoices {
  std::vector<ChoiceText> texts;
  std::vector<std::size_t> first;  ///< by operator, then of gaps: the place of its first choice
};

CollectedChoices collect_choices() {
  CollectedChoices collected;
  const auto add = [&](std::span<const ChoiceText> texts) {
    collected.first.push_back(collected.texts.size());
    collected.texts.insert(collected.texts.end(), texts.begin(), texts.end());
  };
  for_each_operator([&](auto op) { add(choices(op)); });
  add(kOfGaps);
  if (collected.texts.size() > kMostChoices)
    throw std::logic_error("freedom: more choices than kMostChoices");
  return collected;
}

const CollectedChoices& collected_choices() {
  static const CollectedChoices all = collect_choices();
  return all;
}

}  // namespace

std::span<const ChoiceText> all_choices() { return collected_choices().texts; }

const ChoiceText& text(Choice choice) { return all_choices()[static_cast<std::size_t>(choice)]; }

std::optional<Choice> parse_choice(std::string_view rule, std::string_view name) {
  for (std::size_t i = 0; i < all_choices().size(); ++i)
    if (all_choices()[i].rule == rule && all_choices()[i].name == name)
      return static_cast<Choice>(i);
  return std::nullopt;
}

std::vector<Choice> choices_made(const Operator& op, Version version,
                                 std::span<const ObservedInput> inputs,
                                 std::span<const ObservedOutput> outputs, bool failed) {
  std::vector<Choice> made;
  const std::vector<std::size_t>& first = collected_choices().first;
  const auto add = [&](std::size_t owner, std::optional<std::size_t> choice) {
    if (choice) made.push_back(static_cast<Choice>(first[owner] + *choice));
  };
  const Conforming execution{version, inputs, outputs, failed};
  add(op.index(), std::visit([&](const auto& o) { return choice_made(o, execution); }, op));
  if (!failed) add(first.size() - 1, gaps(outputs));
  return made;
}

}  // namespace opconform::judging
