#include "harness/strength/sentences.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace opconform::harness {
namespace {

using Text = std::string;
/// Words for the values of a factor; a value without a row stands for itself.
using Words = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// The factors of a case by name.
class ChosenFactors {
 public:
  explicit ChosenFactors(const Case& one) : factors_(one.factors) {}
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Empty where the case has no such factor.
  [[nodiscard]] std::string_view operator[](std::string_view name) const {
    const std::string* value = find(name);
    return value == nullptr ? std::string_view{} : *value;
  }
  [[nodiscard]] Text in_words(std::string_view name, const Words& words) const {
    const std::string_view value = (*this)[name];
    for (const auto& [written, spoken] : words)
      if (value == written) return Text(spoken);
    return Text(value);
  }
  /// "5-15" as "5 to 15".
  [[nodiscard]] Text range(std::string_view name) const {
    Text value((*this)[name]);
    if (const std::size_t dash = value.find('-'); dash != Text::npos)
      value.replace(dash, 1, " to ");
    return value;
  }

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const {
    for (const auto& [known, value] : factors_)
      if (known == name) return &value;
    return nullptr;
  }
  const std::vector<std::pair<std::string, std::string>>& factors_;
};

Text elements(const Text& count) { return count + (count == "1" ? " element" : " elements"); }

/// What indices do, before the axis that they count along.
Text indices_clause(const ChosenFactors& factors, const Case& one, std::string_view outside) {
  const Text of_type = " of type " + Text(factors["index type"]);
  const Text index_class(factors["index class"]);
  if (index_class == "just-outside" || index_class == "far-outside")
    return "an index" + of_type + (index_class == "just-outside" ? " just" : " far") + " outside " +
           Text(outside) + ", on";
  if (one.expect.kind == Expectation::Kind::kAnyOf)
    return "negative indices" + of_type +
           " count from the end or are an error, as this version leaves open, on";
  return factors.in_words("index class", {{"distinct", "distinct indices"},
                                          {"duplicate", "indices that repeat"},
                                          {"negative", "negative indices"},
                                          {"mixed-sign", "indices of both signs"},
                                          {"edges", "indices of the first and last element"}}) +
         of_type +
         (index_class == "negative"     ? " count from the end of"
          : index_class == "mixed-sign" ? " count from the front or the end of"
                                        : " count along");
}

Text updates_clause(const ChosenFactors& factors, const Case& one) {
  const Text extent =
      factors.in_words("index extent", {{"1", "1 index along it"},
                                        {"smaller", "fewer indices along it than elements"},
                                        {"equal", "as many indices along it as elements"},
                                        {"larger", "more indices along it than elements"}});
  Text text = indices_clause(factors, one, "the axis leaves the output unspecified");
  text += " axis " + Text(factors["axis"]) + " of " + Text(factors["rank"]) + ", an axis of " +
          elements(factors.range("size along axis")) + " with " + extent;
  if (factors["index class"] == "duplicate") text += "; any update of an element may win";
  return text;
}

Text entries_clause(const ChosenFactors& factors, const Case& one) {
  const Text empty = factors.in_words("empty", {{"none", ""},
                                                {"indices", "no indices give an empty output: "},
                                                {"data along axis",
                                                 "no data along the axis and no "
                                                 "indices give an empty output: "},
                                                {"data beside axis",
                                                 "a size of 0 beside the axis "
                                                 "gives an empty output: "}});
  Text text = empty + indices_clause(factors, one, "the axis fails the execution");
  text += " axis " + Text(factors["axis"]) + " of " + Text(factors["rank of data"]) + " (" +
          factors.in_words("axis given", {{"left out", "left out"},
                                          {"from front", "given as it is"},
                                          {"from back", "given from the back"}}) +
          "), an axis of " + elements(factors.range("size along axis")) + "; ";
  const Text count = factors.range("number of indices");
  return text + count + (count == "1" ? " index" : " indices") + " in a tensor of rank " +
         Text(factors["rank of indices"]);
}

Text parts_clause(const ChosenFactors& factors) {
  const Text partition = factors.in_words(
      "partition",
      {{"equal", "equal parts"}, {"ones", "parts of 1 element"}, {"uneven", "uneven parts"}});
  const Text count = factors.range("outputs");
  return "the input is cut into " + (count == "1" ? Text("1 part") : count + " " + partition) +
         " along axis " + Text(factors["axis"]) + " of " + Text(factors["rank"]) + ", beside " +
         (factors["size beside axis"] == "1"
              ? Text("dimensions of size 1")
              : "a dimension of " + elements(factors.range("size beside axis")));
}

Text window_clause(const ChosenFactors& factors) {
  const bool backward = factors["stride sign"] == "negative";
  const Text stride = factors.in_words(
      "stride size", {{"1", backward ? "of -1" : "of 1"},
                      {"2", backward ? "of -2" : "of 2"},
                      {"3-8", backward ? "of -3 to -8" : "of 3 to 8"},
                      {"window-1", "of one less than the window"},
                      {"beyond window", "longer than the window"},
                      {"INT_MAX or INT_MIN", backward ? "of INT_MIN" : "of INT_MAX"}});
  const Text window = factors.in_words("window", {{"one element", "a window of 1 element in"},
                                                  {"inside", "a window inside"},
                                                  {"from start", "a window at the start of"},
                                                  {"to end", "a window at the end of"},
                                                  {"whole", "the whole of"}});
  return "a stride " + stride +
         (backward ? " goes backward from the last element of "
                   : " goes forward from the first element of ") +
         window + " dimension " + Text(factors["dimension"]) + " of " + Text(factors["rank"]) +
         ", of size " + factors.range("size") + ", and the output takes " +
         factors.in_words("output size", {{"one", "1 element"},
                                          {"all", "all that it reaches"},
                                          {"fewer", "fewer elements than it reaches"}});
}

/// "; in memory the input is permuted, the indices are broadcast"
Text memory_clause(const ChosenFactors& factors) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTensors{
      {{"input layout", "the input is "},
       {"indices layout", "the indices are "},
       {"updates layout", "the updates are "},
       {"output layout", "the output is "},
       {"second output's layout", "the second output is "}}};
  Text text;
  for (const auto& [factor, subject] : kTensors) {
    if (!factors.has(factor)) continue;
    text += (text.empty() ? "; in memory " : ", ") + Text(subject) +
            factors.in_words(factor, {{"explicit", "packed by explicit strides"},
                                      {"absurd", "packed with wild strides where a size is 1"}});
  }
  return text;
}

Text contents_clause(const ChosenFactors& factors) {
  const Text values = factors.in_words("fill", {{"distinct", ""},
                                                {"random", "; values are random bits"},
                                                {"special", "; values are extremes of the type"},
                                                {"few-values", "; values repeat often"}});
  if (!factors.has("slack") || factors["slack"] == "none") return values;
  return values + "; buffers have " + factors.range("slack") + " bytes to spare";
}

/// For factors that no clause above speaks of.
Text list_of(const Case& one) {
  Text text;
  for (const auto& [name, value] : one.factors)
    text += (text.empty() ? "" : ", ") + name + " " + value;
  return text;
}

}  // namespace

std::string sentence_of(const Case& one) {
  const ChosenFactors factors(one);
  std::optional<Text> behaviour;
  if (factors.has("stride sign")) behaviour = window_clause(factors);
  if (factors.has("partition")) behaviour = parts_clause(factors);
  if (factors.has("index extent")) behaviour = updates_clause(factors, one);
  if (factors.has("number of indices")) behaviour = entries_clause(factors, one);
  if (!behaviour) return list_of(one);
  return *behaviour + memory_clause(factors) + contents_clause(factors);
}

}  // namespace opconform::harness
