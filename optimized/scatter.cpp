#include "optimized/program.h"

namespace opconform::optimized {

/// output = input; then output[p with its Axis coordinate replaced by indices[p]] = updates[p].
void lower(const Scatter& op, Version /*version*/, Program& program) {
  enum Input : std::size_t { kInput, kIndices, kUpdates };
  const std::size_t width = op.input.element_size_bytes();
  const Dims index_strides = effective_strides(op.indices);
  const Dims update_strides = effective_strides(op.updates);
  const Dims output_strides = effective_strides(op.output);

  program.indexed.emplace(IndexedStep{
      .indices = kIndices,
      .source = kUpdates,
      .move = {.width_bytes = width,
               .gathers = false,
               .index_type = op.indices.data_type,
               .axis_size = op.output.sizes[op.axis],
               .axis_stride_bytes = bytes(output_strides[op.axis], width),
               .negative_counts_from_end = true},  // levels below 3_0 have no signed indices
      .axis = op.axis});
  for (std::size_t i = 0; i < op.output.rank(); ++i)
    program.indexed->move.loops.push_back(
        {.count = static_cast<std::ptrdiff_t>(op.indices.sizes[i]),
         .source_stride = bytes(update_strides[i], width),
         .target_stride = i == op.axis ? 0 : bytes(output_strides[i], width),
         .index_stride = bytes(index_strides[i], op.indices.element_size_bytes())});
  copy_between(op.output.sizes, effective_strides(op.input), output_strides, width,
               program.copies.emplace_back(AffineCopy{}));
  program.steps.push_back({.input = kInput});
}

}  // namespace opconform::optimized
