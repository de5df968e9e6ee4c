#include "optimized/program.h"

namespace opconform::optimized {

/// output[c] = input[start + c * window_stride], dimension by dimension; start is the window's
/// first element, or its last where the stride is negative.
void lower(const Slice1& op, Version /*version*/, Program& program) {
  const std::size_t width = op.input.element_size_bytes();
  Dims strides = effective_strides(op.input);
  std::uint64_t start_elements = 0;
  for (std::size_t i = 0; i < op.output.rank(); ++i) {
    const std::int64_t window_stride = op.window_strides[i];
    const std::uint64_t last = std::uint64_t{op.window_offsets[i]} + op.window_sizes[i] - 1;
    const std::uint64_t start = window_stride < 0 ? last : op.window_offsets[i];
    start_elements += start * strides[i];
    strides[i] *= static_cast<std::uint64_t>(window_stride);
  }
  copy_between(op.output.sizes, strides, effective_strides(op.output), width,
               program.copies.emplace_back(AffineCopy{}));
  program.steps.push_back({.source_offset_bytes = bytes(start_elements, width)});
}

}  // namespace opconform::optimized
