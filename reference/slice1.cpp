#include "reference/elements.h"
#include "reference/reference.h"

namespace opconform::reference {

ExecutionResult execute(const Slice1& op, Version /*version*/, const Bindings& bindings) {
  const InputElements input(op.input, bindings.inputs[0]);
  const OutputElements output(op.output, bindings.outputs[0]);

  Coordinates copy_start(op.window_offsets.begin(), op.window_offsets.end());
  for (std::size_t i = 0; i < copy_start.size(); ++i)
    if (op.window_strides[i] < 0) copy_start[i] += op.window_sizes[i] - 1;  // slice1.copy-start

  copy_all(op.output.sizes, output, input.in_steps(copy_start, op.window_strides));  // slice1.copy
  return {};
}

AlsoPermitted also_permitted(const Slice1& /*op*/, Version /*version*/, InputBuffers /*inputs*/) {
  return {};
}

}  // namespace opconform::reference
