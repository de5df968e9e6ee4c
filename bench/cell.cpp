#include "bench/cell.h"

#include <cstdlib>

namespace opconform::bench {

std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  for (const auto add :
       {add_slices, add_splits, add_layouts, add_gathers, add_scatters, add_overheads})
    add(cells);
  return cells;
}

std::vector<Cell> short_cells() {
  using enum DataType;
  std::vector<Cell> cells{
      {"reverse", "short", slice(kUint8, {3, 5, 257}, {1, 1, -1}), {}},
      {"stride 2", "short", slice(kFloat32, {31, 63}, {-2, 2}), {}},
      {"split", "short", split(kFloat32, {100, 3}, 1, 3), {}},
      {"transpose", "short", layout_copy(kFloat32, {37, 65}, {}, {1, 37}), {}},
      {"broadcast", "short", layout_copy(kUint8, {64, 100}, {0, 1}, {}), {}},
      {"gather rows", "short", gather(kFloat16, {100, 33}, 0, {7, 3}), {}},
      {"gather elements", "short", gather(kFloat64, {20, 100}, 1, {17}, kInt32), {}},
      {"scatter", "short", scatter(kFloat32, {64, 32}, 0, {16, 32}), {}},
      {"strings", "short", gather(kString, {50}, 0, {20}), {}},
  };
  add_overheads(cells);
  return cells;
}

Slice1 slice(DataType type, const Dims& sizes, const std::vector<std::int32_t>& window_strides,
             const std::vector<std::uint32_t>& window_offsets,
             const std::vector<std::uint32_t>& window_sizes) {
  Slice1 op;
  op.input = packed_tensor(type, sizes);
  Dims output_sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    op.window_offsets.push_back(window_offsets.empty() ? 0 : window_offsets[i]);
    op.window_sizes.push_back(window_sizes.empty() ? static_cast<std::uint32_t>(sizes[i])
                                                   : window_sizes[i]);
    op.window_strides.push_back(window_strides[i]);
    output_sizes.push_back(1 + (op.window_sizes[i] - 1) /
                                   static_cast<std::uint32_t>(std::abs(window_strides[i])));
  }
  op.output = packed_tensor(type, output_sizes);
  return op;
}

Slice1 layout_copy(DataType type, const Dims& sizes, const Dims& source_strides,
                   const Dims& target_strides) {
  Slice1 op = slice(type, sizes, std::vector<std::int32_t>(sizes.size(), 1));
  if (!source_strides.empty()) op.input = strided_tensor(type, sizes, source_strides);
  if (!target_strides.empty()) op.output = strided_tensor(type, sizes, target_strides);
  return op;
}

Split split(DataType type, const Dims& sizes, std::uint32_t axis, std::size_t parts) {
  Split op;
  op.input = packed_tensor(type, sizes);
  op.axis = axis;
  Dims part = sizes;
  part[axis] /= parts;
  op.outputs.assign(parts, packed_tensor(type, part));
  return op;
}

OnnxGather gather(DataType type, const Dims& sizes, std::int64_t axis, const Dims& index_sizes,
                  DataType index_type) {
  OnnxGather op;
  op.data = {.data_type = type, .sizes = sizes, .strides = {}};
  op.indices = {.data_type = index_type, .sizes = index_sizes, .strides = {}};
  op.axis = axis;
  const auto place = static_cast<std::size_t>(axis);
  Dims output_sizes(sizes.begin(), sizes.begin() + place);
  for (const std::uint64_t size : index_sizes) output_sizes.push_back(size);
  for (std::size_t i = place + 1; i < sizes.size(); ++i) output_sizes.push_back(sizes[i]);
  op.output = {.data_type = type, .sizes = output_sizes, .strides = {}};
  return op;
}

Scatter scatter(DataType type, const Dims& sizes, std::uint32_t axis, const Dims& index_sizes,
                DataType index_type) {
  Scatter op;
  op.input = op.output = packed_tensor(type, sizes);
  op.indices = packed_tensor(index_type, index_sizes);
  op.updates = packed_tensor(type, index_sizes);
  op.axis = axis;
  return op;
}

std::string_view short_name(DataType type) {
  using enum DataType;
  switch (type) {
    case kFloat64:
      return "f64";
    case kFloat32:
      return "f32";
    case kFloat16:
      return "f16";
    case kUint8:
      return "u8";
    case kString:
      return "string";
    default:
      return name(type, Dialect::kOnnx);
  }
}

}  // namespace opconform::bench
