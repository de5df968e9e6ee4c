// As ONNX Split: the runs are the sizes of the outputs along the axis.

#include "harness/interchange/node.h"

namespace opconform::interchange {

std::string_view node_type(std::type_identity<Split> /*which*/) { return "Split"; }

Node to_node(const Split& op, const Filled& filled) {
  Node node;
  node.op_type = node_type(std::type_identity<Split>{});
  node.opset = kOpsetOfDirectml;
  node.attributes.emplace_back("axis", std::int64_t{op.axis});
  std::vector<std::int64_t> runs;
  for (std::size_t i = 0; i < op.outputs.size(); ++i) {
    runs.push_back(static_cast<std::int64_t>(op.outputs[i].sizes[op.axis]));
    node.outputs.push_back(
        {"output_" + std::to_string(i + 1), tensor_of(op.outputs[i], filled.outputs[i])});
  }
  node.inputs = {NodeInput{"input", tensor_of(op.input, filled.inputs[0])},
                 constant("split", runs)};
  return node;
}

Filled from_node(std::type_identity<Split> /*which*/, const Node& node) {
  const NodeTensor& input = demand_input(node, 0).tensor;
  Split op;
  op.input = packed_tensor(input.type, input.sizes);
  op.axis = static_cast<std::uint32_t>(
      axis_from_front(node.integer("axis").value_or(0), input.sizes.size()));
  Filled filled{{}, FeatureLevel::k6_4, {input.elements}, {}};
  // Runs that are not given are those of the outputs.
  for (const NodeOutput& output : node.outputs) {
    op.outputs.push_back(packed_tensor(output.tensor.type, output.tensor.sizes));
    filled.outputs.push_back(output.tensor.elements);
  }
  filled.op = op;
  return filled;
}

}  // namespace opconform::interchange
