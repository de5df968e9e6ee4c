// ONNX's own operator: nothing needs to be said in other words.

#include "harness/interchange/node.h"

namespace opconform::interchange {

std::string_view node_type(std::type_identity<OnnxGather> /*which*/) { return "Gather"; }

Node to_node(const OnnxGather& op, const Filled& filled) {
  Node node;
  node.op_type = node_type(std::type_identity<OnnxGather>{});
  node.opset = filled.version.number();
  if (op.axis) node.attributes.emplace_back("axis", *op.axis);
  node.inputs = {NodeInput{"data", tensor_of(op.data, filled.inputs[0])},
                 NodeInput{"indices", tensor_of(op.indices, filled.inputs[1])}};
  node.outputs = {{"output", tensor_of(op.output, filled.outputs[0])}};
  return node;
}

Filled from_node(std::type_identity<OnnxGather> /*which*/, const Node& node) {
  const NodeTensor& data = demand_input(node, 0).tensor;
  const NodeTensor& indices = demand_input(node, 1).tensor;
  const NodeTensor& output = demand_output(node, 0).tensor;
  OnnxGather op;
  op.data = packed_tensor(data.type, data.sizes);
  op.indices = packed_tensor(indices.type, indices.sizes);
  op.output = packed_tensor(output.type, output.sizes);
  op.axis = node.integer("axis");
  return {op, Version::opset(node.opset), {data.elements, indices.elements}, {output.elements}};
}

}  // namespace opconform::interchange
