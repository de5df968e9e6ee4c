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

Text counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return (count == 0 ? "no" : std::to_string(count)) + " " + Text(count == 1 ? one : many);
}

std::uint64_t size_of_input(const Case& one, std::string_view dimension) {
  const Dims& sizes = TensorList(one.op).inputs.front().desc.sizes;
  const auto number = static_cast<std::size_t>(std::stoul(Text(dimension)));
  return number < sizes.size() ? sizes[number] : 0;
}

/// Is an element written more than once, by values that differ?
bool has_rivals(const Case& one) {
  return !one.expect.outputs.empty() && !one.expect.outputs.front().freedoms.empty();
}

bool is_unspecified(const Case& one) {
  return !one.expect.outputs.empty() && one.expect.outputs.front().unspecified;
}

/// What indices do along an axis; `outcome` of one that is out of range.
Text indices_clause(const ChosenFactors& factors, const Case& one, const Text& axis,
                    std::string_view outcome) {
  const Text type(factors["index type"]);
  const std::string_view index_class = factors["index class"];
  const bool is_outside = index_class == "just-outside" || index_class == "far-outside";
  if (is_outside && (is_unspecified(one) || one.expect.kind == Expectation::Kind::kError))
    return (type.front() == 'u' || type.front() == 'U' ? "a " : "an ") + type +
           (index_class == "just-outside" ? " index just" : " index far") + " outside " + axis +
           " " + Text(outcome);
  if (one.expect.kind == Expectation::Kind::kAnyOf)
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

Text updates_clause(const ChosenFactors& factors, const Case& one) {
  const Text axis = "axis " + Text(factors["axis"]) + " of " + Text(factors["rank"]);
  Text text = indices_clause(factors, one, axis, "leaves the output unspecified") +
              "; the axis has " +
              counted(size_of_input(one, factors["axis"]), "element", "elements") + ", and " +
              factors.in_words("index extent", {{"1", "1 index"},
                                                {"smaller", "fewer indices"},
                                                {"equal", "as many indices"},
                                                {"larger", "more indices"}});
  if (has_rivals(one)) text += "; any update of an element may win";
  return text;
}

Text entries_clause(const ChosenFactors& factors, const Case& one) {
  const Text rank(factors["rank of data"]);
  Text axis = "axis " + Text(factors["axis"]) + " of " + rank;
  if (factors["axis given"] == "left out") axis += " (left out)";
  if (factors["axis given"] == "from back")
    axis +=
        " (given as " + std::to_string(std::stoi(Text(factors["axis"])) - std::stoi(rank)) + ")";
  const TensorList tensors(one.op);
  const TensorDesc& indices = tensors.inputs.back().desc;
  Text text = indices_clause(factors, one, axis, "fails the execution") + "; the axis has " +
              counted(size_of_input(one, factors["axis"]), "element", "elements") +
              ", the tensor of rank " + std::to_string(indices.rank()) + " holds " +
              counted(element_count(indices.sizes).value_or(0), "index", "indices");
  if (factors["empty"] == "data beside axis") text += "; a size beside the axis is 0";
  return text;
}

Text parts_clause(const ChosenFactors& factors, const Case& one) {
  const Text partition = factors.in_words(
      "partition",
      {{"equal", "equal parts"}, {"ones", "parts of 1 element"}, {"uneven", "uneven parts"}});
  const std::size_t count = TensorList(one.op).outputs.size();
  return "the input is cut into " +
         (count == 1 ? Text("1 part") : std::to_string(count) + " " + partition) + " along axis " +
         Text(factors["axis"]) + " of " + Text(factors["rank"]) + ", beside " +
         (factors["size beside axis"] == "1"
              ? Text("dimensions of size 1")
              : "a dimension of size " + factors.range("size beside axis"));
}

Text window_clause(const ChosenFactors& factors, const Case& one) {
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
         ", of size " + std::to_string(size_of_input(one, factors["dimension"])) +
         ", and the output takes " +
         factors.in_words("output size", {{"one", "1 element"},
                                          {"all", "all that it reaches"},
                                          {"fewer", "fewer elements than it reaches"}});
}

/// "; in memory the input is permuted, the indices are broadcast"
Text memory_clause(const ChosenFactors& factors, const Case& one) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTensors{
      {{"input layout", "the input is "},
       {"indices layout", "the indices are "},
       {"updates layout", "the updates are "},
       {"output layout", "the output is "},
       {"second output's layout", "the second output is "}}};
  const bool has_second = TensorList(one.op).outputs.size() > 1;
  Text text;
  for (const auto& [factor, subject] : kTensors) {
    const bool is_there = factors.has(factor) && (factor != "second output's layout" || has_second);
    if (!is_there || factors[factor] == "packed") continue;
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
  if (factors.has("stride sign")) behaviour = window_clause(factors, one);
  if (factors.has("partition")) behaviour = parts_clause(factors, one);
  if (factors.has("index extent")) behaviour = updates_clause(factors, one);
  if (factors.has("number of indices")) behaviour = entries_clause(factors, one);
  if (!behaviour) return list_of(one);
  return *behaviour + memory_clause(factors, one) + contents_clause(factors);
}

}  // namespace opconform::harness
