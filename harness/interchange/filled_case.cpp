#include "harness/interchange/filled_case.h"

#include <cstring>

#include "harness/base/layout.h"
#include "harness/judging/case_buffers.h"
#include "harness/judging/oracle.h"
#include "spec/validate.h"

namespace opconform::interchange {
namespace {

using Kind = cases::Expectation::Kind;

std::vector<std::vector<std::byte>> copied(std::span<const std::span<const std::byte>> buffers) {
  std::vector<std::vector<std::byte>> copies;
  for (const std::span<const std::byte> buffer : buffers)
    copies.emplace_back(buffer.begin(), buffer.end());
  return copies;
}

/// Why there is not one result alone; empty where there is.
std::string why_open(const cases::Expectation& expected) {
  switch (expected.kind) {
    case Kind::kRejected:
      return "a descriptor that is to be rejected";
    case Kind::kError:
      return "an error of the execution";
    case Kind::kAnyOf:
      return "one of several results";
    default:
      break;
  }
  for (const cases::ExpectedOutput& output : expected.outputs)
    if (output.unspecified || !output.open_elements.empty())
      return "elements of which the document permits several values";
  return "";
}

}  // namespace

FilledCase fill(const cases::Case& one) {
  FilledCase filled;
  filled.expected = one.expect;
  const Violations violations = validate(one.op, one.version);
  if (violations.list().empty() && !violations.undecided().empty())
    throw CannotSay("a layout that is too large to be decided");
  if (!violations.empty()) {
    filled.expected.kind = Kind::kRejected;
    filled.expected.rules.clear();
    for (const std::string_view rule : violations.rules()) filled.expected.rules.emplace_back(rule);
    return filled;
  }
  const cases::TensorList tensors(one.op);
  judging::CaseBuffers buffers(one, tensors, {}, judging::Base::kWide);
  if (filled.expected.kind == Kind::kReference)
    filled.expected =
        judging::reference_expectation(one.op, one.version, tensors, buffers.inputs());
  buffers.prepare_outputs(filled.expected, judging::CheckOptions().seed);
  filled.inputs = copied(buffers.inputs());
  for (const std::span<const std::byte> output : buffers.bindings().outputs)
    filled.outputs_before.emplace_back(output.begin(), output.end());
  return filled;
}

std::vector<std::vector<std::byte>> filled_inputs(const cases::Case& one) {
  const cases::TensorList tensors(one.op);
  return copied(judging::CaseBuffers(one, tensors, {}, judging::Base::kWide).inputs());
}

std::vector<std::byte> packed_elements(const TensorDesc& tensor,
                                       std::span<const std::byte> buffer) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
  const std::optional<std::uint64_t> count = element_count(tensor.sizes);
  if (!count || *count > kMostBytes / tensor.element_size_bytes())
    throw CannotSay("more than 64 MiB of elements in one tensor");
  return base::logical_elements(tensor, buffer);
}

Filled filled_elements(const cases::Case& one, const FilledCase& filled) {
  if (const std::string open = why_open(filled.expected); !open.empty()) throw CannotSay(open);
  const cases::TensorList tensors(one.op);
  Filled elements{one.op, one.version, {}, {}};
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
    elements.inputs.push_back(packed_elements(tensors.inputs[i].desc, filled.inputs[i]));
  for (const cases::ExpectedOutput& output : filled.expected.outputs)
    elements.outputs.push_back(output.elements);
  return elements;
}

DueEnding due_ending(const cases::Case& one, const FilledCase& filled) {
  DueEnding ending;
  const cases::Expectation& expected =
      filled.expected.kind == Kind::kAnyOf ? filled.expected.any_of.front() : filled.expected;
  if (expected.kind == Kind::kRejected) {
    for (const std::string& rule : expected.rules) ending.rejected += rule + "\n";
    return ending;
  }
  if (expected.kind == Kind::kError) {
    ending.failed = expected.rules.front() + "\n";
    return ending;
  }
  const cases::TensorList tensors(one.op);
  ending.outputs = filled.outputs_before;
  for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
    const std::vector<std::byte>& elements = expected.outputs[i].elements;
    if (elements.empty()) continue;  // all are open
    const std::size_t width = tensors.outputs[i].desc.element_size_bytes();
    base::for_each_element(tensors.outputs[i].desc,
                           [&](std::uint64_t number, std::uint64_t offset) {
                             std::memcpy(ending.outputs[i].data() + offset * width,
                                         elements.data() + number * width, width);
                           });
  }
  return ending;
}

}  // namespace opconform::interchange
