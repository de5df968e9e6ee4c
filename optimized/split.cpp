#include "optimized/program.h"

namespace opconform::optimized {

/// Output k: output[c] = input[c, moved along the axis by the sizes of the outputs before k].
void lower(const Split& op, Version /*version*/, Program& program) {
  const std::size_t width = op.input.element_size_bytes();
  const Dims strides = effective_strides(op.input);
  std::uint64_t before = 0;
  for (const TensorDesc& output : op.outputs) {
    const std::size_t k = program.steps.size();
    if (k == 0 || output != op.outputs[k - 1])
      copy_between(output.sizes, strides, effective_strides(output), width,
                   program.copies.emplace_back(AffineCopy{}));
    program.steps.push_back({.output = k,
                             .source_offset_bytes = bytes(before * strides[op.axis], width),
                             .copy = program.copies.size() - 1});
    before += output.sizes[op.axis];
  }
}

}  // namespace opconform::optimized
