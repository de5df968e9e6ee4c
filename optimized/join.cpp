#include "optimized/program.h"

namespace opconform::optimized {

/// Input k: output[c, moved along the axis by the sizes of the inputs before k] = input[c].
Program lower(const DmlJoin& op, Version /*version*/) {
  const std::size_t width = op.output.element_size_bytes();
  const Dims output_strides = effective_strides(op.output);
  Program program;
  program.copies.reserve(op.inputs.size());
  std::uint64_t before = 0;
  for (const TensorDesc& input : op.inputs) {
    const Dims input_strides = effective_strides(input);
    AffineCopy copy{.width_bytes = width,
                    .target_offset_bytes = bytes(before * output_strides[op.axis], width),
                    .loops = {}};
    for (std::size_t i = 0; i < input.rank(); ++i)
      copy.loops.push_back({.count = static_cast<std::ptrdiff_t>(input.sizes[i]),
                            .source_stride = bytes(input_strides[i], width),
                            .target_stride = bytes(output_strides[i], width)});
    program.copies.push_back({.input = program.copies.size(), .output = 0, .copy = copy});
    before += input.sizes[op.axis];
  }
  return program;
}

}  // namespace opconform::optimized
