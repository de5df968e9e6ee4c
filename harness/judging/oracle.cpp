#include "harness/judging/oracle.h"

#include "harness/base/layout.h"
#include "harness/judging/case_buffers.h"
#include "harness/judging/guard_pages.h"
#include "reference/reference.h"

namespace opconform::judging {
namespace {

/// Adds the alternatives of the operator's only output.
void permit_alternatives(const reference::AlsoPermitted& also, const cases::TensorList& tensors,
                         std::span<const std::span<const std::byte>> inputs,
                         cases::ExpectedOutput& output) {
  std::vector<std::byte> values;
  std::size_t values_of = tensors.inputs.size();
  for (const reference::Alternative& alternative : also.alternatives) {
    const TensorDesc& source = tensors.inputs[alternative.input].desc;
    if (values_of != alternative.input) {
      values = base::logical_elements(source, inputs[alternative.input]);
      values_of = alternative.input;
    }
    if (output.open_elements.empty() ||
        output.open_elements.back().element != alternative.output_element)
      output.open_elements.push_back({alternative.output_element, false, {}});
    const std::size_t size_bytes = source.element_size_bytes();
    const auto first =
        values.begin() + static_cast<std::ptrdiff_t>(alternative.input_element * size_bytes);
    std::vector<std::byte>& permitted = output.open_elements.back().values;
    permitted.insert(permitted.end(), first, first + static_cast<std::ptrdiff_t>(size_bytes));
  }
}

cases::Expectation execute_reference(const Operator& op, Version version,
                                     const cases::TensorList& tensors,
                                     std::span<const std::span<const std::byte>> inputs) {
  std::vector<std::vector<std::byte>> buffers;
  std::vector<GuardPages> sparse;  // what no heap has
  std::vector<std::span<std::byte>> outputs;
  for (const NamedTensor& tensor : tensors.outputs) {
    const std::uint64_t size_bytes = buffer_size_bytes(tensor.desc, version.dialect());
    if (is_sparse(tensor.desc, size_bytes))
      outputs.push_back(sparse.emplace_back(size_bytes, GuardPages::Rights::kReadAndWrite, true)
                            .bytes()
                            .first(size_bytes));
    else
      outputs.emplace_back(buffers.emplace_back(size_bytes));
  }

  cases::Expectation expected;
  if (const ExecutionResult error = reference::execute(op, version, {inputs, outputs})) {
    expected.kind = cases::Expectation::Kind::kError;
    expected.rules = {std::string(error->rule)};
    return expected;
  }
  expected.kind = cases::Expectation::Kind::kOutputs;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    expected.outputs.push_back(
        {false, base::logical_elements(tensors.outputs[i].desc, outputs[i]), {}});
  return expected;
}

}  // namespace

cases::Expectation reference_expectation(const Operator& op, Version version,
                                         const cases::TensorList& tensors,
                                         std::span<const std::span<const std::byte>> inputs) {
  cases::Expectation expected = execute_reference(op, version, tensors, inputs);
  const reference::AlsoPermitted also = reference::also_permitted(op, version, inputs);
  if (expected.kind == cases::Expectation::Kind::kOutputs) {
    if (!also.alternatives.empty())
      permit_alternatives(also, tensors, inputs, expected.outputs.front());
    if (also.outputs_unspecified)
      for (cases::ExpectedOutput& output : expected.outputs) output = {true, {}, {}};
  }
  if (!also.also_as) return expected;
  cases::Expectation other = execute_reference(op, *also.also_as, tensors, inputs);
  if (other.kind == expected.kind && other.rules == expected.rules) return expected;
  cases::Expectation either;
  either.kind = cases::Expectation::Kind::kAnyOf;
  either.any_of = {std::move(expected), std::move(other)};
  return either;
}

}  // namespace opconform::judging
