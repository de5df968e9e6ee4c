#include "optimized/program.h"

namespace opconform::optimized {

/// output[j..., i..., l...] = data[j..., indices[i...], l...], all three packed.
void lower(const OnnxGather& op, Version version, Program& program) {
  enum Input : std::size_t { kData, kIndices };
  const std::size_t width = op.data.element_size_bytes();
  const std::size_t axis = op.axis_from_front();
  const Dims data_strides = packed_strides(op.data.sizes);
  const Dims index_strides = packed_strides(op.indices.sizes);
  const Dims output_strides = packed_strides(op.output.sizes);

  program.indexed.emplace(IndexedStep{
      .indices = kIndices,
      .source = kData,
      .move = {.width_bytes = width,
               .gathers = true,
               .index_type = op.indices.data_type,
               .axis_size = op.data.sizes[axis],
               .axis_stride_bytes = bytes(data_strides[axis], width),
               .negative_counts_from_end = version >= OnnxGather::kNegativeIndicesSince,
               .checked_indices = CheckedIndices{op.indices.sizes, OnnxGather::index_error}},
      .axis = axis});
  for (std::size_t to = 0; to < op.output.rank(); ++to) {
    Loop loop{.count = static_cast<std::ptrdiff_t>(op.output.sizes[to]),
              .target_stride = bytes(output_strides[to], width)};
    if (to < axis)
      loop.source_stride = bytes(data_strides[to], width);
    else if (to < axis + op.indices.rank())
      loop.index_stride = bytes(index_strides[to - axis], op.indices.element_size_bytes());
    else
      loop.source_stride = bytes(data_strides[to - op.indices.rank() + 1], width);
    program.indexed->move.loops.push_back(loop);
  }
}

}  // namespace opconform::optimized
