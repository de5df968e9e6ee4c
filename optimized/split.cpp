#include "optimized/program.h"

namespace opconform::optimized {

/// Output k: output[c] = input[c, moved along the axis by the sizes of the outputs before k].
Program lower(const Split& op, Version /*version*/) {
  const std::size_t width = op.input.element_size_bytes();
  const Dims input_strides = effective_strides(op.input);
  Program program;
  program.copies.reserve(op.outputs.size());
  std::uint64_t before = 0;
  for (const TensorDesc& output : op.outputs) {
    const Dims output_strides = effective_strides(output);
    AffineCopy copy{.width_bytes = width,
                    .source_offset_bytes = bytes(before * input_strides[op.axis], width),
                    .loops = {}};
    for (std::size_t i = 0; i < output.rank(); ++i)
      copy.loops.push_back({.count = static_cast<std::ptrdiff_t>(output.sizes[i]),
                            .source_stride = bytes(input_strides[i], width),
                            .target_stride = bytes(output_strides[i], width)});
    program.copies.push_back({.input = 0, .output = program.copies.size(), .copy = copy});
    before += output.sizes[op.axis];
  }
  return program;
}

}  // namespace opconform::optimized
