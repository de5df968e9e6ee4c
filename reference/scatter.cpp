#include <algorithm>

#include "reference/elements.h"
#include "reference/reference.h"

namespace opconform::reference {
namespace {

/// The Axis coordinate to which the update at `at` goes: the index found there. Nothing where it is
/// out of range (scatter.index-range).
std::optional<std::uint64_t> target_of(const Scatter& op, const InputElements& indices,
                                       const Coordinates& at) {
  // scatter.negative-index: below 3_0 the only index type is UINT32, so the type alone decides.
  return read_index(op.indices.data_type, indices.at(at)).resolve(op.output.sizes[op.axis]);
}

}  // namespace

ExecutionResult execute(const Scatter& op, Version /*version*/, const Bindings& bindings) {
  const InputElements input(op.input, bindings.inputs[0]);
  const InputElements indices(op.indices, bindings.inputs[1]);
  const InputElements updates(op.updates, bindings.inputs[2]);
  const OutputElements output(op.output, bindings.outputs[0]);

  copy_all(op.output.sizes, output, input);
  for (const Coordinates& at : all_coordinates(op.updates.sizes))
    if (const auto target = target_of(op, indices, at))
      copy_element(output.at(at, op.axis, *target), updates.at(at), updates.size_bytes());
  return {};
}

AlsoPermitted also_permitted(const Scatter& op, Version /*version*/, InputBuffers inputs) {
  constexpr std::size_t kUpdates = 2;
  const InputElements indices(op.indices, inputs[1]);
  AlsoPermitted result;
  std::vector<Alternative> writes;
  for (const Coordinates& at : all_coordinates(op.updates.sizes)) {
    const auto target = target_of(op, indices, at);
    if (!target) {
      result.outputs_unspecified = true;
      return result;
    }
    Coordinates written = at;
    written[op.axis] = *target;
    writes.push_back(
        {element_number(written, op.output.sizes), kUpdates, element_number(at, op.updates.sizes)});
  }
  // scatter.overlap-any-winner: keep the writes that share their target.
  std::stable_sort(writes.begin(), writes.end(), [](const Alternative& a, const Alternative& b) {
    return a.output_element < b.output_element;
  });
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto shares = [&](std::size_t j) {
      return writes[j].output_element == writes[i].output_element;
    };
    if ((i > 0 && shares(i - 1)) || (i + 1 < writes.size() && shares(i + 1)))
      result.alternatives.push_back(writes[i]);
  }
  return result;
}

}  // namespace opconform::reference
