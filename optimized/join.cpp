#include "optimized/program.h"

namespace opconform::optimized {

/// Input k: output[c, moved along the axis by the sizes of the inputs before k] = input[c].
void lower(const DmlJoin& op, Version /*version*/, Program& program) {
  const std::size_t width = op.output.element_size_bytes();
  const Dims strides = effective_strides(op.output);
  std::uint64_t before = 0;
  for (const TensorDesc& input : op.inputs) {
    const std::size_t k = program.steps.size();
    if (k == 0 || input != op.inputs[k - 1])
      copy_between(input.sizes, effective_strides(input), strides, width,
                   program.copies.emplace_back(AffineCopy{}));
    program.steps.push_back({.input = k,
                             .target_offset_bytes = bytes(before * strides[op.axis], width),
                             .copy = program.copies.size() - 1});
    before += input.sizes[op.axis];
  }
}

}  // namespace opconform::optimized
