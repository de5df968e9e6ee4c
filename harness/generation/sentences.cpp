#include "harness/generation/sentences.h"

#include <algorithm>
#include <variant>

#include "spec/validate.h"

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

const std::string* ChosenFactors::find(std::string_view name) const {
  for (const auto& [known, value] : factors_)
    if (known == name) return &value;
  return nullptr;
}

std::string sizes_text(const TensorDesc& tensor) {
  std::string text;
  for (const auto size : tensor.sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
  return "[" + text + "]";
}

bool has_rivals(const cases::Case& one) {
  return !one.expect.outputs.empty() && !one.expect.outputs.front().open_elements.empty();
}

namespace {

bool is_unspecified(const cases::Case& one) {
  return !one.expect.outputs.empty() && one.expect.outputs.front().unspecified;
}

}  // namespace

std::string typed_sizes(const TensorDesc& tensor) {
  return std::string(name(tensor.data_type, Dialect::kDirectml)) + " " + sizes_text(tensor);
}

std::string indices_clause(const ChosenFactors& factors, const cases::Case& one,
                           const TensorDesc& indices, const std::string& axis,
                           std::string_view outcome) {
  const std::string type(factors["index type"]);
  const std::string sizes = sizes_text(indices);
  const std::string_view index_class = factors["index class"];
  const bool is_outside = index_class == "just-outside" || index_class == "far-outside";
  if (is_outside && (is_unspecified(one) || one.expect.kind == cases::Expectation::Kind::kError))
    return (type.front() == 'u' || type.front() == 'U' ? "a " : "an ") + type + " index of " +
           sizes + (index_class == "just-outside" ? " just" : " far") + " outside " + axis + " " +
           std::string(outcome);
  const std::string named = type + " indices " + sizes;
  if (one.expect.kind == cases::Expectation::Kind::kAnyOf)
    return "negative " + named + " count from the end of " + axis +
           " or are an error, as this version leaves open";
  if (has_rivals(one) && (index_class == "duplicate" || index_class == "distinct"))
    return "repeated " + named + " count along " + axis;
  if (index_class == "negative") return "negative " + named + " count from the end of " + axis;
  if (index_class == "mixed-sign") return named + " of both signs count from both ends of " + axis;
  if (index_class == "edges") return named + " name the first and the last element of " + axis;
  // Of few places, or through a broadcast, indices are not always what was asked for.
  const bool is_distinct = index_class == "distinct";
  return (is_distinct ? "distinct " : "") + named + " count along " + axis;
}

std::string parts_clause(const std::vector<TensorDesc>& parts, std::size_t axis,
                         const ChosenFactors& factors) {
  constexpr std::size_t kMostListed = 4;
  if (parts.size() == 1) return "1 part";
  if (factors["partition"] == "uneven" && parts.size() <= kMostListed) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
      text += (i == 0                  ? ""
               : i + 1 == parts.size() ? " and "
                                       : ", ") +
              std::to_string(parts[i].sizes[axis]);
    return "parts of " + text;
  }
  return std::to_string(parts.size()) + " " +
         factors.in_words(
             "partition",
             {{"equal", "equal parts"}, {"ones", "parts of 1"}, {"uneven", "uneven parts"}});
}

std::string sentence_of(const cases::Case& one) {
  const ChosenFactors factors(one);
  return std::visit([&](const auto& op) { return behaviour(op, factors, one); }, one.op);
}

std::string sentence_of_broken(const cases::Case& one) {
  const Violations violations = validate(one.op, one.version);
  std::string fact = violations.list().front().message;
  // Of the reason only what the descriptor says: the rest is in the rule.
  for (const std::string_view known : {"; judged at ", ", which ", ", the most ", ", but must ",
                                       ", but the table ", ", but is judged "})
    fact.resize(std::min(fact.find(known), fact.size()));
  constexpr std::string_view kBut = ", but ";
  const std::size_t but = fact.find(kBut);
  if (but != std::string::npos) fact.replace(but, kBut.size(), ", where ");
  const Dialect dialect = one.version.dialect();
  const cases::TensorList tensors(one.op);
  const auto& named = tensors.inputs.empty() ? tensors.outputs : tensors.inputs;
  return "that " + fact + (but == std::string::npos ? "" : ",") + " is rejected at " +
         (dialect == Dialect::kOnnx ? "opset " : "") + one.version.text() + " (" +
         std::string(name(named.front().desc.data_type, dialect)) + ")";
}

}  // namespace opconform::generation
