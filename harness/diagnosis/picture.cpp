#include "harness/diagnosis/picture.h"

#include <algorithm>

#include "harness/cases/contents.h"
#include "harness/diagnosis/drawing.h"
#include "harness/diagnosis/packed_picture.h"
#include "harness/judging/oracle.h"
#include "spec/validate.h"

namespace opconform::diagnosis {
namespace {

/// Cases with more bytes or elements are drawn without elements.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 22;

/// The descriptor alone.
Picture draw_descriptor(const cases::Case& tested, const Violations& violations) {
  Picture picture;
  const cases::TensorList tensors(tested.op);
  for (const std::vector<NamedTensor>* list : {&tensors.inputs, &tensors.outputs})
    for (const NamedTensor& tensor : *list)
      picture.tensors.push_back(descriptor_of(tensor, tested.version.dialect()));
  for (const Violation& violation : violations.list())
    picture.notes.push_back(base::printable(violation.message) + " (" +
                            std::string(violation.rule) + ")");
  return picture;
}

bool is_about_descriptor(judging::Verdict verdict) {
  return verdict == judging::Verdict::kMissedRejection ||
         verdict == judging::Verdict::kWrongRejection || verdict == judging::Verdict::kOtherRule;
}

/// Can all that goes in be written down, and what is due be computed?
bool is_drawable(const cases::Case& tested, const cases::TensorList& tensors) {
  std::uint64_t left = kLargest;
  for (const std::vector<NamedTensor>* list : {&tensors.inputs, &tensors.outputs})
    for (const NamedTensor& tensor : *list) {
      const std::uint64_t size = std::max(buffer_size_bytes(tensor.desc, tested.version.dialect()),
                                          element_count(tensor.desc.sizes).value_or(kLargest + 1));
      if (size > left) return false;
      left -= size;
    }
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
    if (tested.inputs[i].kind == cases::Contents::Kind::kNone &&
        !has_empty_dimension(tensors.inputs[i].desc))
      return false;
  return true;
}

}  // namespace

std::string Place::text() const {
  std::string text;
  for (const std::uint64_t coordinate : element)
    text += (text.empty() ? "" : ",") + std::to_string(coordinate);
  return tensor + "[" + text + "]";
}

Picture picture_of(const cases::Case& tested, const judging::CaseResult& result) {
  if (result.evidence == nullptr) {
    if (std::optional<Picture> drawn = unpacked(result.picture)) return *std::move(drawn);
    if (!is_about_descriptor(result.verdict)) return picture_of(tested);
    return draw_descriptor(tested, validate(tested.op, tested.version));
  }
  return draw(tested, *result.evidence, &result);
}

Picture picture_of(const cases::Case& tested) {
  const Violations violations = validate(tested.op, tested.version);
  const cases::TensorList tensors(tested.op);
  if (!violations.empty() || !is_drawable(tested, tensors))
    return draw_descriptor(tested, violations);
  constexpr std::uint64_t kGapSeed = 1;
  judging::Evidence given;
  given.strings = tested.strings;
  std::vector<std::span<const std::byte>> inputs;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    const NamedTensor& tensor = tensors.inputs[i];
    judging::TensorBytes& buffer =
        given.inputs.emplace_back(buffer_size_bytes(tensor.desc, tested.version.dialect()));
    cases::write_contents(
        tested.inputs[i], tensor.desc,
        tensor.field.content == Content::kIndices ? indexed_size(tested.op) : std::nullopt,
        *given.strings, kGapSeed, buffer);
  }
  for (const judging::TensorBytes& input : given.inputs) inputs.emplace_back(input);
  given.expected = tested.expect.kind == cases::Expectation::Kind::kReference
                       ? judging::reference_expectation(tested.op, tested.version, tensors, inputs)
                       : tested.expect;
  return draw(tested, given, nullptr);
}

}  // namespace opconform::diagnosis
