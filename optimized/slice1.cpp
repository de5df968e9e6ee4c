#include "optimized/program.h"

namespace opconform::optimized {

/// output[c] = input[start + c * window_stride], dimension by dimension; start is the window's
/// first element, or its last where the stride is negative.
Program lower(const Slice1& op, Version /*version*/) {
  const std::size_t width = op.input.element_size_bytes();
  const Dims input_strides = effective_strides(op.input);
  const Dims output_strides = effective_strides(op.output);
  AffineCopy copy{.width_bytes = width, .source_offset_bytes = 0, .loops = {}};
  std::uint64_t start_elements = 0;
  for (std::size_t i = 0; i < op.output.rank(); ++i) {
    const std::int64_t window_stride = op.window_strides[i];
    const std::uint64_t last = std::uint64_t{op.window_offsets[i]} + op.window_sizes[i] - 1;
    const std::uint64_t start = window_stride < 0 ? last : op.window_offsets[i];
    start_elements += start * input_strides[i];
    copy.loops.push_back({.count = static_cast<std::ptrdiff_t>(op.output.sizes[i]),
                          .source_stride = bytes(
                              static_cast<std::uint64_t>(window_stride) * input_strides[i], width),
                          .target_stride = bytes(output_strides[i], width)});
  }
  copy.source_offset_bytes = bytes(start_elements, width);
  return {.copies = {{.input = 0, .output = 0, .copy = copy}}, .indexed = std::nullopt};
}

}  // namespace opconform::optimized
