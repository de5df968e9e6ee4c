// As ONNX ScatterElements, whose indices are int32 or int64, may count from the end, and may leave
// out elements of other dimensions than the axis.

#include <algorithm>
#include <cstring>
#include <span>

#include "harness/base/index.h"
#include "harness/interchange/node.h"

namespace opconform::interchange {
namespace {

/// The same indices as int64. What lies beyond it lies outside of any tensor: no case is filled
/// then.
std::vector<std::byte> widened(const TensorDesc& indices, std::span<const std::byte> elements) {
  std::vector<std::byte> wide;
  const std::size_t width = indices.element_size_bytes();
  for (std::size_t at = 0; at < elements.size(); at += width) {
    const base::Index index = base::read_index(indices.data_type, elements.data() + at);
    if (!index.is_negative && index.bits >> 63U != 0)
      throw CannotSay("an index of IndicesTensor that int64 does not have");
    const auto* bytes = reinterpret_cast<const std::byte*>(&index.bits);
    wide.insert(wide.end(), bytes, bytes + sizeof index.bits);
  }
  return wide;
}

/// ONNX counts negative indices from the end, and rejects those outside; DirectML leaves both open.
void demand_inside(const NodeTensor& indices, std::uint64_t size) {
  if (!base::is_index_type(indices.type))
    throw CannotSay("indices that are no integers of 4 or 8 bytes");
  const std::size_t width = element_size_bytes(indices.type);
  for (std::size_t at = 0; at < indices.elements.size(); at += width) {
    const base::Index index = base::read_index(indices.type, indices.elements.data() + at);
    if (index.is_negative)
      throw CannotSay("negative indices, which DML_SCATTER does not count from the end");
    if (index.bits >= size) throw CannotSay("an index out of range");
  }
}

}  // namespace

std::string_view node_type(std::type_identity<Scatter> /*which*/) { return "ScatterElements"; }

Node to_node(const Scatter& op, const Filled& filled) {
  Node node;
  node.op_type = node_type(std::type_identity<Scatter>{});
  node.opset = kOpsetOfDirectml;
  node.attributes.emplace_back("axis", std::int64_t{op.axis});
  NodeTensor indices = tensor_of(op.indices, filled.inputs[1]);
  demand_inside(indices, op.input.sizes[op.axis]);
  if (indices.type == DataType::kUint32 || indices.type == DataType::kUint64) {
    indices.elements = widened(op.indices, indices.elements);
    indices.type = DataType::kInt64;
  }
  node.inputs = {NodeInput{"data", tensor_of(op.input, filled.inputs[0])},
                 NodeInput{"indices", std::move(indices)},
                 NodeInput{"updates", tensor_of(op.updates, filled.inputs[2])}};
  node.outputs = {{"output", tensor_of(op.output, filled.outputs[0])}};
  return node;
}

Filled from_node(std::type_identity<Scatter> /*which*/, const Node& node) {
  const NodeTensor& data = demand_input(node, 0).tensor;
  const NodeTensor& indices = demand_input(node, 1).tensor;
  const NodeTensor& updates = demand_input(node, 2).tensor;
  const NodeTensor& output = demand_output(node, 0).tensor;
  if (node.text("reduction").value_or("none") != "none") throw CannotSay("a reduction");
  Scatter op;
  op.input = packed_tensor(data.type, data.sizes);
  op.indices = packed_tensor(indices.type, indices.sizes);
  op.updates = packed_tensor(updates.type, updates.sizes);
  op.output = packed_tensor(output.type, output.sizes);
  op.axis = static_cast<std::uint32_t>(
      axis_from_front(node.integer("axis").value_or(0), data.sizes.size()));
  demand_inside(indices, data.sizes[op.axis]);
  return {op,
          FeatureLevel::k6_4,
          {data.elements, indices.elements, updates.elements},
          {output.elements}};
}

}  // namespace opconform::interchange
