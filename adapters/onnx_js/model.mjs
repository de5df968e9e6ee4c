// ONNX models, as bytes. The numbers of fields and types are those of onnx.proto.
import {Message} from "./protobuf.mjs";

const IR_VERSION = 8;  // from 4 on, an initializer need not be an input
const TYPES = ["", "float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "double",
  "uint32", "uint64", "complex64", "complex128", "bfloat16"];
const MODEL = {irVersion: 1, graph: 7, opsetImport: 8};
const OPSET = {version: 2};
const GRAPH = {node: 1, name: 2, initializer: 5, input: 11, output: 12};
const NODE = {input: 1, output: 2, opType: 4, attribute: 5};
const ATTRIBUTE = {name: 1, i: 3, type: 20};
const ATTRIBUTE_INT = 2;
const VALUE = {name: 1, type: 2};
const TENSOR_TYPE = {tensor: 1, element: 1, shape: 2};
const SHAPE = {dim: 1, value: 1, symbol: 2};
const TENSOR = {dims: 1, type: 2, strings: 6, name: 8, raw: 9};

/** `nodes`: [{operation, attributes: {name: integer}, inputs: [name], outputs: [name]}], each before those that read it. An
 *  input or output of the graph is {name, type, sizes}, where a size is a number or a symbol; an input that has `constant`,
 *  its bytes or its strings, is an initializer. */
export function makeModel({opset, nodes, inputs, outputs}) {
  const graph = new Message();
  for (const node of nodes) graph.message(GRAPH.node, nodeOf(node));
  graph.text(GRAPH.name, nodes.map(({operation}) => operation).join(" "));
  for (const input of inputs)
    if (input.constant) graph.message(GRAPH.initializer, tensor(input));
    else graph.message(GRAPH.input, value(input));
  for (const output of outputs) graph.message(GRAPH.output, value(output));
  return new Message().number(MODEL.irVersion, IR_VERSION).message(MODEL.graph, graph)
    .message(MODEL.opsetImport, new Message().number(OPSET.version, opset)).finish();
}

function nodeOf({operation, attributes, inputs, outputs}) {
  const node = new Message();
  for (const name of inputs) node.text(NODE.input, name);
  for (const name of outputs) node.text(NODE.output, name);
  node.text(NODE.opType, operation);
  for (const [name, value] of Object.entries(attributes))
    node.message(NODE.attribute, new Message().text(ATTRIBUTE.name, name).number(ATTRIBUTE.i, value)
      .number(ATTRIBUTE.type, ATTRIBUTE_INT));
  return node;
}

function value({name, type, sizes}) {
  const shape = new Message();
  for (const size of sizes)
    shape.message(SHAPE.dim, typeof size === "string" ? new Message().text(SHAPE.symbol, size)
      : new Message().number(SHAPE.value, size));
  const tensorType = new Message().number(TENSOR_TYPE.element, TYPES.indexOf(type)).message(TENSOR_TYPE.shape, shape);
  return new Message().text(VALUE.name, name).message(VALUE.type, new Message().message(TENSOR_TYPE.tensor, tensorType));
}

function tensor({name, type, sizes, constant}) {
  const message = new Message();
  for (const size of sizes) message.number(TENSOR.dims, size);
  message.number(TENSOR.type, TYPES.indexOf(type)).text(TENSOR.name, name);
  if (type === "string") for (const string of constant) message.bytes(TENSOR.strings, string);
  else message.bytes(TENSOR.raw, constant);
  return message;
}
