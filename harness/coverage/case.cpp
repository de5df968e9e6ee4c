#include <algorithm>

#include "harness/cases/contents.h"
#include "harness/coverage/case_inputs.h"
#include "harness/coverage/coverage.h"
#include "harness/judging/oracle.h"
#include "spec/validate.h"

namespace opconform::coverage {
Buffers input_buffers(const cases::Case& one, const cases::TensorList& tensors,
                      std::uint64_t limit_bytes) {
  std::uint64_t left = limit_bytes;
  const auto has_room = [&](const NamedTensor& tensor) {
    const std::uint64_t size_bytes = buffer_size_bytes(tensor.desc, one.version.dialect());
    if (size_bytes > left) return false;
    left -= size_bytes;
    return true;
  };
  for (const std::vector<NamedTensor>* list : {&tensors.inputs, &tensors.outputs})
    if (!std::all_of(list->begin(), list->end(), has_room)) return {};

  Buffers buffers;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    const NamedTensor& tensor = tensors.inputs[i];
    buffers.emplace_back(buffer_size_bytes(tensor.desc, one.version.dialect()));
    if (one.inputs[i].kind == cases::Contents::Kind::kNone && !buffers.back().empty()) return {};
    const bool has_indices = tensor.field.content == Content::kIndices;
    cases::write_contents(one.inputs[i], tensor.desc,
                          has_indices ? indexed_size(one.op) : std::nullopt, *one.strings, 0,
                          buffers.back());
  }
  return buffers;
}

cases::Expectation expectation_of(const cases::Case& one, const cases::TensorList& tensors,
                                  std::span<const std::span<const std::byte>> inputs) {
  const bool leaves_open =
      one.expect.kind == cases::Expectation::Kind::kReference && !inputs.empty();
  return leaves_open ? judging::reference_expectation(one.op, one.version, tensors, inputs)
                     : one.expect;
}

std::string failure_of(const cases::Expectation& expected) {
  if (expected.kind == cases::Expectation::Kind::kError) return expected.rules.front();
  for (const cases::Expectation& one : expected.any_of)
    if (std::string rule = failure_of(one); !rule.empty()) return rule;
  return {};
}

bool observe_case(const cases::Case& one, std::uint64_t memory_limit_bytes, Coverage& coverage) {
  const Origin origin = one.is_documented() ? Origin::kDocumented : Origin::kCurated;
  const bool by_alias = one.operator_name == describe(one.op).alias;
  const Violations violations = validate(one.op, one.version);
  if (!violations.list().empty()) {
    coverage.observe({.op = one.op,
                      .version = one.version,
                      .origin = origin,
                      .due = Due::kRejected,
                      .rules = violations.rules(),
                      .by_alias = by_alias});
    return true;
  }
  if (!violations.empty()) return false;
  const cases::TensorList tensors(one.op);
  const Buffers buffers = input_buffers(one, tensors, memory_limit_bytes);
  const std::vector<std::span<const std::byte>> inputs(buffers.begin(), buffers.end());
  const std::string failure = failure_of(expectation_of(one, tensors, inputs));
  const std::string_view failed_for[] = {failure};
  coverage.observe({.op = one.op,
                    .version = one.version,
                    .origin = origin,
                    .due = failure.empty() ? Due::kAccepted : Due::kFailed,
                    .rules = {failed_for, failure.empty() ? 0U : 1U},
                    .inputs = inputs,
                    .by_alias = by_alias});
  return true;
}

}  // namespace opconform::coverage
