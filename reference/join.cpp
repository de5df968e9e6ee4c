#include "reference/elements.h"
#include "reference/reference.h"

namespace opconform::reference {

ExecutionResult execute(const DmlJoin& op, Version /*version*/, const Bindings& bindings) {
  const OutputElements output(op.output, bindings.outputs[0]);
  std::uint64_t run_start = 0;
  for (std::size_t k = 0; k < op.inputs.size(); ++k) {
    const InputElements input(op.inputs[k], bindings.inputs[k]);
    copy_all(op.inputs[k].sizes, output.from(op.axis, run_start), input);  // join.concatenation
    run_start += op.inputs[k].sizes[op.axis];
  }
  return {};
}

AlsoPermitted also_permitted(const DmlJoin& /*op*/, Version /*version*/, InputBuffers /*inputs*/) {
  return {};
}

}  // namespace opconform::reference
