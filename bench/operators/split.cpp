// Parts of a tensor.
#include "bench/operators/split.h"

#include <string>

#include "bench/operators.h"

namespace opconform::bench {

Split split(DataType type, const Dims& sizes, std::uint32_t axis, std::size_t parts) {
  Split op;
  op.input = packed_tensor(type, sizes);
  op.axis = axis;
  Dims part = sizes;
  part[axis] /= parts;
  op.outputs.assign(parts, packed_tensor(type, part));
  return op;
}

Work work_of(const Split& op) {
  std::vector<Move> result;
  View source = whole(op.input, 0);
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    source.sizes = op.outputs[k].sizes;
    result.push_back({source, whole(op.outputs[k], k), op.input.data_type});
    source.offset +=
        source.strides[op.axis] * static_cast<std::int64_t>(op.outputs[k].sizes[op.axis]);
  }
  return result;
}

std::size_t dimensions(const Split& op) { return op.input.rank(); }
void grow(const Growth& growth, Split& op) {
  const std::size_t i = growth.dimension;
  op.input.sizes[i] = 0;
  for (TensorDesc& output : op.outputs) {
    const bool grows_by_more = i != op.axis || &output == &op.outputs.front();
    output.sizes[i] = output.sizes[i] * growth.factor + (grows_by_more ? growth.more : 0);
    if (i == op.axis) op.input.sizes[i] += output.sizes[i];
  }
  if (i != op.axis) op.input.sizes[i] = op.outputs.front().sizes[i];
}
void lay_out(Layouts& layouts, Split& op) {
  layouts.apply("input layout", op.input);
  for (std::size_t k = 0; k < op.outputs.size(); ++k)
    layouts.apply(k % 2 == 0 ? "output layout" : "second output's layout", op.outputs[k]);
}
bool has_distinct_indices(const Split& /*op*/, const Layouts& /*layouts*/) { return true; }

namespace {

using enum DataType;

void add_splits(std::vector<Cell>& cells) {
  constexpr std::string_view kLast = "Split of the last axis";
  const auto add = [&](DataType type, const Dims& sizes, std::size_t parts, std::string_view where,
                       Marks marks) {
    cells.push_back({"split " + std::to_string(parts) + "/" + std::string(short_name(type)) +
                         std::string(where),
                     kLast, split(type, sizes, static_cast<std::uint32_t>(sizes.size() - 1), parts),
                     marks});
  };
  add(kUint8, {8, 512, 512, 3}, 3, "", {2.7, 1.7});
  add(kFloat32, {8, 512, 512, 3}, 3, "", {1.5, 1.7});
  add(kFloat32, {1U << 18, 8}, 8, "", {3, 1.7});
  add(kFloat32, {1U << 20, 2}, 2, "", {1.1, 1.7});
  add(kUint8, {1, 420, 420, 3}, 3, "/L2", {2.7, 1.7});
  add(kFloat32, {1, 210, 210, 3}, 3, "/L2", {1.5, 1.7});
  add(kFloat32, {1U << 14, 8}, 8, "/L2", {3, 1.7});
  add(kFloat32, {1U << 16, 2}, 2, "/L2", {1.1, 1.7});
  add(kUint8, {1U << 20, 4}, 4, "", {});
  add(kFloat16, {8, 512, 512, 3}, 3, "", {});
  add(kFloat64, {1U << 20, 2}, 2, "", {});
  add(kUint8, {1U << 20, 16}, 16, "", {});

  cells.push_back(
      {"split 2/f32/channels", kRowCopies, split(kFloat32, {8, 64, 112, 112}, 1, 2), {1.2, 1.5}});
  cells.push_back(
      {"split 2/f32/channels/L2", kRowCopies, split(kFloat32, {1, 64, 48, 42}, 1, 2), {1.2, 1.5}});
  cells.push_back(
      {"split 3/f16/heads", kRowCopies, split(kFloat16, {4096, 3 * 1024}, 1, 3), {1.2, 1.5}});
}

}  // namespace

void add_cells(std::type_identity<Split> /*op*/, std::vector<Cell>& cells) { add_splits(cells); }

void add_short_cells(std::type_identity<Split> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"split", "short", split(kFloat32, {100, 3}, 1, 3), {}});
}

void add_overheads(std::type_identity<Split> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"split 2/16 B", kOverhead, split(kFloat32, {2, 2}, 1, 2), {}});
}

}  // namespace opconform::bench
