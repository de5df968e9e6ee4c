#include "harness/diagnosis/failed_outputs.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "harness/base/layout.h"
#include "harness/base/random.h"

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

std::uint64_t hash_of(Element element) { return base::hash_bytes(element, 0); }

/// All that the inputs hold where an element of that type could stand, as hashes in order.
struct Held {
  std::vector<std::uint64_t> elements;
  std::vector<std::uint64_t> gaps;
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
          .push_back(hash_of(Element(buffers[i].data() + k * size_bytes, size_bytes)));
  }
  std::sort(held.elements.begin(), held.elements.end());
  std::sort(held.gaps.begin(), held.gaps.end());
  return held;
}
bool holds(const std::vector<std::uint64_t>& ordered, Element element) {
  return std::binary_search(ordered.begin(), ordered.end(), hash_of(element));
}

bool is_zero(Element element) {
  return std::all_of(element.begin(), element.end(), [](std::byte b) { return b == std::byte{0}; });
}

bool has_packed_strides(const TensorDesc& desc) {
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
    return holds = visit(number, offset * size_bytes, size_bytes);
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

bool FailedOutputs::are(const std::vector<TensorBytes>& outputs,
                        const std::vector<TensorBytes>& or_these) const {
  for (std::size_t k = 0; k < tensors_.outputs.size(); ++k)
    if (!for_each(k, [&](std::uint64_t number, std::size_t at, std::size_t size_bytes) {
          const std::byte* found = evidence_.outputs[k].data() + at;
          const std::byte* one = outputs[k].data() + at;
          return std::memcmp(found, one, size_bytes) == 0 ||
                 std::memcmp(one, or_these[k].data() + at, size_bytes) != 0 ||
                 is_open_and_permitted(k, number, found, size_bytes);
        }))
      return false;
  return true;
}

std::optional<std::uint64_t> FailedOutputs::digest(const std::vector<TensorBytes>& outputs) const {
  const auto is_open = [](const cases::ExpectedOutput& output) {
    return output.unspecified || !output.open_elements.empty();
  };
  if (expected_ != nullptr &&
      std::any_of(expected_->outputs.begin(), expected_->outputs.end(), is_open))
    return std::nullopt;
  std::uint64_t digest = 0;
  for (std::size_t k = 0; k < tensors_.outputs.size(); ++k) {
    const TensorDesc& desc = tensors_.outputs[k].desc;
    const std::size_t size_bytes = desc.element_size_bytes();
    base::for_each_run(desc, [&](std::uint64_t, std::uint64_t offset, std::uint64_t count) {
      digest = base::hash_bytes(
          std::span(outputs[k]).subspan(offset * size_bytes, count * size_bytes), digest);
    });
  }
  return digest;
}

template <class Visit>
bool FailedOutputs::for_each_expected(Visit&& visit) const {
  for (std::size_t k = 0; k < tensors_.outputs.size(); ++k) {
    const cases::ExpectedOutput& expected = expected_->outputs[k];
    if (expected.unspecified) continue;
    const bool holds =
        for_each(k, [&](std::uint64_t number, std::size_t at, std::size_t size_bytes) {
          const Element found(evidence_.outputs[k].data() + at, size_bytes);
          const Element due(expected.elements.data() + number * size_bytes, size_bytes);
          return (found != due && is_open_and_permitted(k, number, found.data(), size_bytes)) ||
                 visit(k, at, due, found);
        });
    if (!holds) return false;
  }
  return true;
}

/// Is each different from what is due in the same way?
bool FailedOutputs::alters_alike() const {
  std::map<Element, Element> arrives_as;
  return for_each_expected([&](std::size_t, std::size_t, Element due, Element found) {
    return arrives_as.emplace(due, found).first->second == found;
  });
}

std::vector<std::string_view> FailedOutputs::outcomes() const {
  if (expected_ == nullptr || evidence_.has_failed) return {};
  bool only_unwritten = true;
  bool reads_gap = false;
  bool only_misplaced = true;
  bool only_altered = true;
  std::map<DataType, Held> held_of;
  static_cast<void>(
      for_each_expected([&](std::size_t output, std::size_t at, Element due, Element found) {
        if (found == due) return true;
        const DataType type = tensors_.outputs[output].desc.data_type;
        const auto [held, is_new] = held_of.try_emplace(type);
        if (is_new) held->second = held_by(tensors_.inputs, evidence_.inputs, type);
        const Element before(evidence_.outputs_before[output].data() + at, found.size());
        const bool is_unwritten = found == before;
        const bool is_element = holds(held->second.elements, found);
        const bool is_gap = !is_element && holds(held->second.gaps, found);
        const bool is_from_somewhere = is_unwritten || is_element || is_gap || is_zero(found);
        only_unwritten = only_unwritten && is_unwritten;
        reads_gap = reads_gap || (is_gap && !is_unwritten);
        only_misplaced = only_misplaced && is_from_somewhere;
        only_altered = only_altered && !is_from_somewhere;
        return only_misplaced || only_altered;
      }));
  only_altered = only_altered && alters_alike();
  std::vector<std::string_view> names;
  if (only_unwritten) names.push_back(kUnwritten);
  if (reads_gap && only_misplaced) names.push_back(kGapRead);
  if (only_misplaced && !only_unwritten) {
    const auto all_packed = [](const std::vector<NamedTensor>& tensors) {
      return std::all_of(tensors.begin(), tensors.end(),
                         [](const NamedTensor& tensor) { return has_packed_strides(tensor.desc); });
    };
    if (!all_packed(tensors_.inputs) || !all_packed(tensors_.outputs))
      names.push_back(kMisplacedByLayout);
    names.push_back(kMisplaced);
  }
  if (only_altered) names.push_back(kAltered);
  return names;
}

}  // namespace opconform::diagnosis
