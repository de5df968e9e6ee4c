#include "reference/elements.h"
#include "reference/reference.h"

namespace opconform::reference {

ExecutionResult execute(const Split& op, Version /*version*/, const Bindings& bindings) {
  const InputElements input(op.input, bindings.inputs[0]);
  std::uint64_t run_start = 0;
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    const OutputElements output(op.outputs[k], bindings.outputs[k]);
    for (const Coordinates& to : all_coordinates(op.outputs[k].sizes)) {
      const std::uint64_t from = run_start + to[op.axis];  // split.partition
      copy_element(output.at(to), input.at(to, op.axis, from), input.size_bytes());
    }
    run_start += op.outputs[k].sizes[op.axis];
  }
  return {};
}

Freedom freedom(const Split& /*op*/, Version /*version*/, InputBuffers /*inputs*/) { return {}; }

}  // namespace opconform::reference
