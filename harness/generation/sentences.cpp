#include "harness/generation/sentences.h"

#include <algorithm>
#include <variant>

namespace opconform::generation {

std::string_view ChosenFactors::operator[](std::string_view name) const {
  const std::string* value = find(name);
  return value == nullptr ? std::string_view{} : *value;
}

std::string ChosenFactors::in_words(std::string_view name, const Words& words) const {
  const std::string_view value = (*this)[name];
  for (const auto& [written, spoken] : words)
    if (value == written) return std::string(spoken);
  return std::string(value);
}

std::string ChosenFactors::range(std::string_view name) const {
  std::string value((*this)[name]);
  if (const std::size_t dash = value.find('-'); dash != std::string::npos)
    value.replace(dash, 1, " to ");
  return value;
}

const std::string* ChosenFactors::find(std::string_view name) const {
  for (const auto& [known, value] : factors_)
    if (known == name) return &value;
  return nullptr;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return (count == 0 ? "no" : std::to_string(count)) + " " + std::string(count == 1 ? one : many);
}

bool has_rivals(const cases::Case& one) {
  return !one.expect.outputs.empty() && !one.expect.outputs.front().open_elements.empty();
}

namespace {

bool is_unspecified(const cases::Case& one) {
  return !one.expect.outputs.empty() && one.expect.outputs.front().unspecified;
}

}  // namespace

std::string indices_clause(const ChosenFactors& factors, const cases::Case& one,
                           const std::string& axis, std::string_view outcome) {
  const std::string type(factors["index type"]);
  const std::string_view index_class = factors["index class"];
  const bool is_outside = index_class == "just-outside" || index_class == "far-outside";
  if (is_outside && (is_unspecified(one) || one.expect.kind == cases::Expectation::Kind::kError))
    return (type.front() == 'u' || type.front() == 'U' ? "a " : "an ") + type +
           (index_class == "just-outside" ? " index just" : " index far") + " outside " + axis +
           " " + std::string(outcome);
  if (one.expect.kind == cases::Expectation::Kind::kAnyOf)
    return "negative " + type + " indices count from the end of " + axis +
           " or are an error, as this version leaves open";
  if (has_rivals(one) && (index_class == "duplicate" || index_class == "distinct"))
    return "repeated " + type + " indices count along " + axis;
  if (index_class == "negative")
    return "negative " + type + " indices count from the end of " + axis;
  if (index_class == "mixed-sign")
    return type + " indices of both signs count from both ends of " + axis;
  if (index_class == "edges")
    return type + " indices name the first and the last element of " + axis;
  // Of few places, or through a broadcast, indices are not always what was asked for.
  const bool is_distinct = index_class == "distinct";
  return (is_distinct ? "distinct " : "") + type + " indices count along " + axis;
}

std::string parts_clause(std::size_t count, const ChosenFactors& factors) {
  const std::string parts = factors.in_words(
      "partition",
      {{"equal", "equal parts"}, {"ones", "parts of 1 element"}, {"uneven", "uneven parts"}});
  const std::string beside = factors["size beside axis"] == "1"
                                 ? "dimensions of size 1"
                                 : "a dimension of size " + factors.range("size beside axis");
  return (count == 1 ? "1 part" : std::to_string(count) + " " + parts) + " along axis " +
         std::string(factors["axis"]) + " of " + std::string(factors["rank"]) + ", beside " +
         beside;
}

namespace {

/// How many tensors the first array of that access holds; 1 where there is none.
std::size_t tensors_of(const cases::Case& one, Access access) {
  const cases::TensorList tensors(one.op);
  return access == Access::kInput ? tensors.inputs.size() : tensors.outputs.size();
}

/// "; in memory the input is permuted, the indices are broadcast"
std::string memory_clause(const cases::Case& one) {
  const ChosenFactors factors(one);
  std::string text;
  for (const auto& [name, layout] : one.factors) {
    constexpr std::string_view kSuffix = " layout";
    if (!name.ends_with(kSuffix) || layout == "packed") continue;
    std::string subject = name.substr(0, name.size() - kSuffix.size());
    constexpr std::string_view kOwn = "'s";
    const bool is_one_of_many = subject.ends_with(kOwn);
    if (is_one_of_many) {  // "second output's layout"
      subject.resize(subject.size() - kOwn.size());
      const Access access = subject.ends_with("output") ? Access::kOutput : Access::kInput;
      if (tensors_of(one, access) < 2) continue;
    }
    text += (text.empty() ? "; in memory the " : ", the ") + subject +
            (subject.ends_with('s') ? " are " : " is ") +
            factors.in_words(name, {{"explicit", "packed by explicit strides"},
                                    {"absurd", "packed with wild strides where a size is 1"}});
  }
  return text;
}

std::string contents_clause(const ChosenFactors& factors) {
  std::string values = factors.in_words("fill", {{"distinct", ""},
                                                 {"random", "; values are random bits"},
                                                 {"special", "; values are extremes of the type"},
                                                 {"few-values", "; values repeat often"}});
  if (!factors.has("slack") || factors["slack"] == "none") return values;
  return values + "; buffers have " + factors.range("slack") + " bytes to spare";
}

}  // namespace

std::string sentence_of(const cases::Case& one) {
  const ChosenFactors factors(one);
  const std::string text =
      std::visit([&](const auto& op) { return behaviour(op, factors, one); }, one.op);
  return text + memory_clause(one) + contents_clause(factors);
}

}  // namespace opconform::generation
