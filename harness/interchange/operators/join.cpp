// As ONNX Concat.

#include "harness/interchange/node.h"

namespace opconform::interchange {

std::string_view node_type(std::type_identity<DmlJoin> /*which*/) { return "Concat"; }

Node to_node(const DmlJoin& op, const Filled& filled) {
  Node node;
  node.op_type = node_type(std::type_identity<DmlJoin>{});
  node.opset = kOpsetOfDirectml;
  node.attributes.emplace_back("axis", std::int64_t{op.axis});
  for (std::size_t i = 0; i < op.inputs.size(); ++i)
    node.inputs.emplace_back(
        NodeInput{"input_" + std::to_string(i + 1), tensor_of(op.inputs[i], filled.inputs[i])});
  node.outputs = {{"concat_result", tensor_of(op.output, filled.outputs[0])}};
  return node;
}

Filled from_node(std::type_identity<DmlJoin> /*which*/, const Node& node) {
  const NodeTensor& output = demand_output(node, 0).tensor;
  DmlJoin op;
  op.output = packed_tensor(output.type, output.sizes);
  // Version 1 takes axis 1 where none is given.
  op.axis = static_cast<std::uint32_t>(
      axis_from_front(node.integer("axis").value_or(1), output.sizes.size()));
  Filled filled{{}, FeatureLevel::k6_4, {}, {output.elements}};
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const NodeTensor& input = demand_input(node, i).tensor;
    op.inputs.push_back(packed_tensor(input.type, input.sizes));
    filled.inputs.push_back(input.elements);
  }
  filled.op = op;
  return filled;
}

}  // namespace opconform::interchange
