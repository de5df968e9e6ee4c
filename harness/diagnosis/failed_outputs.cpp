#include "harness/diagnosis/failed_outputs.h"

#include <algorithm>
#include <cstring>

#include "harness/base/layout.h"

namespace opconform::diagnosis {
namespace {

using Kind = cases::Expectation::Kind;
using judging::TensorBytes;
using Element = std::basic_string_view<std::byte>;

const cases::Expectation* expected_outputs(const cases::Expectation& expected) {
  if (expected.kind == Kind::kOutputs) return &expected;
  for (const cases::Expectation& one : expected.any_of)
    if (const cases::Expectation* outputs = expected_outputs(one)) return outputs;
  return nullptr;
}

/// All that the inputs hold where an element of that type could stand.
struct Held {
  std::set<Element> elements;
  std::set<Element> gaps;
};
Held held_by(const std::vector<NamedTensor>& inputs, const std::vector<TensorBytes>& buffers,
             DataType type) {
  Held held;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorDesc& desc = inputs[i].desc;
    if (inputs[i].field.content != Content::kValues || desc.data_type != type) continue;
    const std::size_t size_bytes = desc.element_size_bytes();
    std::vector<bool> is_element(buffers[i].size() / size_bytes, false);
    base::for_each_address(desc, [&](std::uint64_t offset) { is_element[offset] = true; });
    for (std::size_t k = 0; k < is_element.size(); ++k)
      (is_element[k] ? held.elements : held.gaps)
          .insert(Element(buffers[i].data() + k * size_bytes, size_bytes));
  }
  return held;
}

bool is_zero(Element element) {
  return std::all_of(element.begin(), element.end(), [](std::byte b) { return b == std::byte{0}; });
}

bool is_packed(const TensorDesc& desc) {
  return !desc.strides || *desc.strides == packed_strides(desc.sizes);
}

}  // namespace

FailedOutputs::FailedOutputs(const cases::Case& tested, const judging::Evidence& evidence)
    : tensors_(tested.op), evidence_(evidence), expected_(expected_outputs(evidence.expected)) {}

template <class Visit>
bool FailedOutputs::for_each(std::size_t output, Visit&& visit) const {
  const TensorDesc& desc = tensors_.outputs[output].desc;
  const std::size_t size_bytes = desc.element_size_bytes();
  bool holds = true;
  base::for_each_element(desc, [&](std::uint64_t number, std::uint64_t offset) {
    holds = holds && visit(number, offset * size_bytes, size_bytes);
  });
  return holds;
}

bool FailedOutputs::is_open_and_permitted(std::size_t output, std::uint64_t number,
                                          const std::byte* found, std::size_t size_bytes) const {
  if (expected_ == nullptr) return false;
  const cases::ExpectedOutput& expected = expected_->outputs[output];
  if (expected.unspecified) return true;
  const auto open = std::lower_bound(
      expected.open_elements.begin(), expected.open_elements.end(), number,
      [](const auto& element, std::uint64_t wanted) { return element.element < wanted; });
  if (open == expected.open_elements.end() || open->element != number) return false;
  if (open->any ||
      std::memcmp(found, expected.elements.data() + number * size_bytes, size_bytes) == 0)
    return true;
  for (std::size_t at = 0; at < open->values.size(); at += size_bytes)
    if (std::memcmp(found, open->values.data() + at, size_bytes) == 0) return true;
  return false;
}

bool FailedOutputs::are(const std::vector<TensorBytes>& outputs) const {
  for (std::size_t k = 0; k < tensors_.outputs.size(); ++k)
    if (!for_each(k, [&](std::uint64_t number, std::size_t at, std::size_t size_bytes) {
          const std::byte* found = evidence_.outputs[k].data() + at;
          return std::memcmp(found, outputs[k].data() + at, size_bytes) == 0 ||
                 is_open_and_permitted(k, number, found, size_bytes);
        }))
      return false;
  return true;
}

std::vector<std::string_view> FailedOutputs::outcomes() const {
  if (expected_ == nullptr || evidence_.has_failed) return {};
  bool only_unwritten = true;
  bool reads_gap = false;
  bool only_misplaced = true;
  bool only_altered = true;
  std::map<Element, Element> arrives_as;
  for (std::size_t k = 0; k < tensors_.outputs.size(); ++k) {
    if (expected_->outputs[k].unspecified) continue;
    const Held held =
        held_by(tensors_.inputs, evidence_.inputs, tensors_.outputs[k].desc.data_type);
    static_cast<void>(for_each(k, [&](std::uint64_t number, std::size_t at,
                                      std::size_t size_bytes) {
      const Element found(evidence_.outputs[k].data() + at, size_bytes);
      const Element due(expected_->outputs[k].elements.data() + number * size_bytes, size_bytes);
      const Element before(evidence_.outputs_before[k].data() + at, size_bytes);
      if (found != due && is_open_and_permitted(k, number, found.data(), size_bytes)) return true;
      only_altered = only_altered && arrives_as.emplace(due, found).first->second == found;
      if (found == due) return true;
      const bool is_unwritten = found == before;
      const bool is_element = held.elements.contains(found);
      const bool is_gap = !is_element && held.gaps.contains(found);
      only_unwritten = only_unwritten && is_unwritten;
      reads_gap = reads_gap || (is_gap && !is_unwritten);
      only_misplaced = only_misplaced && (is_unwritten || is_element || is_gap || is_zero(found));
      only_altered = only_altered && !is_unwritten && !is_element && !is_gap && !is_zero(found);
      return true;
    }));
  }
  std::vector<std::string_view> names;
  if (only_unwritten) names.push_back(kUnwritten);
  if (reads_gap && only_misplaced) names.push_back(kGapRead);
  if (only_misplaced && !only_unwritten) {
    const auto all_packed = [](const std::vector<NamedTensor>& tensors) {
      return std::all_of(tensors.begin(), tensors.end(),
                         [](const NamedTensor& tensor) { return is_packed(tensor.desc); });
    };
    if (!all_packed(tensors_.inputs) || !all_packed(tensors_.outputs))
      names.push_back(kMisplacedByLayout);
    names.push_back(kMisplaced);
  }
  if (only_altered) names.push_back(kAltered);
  return names;
}

}  // namespace opconform::diagnosis
