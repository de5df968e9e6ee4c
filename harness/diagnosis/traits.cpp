#include "harness/diagnosis/traits.h"

#include <algorithm>
#include <stdexcept>

#include "harness/coverage/case_inputs.h"
#include "harness/coverage/roles.h"
#include "harness/diagnosis/trait_reading.h"
#include "spec/validate.h"

namespace opconform::diagnosis {
namespace {

/// Contents of more than this are not read.
constexpr std::uint64_t kMostContentsBytes = std::uint64_t{1} << 20;

/// Those that are no field, in the order of their numbers, then the names of all fields.
std::vector<std::string_view> all_subjects() {
  std::vector<std::string_view> names{"",          "a tensor",    "an input",
                                      "an output", "the indices", "the first input"};
  for_each_operator([&]<class Op>(std::type_identity<Op>) {
    const Op op{};
    Op::visit_fields(op, [&](const auto& field, const auto&...) {
      if (std::find(names.begin(), names.end(), field.name) == names.end())
        names.push_back(field.name);
    });
  });
  return names;
}
const std::vector<std::string_view>& subjects() {
  static const std::vector<std::string_view> names = all_subjects();
  return names;
}

std::optional<std::size_t> place_of_rule(std::string_view name) {
  const std::vector<RuleText>& rules = all_rules();
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const RuleText& rule) { return rule.name == name; });
  if (found == rules.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rules.begin());
}

void read_kind(const cases::Case& one, TraitWriter& traits) {
  const OperatorText text = describe(one.op);
  const bool is_onnx = text.dialect == Dialect::kOnnx;
  traits.add(Topic::kOperator, one.op.index());
  traits.add(Topic::kFamily, is_onnx ? Family::kOnnx : Family::kDirectml);
  traits.add(is_onnx ? Topic::kOpset : Topic::kLevel, one.version.number());
  if (one.operator_name == text.alias) traits.add(Topic::kAlias, 1);
  if (coverage::axis_of(one.op)) traits.add(Topic::kFamily, Family::kWithAxis);
  if (coverage::windows_of(one.op).sizes.numbers != nullptr)
    traits.add(Topic::kFamily, Family::kWithWindows);
  bool is_first = true;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    const DataType type = tensor.desc.data_type;
    const std::int64_t value = type_value(type, text.dialect);
    if (tensor.path.index != FieldPath::kNoIndex) traits.add(Topic::kFamily, Family::kOfParts);
    if (tensor.field.content == Content::kIndices) {
      traits.add(Topic::kFamily, Family::kIndexed);
      traits.add(Topic::kIndexType, value);
    }
    if (!std::exchange(is_first, false)) return;
    traits.add(Topic::kDataType, value);
    traits.add(Topic::kKind, kind(type));
    traits.add(Topic::kWidth, element_size_bytes(type));
    traits.add(Topic::kKindAndWidth, kind_value(kind(type), element_size_bytes(type)));
    traits.add(Topic::kRank, tensor.desc.rank());
  });
}

template <class Names>
void read_rejection(const Names& rules, TraitWriter& traits) {
  traits.add(Topic::kStanding, Standing::kRejected);
  traits.add(Topic::kRuleCount, rules.size());
  for (const std::string_view rule : rules)
    if (const auto place = place_of_rule(rule)) traits.add(Topic::kRule, *place);
}

/// Of an execution that is to give a result. Of several that conform, the first stands for all.
void read_result(const cases::Expectation& expected, const cases::TensorList& tensors,
                 TraitWriter& traits) {
  if (!expected.any_of.empty()) return read_result(expected.any_of.front(), tensors, traits);
  const std::vector<cases::ExpectedOutput>& outputs = expected.outputs;
  const bool is_open =
      !outputs.empty() && std::all_of(outputs.begin(), outputs.end(),
                                      [](const auto& output) { return output.unspecified; });
  traits.add(Topic::kStanding, is_open ? Standing::kOpen : Standing::kResultDue);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<std::byte>& elements = outputs[i].elements;
    if (elements.empty()) continue;
    traits.add(Topic::kStanding, Standing::kElementsDue);
    if (elements.size() > kMostContentsBytes) continue;
    const DataType type = tensors.outputs[i].desc.data_type;
    read_patterns(Topic::kExpectedPattern,
                  packed_tensor(type, {elements.size() / element_size_bytes(type)}), elements,
                  traits);
  }
}

void read_execution(const cases::Case& one, TraitWriter& traits) {
  traits.add(Topic::kStanding, Standing::kValid);
  const cases::TensorList tensors(one.op);
  const coverage::Buffers buffers = coverage::input_buffers(one, tensors, kMostContentsBytes);
  const std::vector<std::span<const std::byte>> inputs(buffers.begin(), buffers.end());
  read_contents(one, tensors, inputs, traits);
  const cases::Expectation expected = coverage::expectation_of(one, tensors, inputs);
  const std::string failure = coverage::failure_of(expected);
  if (failure.empty()) return read_result(expected, tensors, traits);
  traits.add(Topic::kStanding, expected.kind == cases::Expectation::Kind::kError
                                   ? Standing::kErrorDue
                                   : Standing::kErrorPermitted);
  if (const auto place = place_of_rule(failure)) traits.add(Topic::kFailure, *place);
}

}  // namespace

Subject subject_of(std::string_view field) {
  const std::vector<std::string_view>& names = subjects();
  const auto found = std::find(names.begin(), names.end(), field);
  if (found == names.end()) throw std::logic_error("traits: no field " + std::string(field));
  return static_cast<Subject>(found - names.begin());
}

std::size_t subject_count() { return subjects().size(); }
std::string_view name_of(Subject subject) { return subjects()[subject]; }

Traits TraitWriter::sorted() {
  std::sort(traits_.begin(), traits_.end());
  traits_.erase(std::unique(traits_.begin(), traits_.end()), traits_.end());
  return std::move(traits_);
}

Traits traits_of(const cases::Case& one) {
  TraitWriter traits;
  read_kind(one, traits);
  read_tensors(one.op, traits);
  read_axis(one.op, traits);
  read_windows(one.op, traits);
  if (one.expect.kind == cases::Expectation::Kind::kRejected) {
    read_rejection(one.expect.rules, traits);
    return traits.sorted();
  }
  const Violations violations = validate(one.op, one.version);
  if (violations.empty())
    read_execution(one, traits);
  else
    read_rejection(violations.rules(), traits);
  return traits.sorted();
}

}  // namespace opconform::diagnosis
