// Parts become a tensor: what is cut apart elsewhere, the other way.
#include "bench/operators/join.h"

#include <string>

#include "bench/operators.h"

namespace opconform::bench {

DmlJoin join(DataType type, const Dims& sizes, std::uint32_t axis, std::size_t parts) {
  DmlJoin op;
  op.output = packed_tensor(type, sizes);
  op.axis = axis;
  Dims part = sizes;
  part[axis] /= parts;
  op.inputs.assign(parts, packed_tensor(type, part));
  return op;
}

Work work_of(const DmlJoin& op) {
  std::vector<Move> result;
  View target = whole(op.output, 0);
  for (std::size_t k = 0; k < op.inputs.size(); ++k) {
    target.sizes = op.inputs[k].sizes;
    result.push_back({whole(op.inputs[k], k), target, op.output.data_type});
    target.offset +=
        target.strides[op.axis] * static_cast<std::int64_t>(op.inputs[k].sizes[op.axis]);
  }
  return result;
}

std::size_t dimensions(const DmlJoin& op) { return op.output.rank(); }
void grow(const Growth& growth, DmlJoin& op) {
  const std::size_t i = growth.dimension;
  op.output.sizes[i] = 0;
  for (TensorDesc& input : op.inputs) {
    const bool grows_by_more = i != op.axis || &input == &op.inputs.front();
    input.sizes[i] = input.sizes[i] * growth.factor + (grows_by_more ? growth.more : 0);
    if (i == op.axis) op.output.sizes[i] += input.sizes[i];
  }
  if (i != op.axis) op.output.sizes[i] = op.inputs.front().sizes[i];
}
void lay_out(Layouts& layouts, DmlJoin& op) {
  for (std::size_t k = 0; k < op.inputs.size(); ++k)
    layouts.apply(k % 2 == 0 ? "input layout" : "second input's layout", op.inputs[k]);
  layouts.apply("output layout", op.output);
}
bool has_distinct_indices(const DmlJoin& /*op*/, const Layouts& /*layouts*/) { return true; }

namespace {

using enum DataType;

void add_joins(std::vector<Cell>& cells) {
  constexpr std::string_view kLast = "Join along the last axis";
  const auto add = [&](DataType type, const Dims& sizes, std::size_t parts,
                       std::string_view where) {
    cells.push_back(
        {"join " + std::to_string(parts) + "/" + std::string(short_name(type)) + std::string(where),
         kLast,
         join(type, sizes, static_cast<std::uint32_t>(sizes.size() - 1), parts),
         {}});
  };
  add(kUint8, {8, 512, 512, 3}, 3, "");
  add(kFloat32, {8, 512, 512, 3}, 3, "");
  add(kFloat32, {1U << 18, 8}, 8, "");
  add(kFloat32, {1U << 20, 2}, 2, "");
  add(kUint8, {1, 420, 420, 3}, 3, "/L2");
  add(kFloat32, {1, 210, 210, 3}, 3, "/L2");
  add(kFloat32, {1U << 14, 8}, 8, "/L2");
  add(kFloat32, {1U << 16, 2}, 2, "/L2");
  add(kUint8, {1U << 20, 4}, 4, "");
  add(kFloat16, {8, 512, 512, 3}, 3, "");
  add(kFloat64, {1U << 20, 2}, 2, "");
  add(kUint8, {1U << 20, 16}, 16, "");

  cells.push_back({"join 2/f32/channels", kRowCopies, join(kFloat32, {8, 64, 112, 112}, 1, 2), {}});
  cells.push_back(
      {"join 2/f32/channels/L2", kRowCopies, join(kFloat32, {1, 64, 48, 42}, 1, 2), {}});
  cells.push_back({"join 3/f16/heads", kRowCopies, join(kFloat16, {4096, 3 * 1024}, 1, 3), {}});
}

}  // namespace

void add_cells(std::type_identity<DmlJoin> /*op*/, std::vector<Cell>& cells) { add_joins(cells); }

void add_short_cells(std::type_identity<DmlJoin> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"join", "short", join(kFloat32, {100, 3}, 1, 3), {}});
}

void add_overheads(std::type_identity<DmlJoin> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"join 2/16 B", kOverhead, join(kFloat32, {2, 2}, 1, 2), {}});
}

}  // namespace opconform::bench
