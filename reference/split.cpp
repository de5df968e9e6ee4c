#include "reference/elements.h"
#include "reference/reference.h"

namespace opconform::reference {

ExecutionResult execute(const Split& op, Version /*version*/, const Bindings& bindings) {
  const InputElements input(op.input, bindings.inputs[0]);
  std::uint64_t run_start = 0;
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    const OutputElements output(op.outputs[k], bindings.outputs[k]);
    copy_all(op.outputs[k].sizes, output, input.from(op.axis, run_start));  // split.partition
    run_start += op.outputs[k].sizes[op.axis];
  }
  return {};
}

AlsoPermitted also_permitted(const Split& /*op*/, Version /*version*/, InputBuffers /*inputs*/) {
  return {};
}

}  // namespace opconform::reference
