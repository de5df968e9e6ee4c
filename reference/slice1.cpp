#include "reference/elements.h"
#include "reference/reference.h"

namespace opconform::reference {

ExecutionResult execute(const Slice1& op, Version /*version*/, const Bindings& bindings) {
  const InputElements input(op.input, bindings.inputs[0]);
  const OutputElements output(op.output, bindings.outputs[0]);

  Coordinates copy_start(op.window_offsets.begin(), op.window_offsets.end());
  for (std::size_t i = 0; i < copy_start.size(); ++i)
    if (op.window_strides[i] < 0) copy_start[i] += op.window_sizes[i] - 1;  // slice1.copy-start

  Coordinates from = copy_start;
  for (const Coordinates& to : all_coordinates(op.output.sizes)) {
    for (std::size_t i = 0; i < to.size(); ++i) {  // slice1.copy
      const auto step = static_cast<std::int64_t>(to[i]) * op.window_strides[i];
      from[i] = copy_start[i] + static_cast<std::uint64_t>(step);
    }
    copy_element(output.at(to), input.at(from), input.size_bytes());
  }
  return {};
}

Freedom freedom(const Slice1& /*op*/, Version /*version*/, InputBuffers /*inputs*/) { return {}; }

}  // namespace opconform::reference
