// How descriptors are said with ONNX operators. Nothing is computed here but what the description of a node needs.
import {checkJoin, sliceBounds, splitSizes} from "../javascript/mappings.mjs";
import {notOffered} from "../javascript/opconform_process.mjs";

const ONNX_TYPES = {FLOAT16: "float16", FLOAT32: "float", FLOAT64: "double"};
const LEAST_INT64 = -(2n ** 63n);

/** The type of a tensor by its name in ONNX. */
export const onnxType = (type) => ONNX_TYPES[type] ?? type.toLowerCase();

/** An operand: where a case has it, and how. `role` is what bindings tell apart: values, or indices and the like. */
const operand = (one, name, field, role) => {
  const {type, sizes} = one.tensor(field);
  return {name, role, type: onnxType(type), sizes, contents: (given) => given.tensor(field).elements};
};
/** A parameter that is a field of the descriptor, and an operand in ONNX. */
export const integers = (name, numbers) => {
  const contents = BigInt64Array.from(numbers, BigInt);
  return {name, role: "indices", isParameter: true, type: "int64", sizes: [contents.length], contents: () => contents};
};
const result = (one, name, field) => {
  const {type, sizes} = one.tensor(field);
  return {name, field, type: onnxType(type), sizes};
};

function gather(one) {
  const {axis} = one.desc;
  return {
    opset: one.version, operation: "Gather", attributes: axis === undefined ? {} : {axis},
    inputs: [operand(one, "data", "data", "values"), operand(one, "indices", "indices", "indices")],
    outputs: [result(one, "output", "output")],
  };
}

/** ScatterElements has no unsigned indices. An index that no int64 holds cannot be said. */
function widened(indices) {
  if (indices.type !== "uint32" && indices.type !== "uint64") return indices;
  const contents = (given) => {
    const wide = BigInt64Array.from(indices.contents(given), BigInt);
    if (indices.type === "uint64" && wide.some((index) => index < 0n)) throw notOffered("no int64 holds an index");
    return wide;
  };
  return {...indices, type: "int64", contents};
}

function scatter(one, opset) {
  if (one.tensor("OutputTensor").rank !== one.tensor("InputTensor").rank)
    throw notOffered("ScatterElements makes the sizes of its output itself");
  return {
    opset, operation: "ScatterElements", attributes: {axis: one.desc.Axis}, grows: true,
    inputs: [
      operand(one, "data", "InputTensor", "values"),
      widened(operand(one, "indices", "IndicesTensor", "indices")),
      operand(one, "updates", "UpdatesTensor", "values"),
    ],
    outputs: [result(one, "output", "OutputTensor")],
  };
}

function split(one, opset) {
  return {
    opset, operation: "Split", attributes: {axis: one.desc.Axis}, sizesAddUp: true,
    inputs: [operand(one, "input", "InputTensor", "values"), integers("split", splitSizes(one.desc))],
    outputs: one.desc.OutputTensors.map((_, i) => result(one, `output${i}`, `OutputTensors[${i}]`)),
  };
}

function slice(one, opset) {
  const {starts, ends} = sliceBounds(one.desc);
  return {
    opset, operation: "Slice", attributes: {},
    inputs: [
      operand(one, "data", "InputTensor", "values"), integers("starts", starts),
      integers("ends", ends.map((end) => end ?? LEAST_INT64)), integers("axes", starts.keys()),
      integers("steps", one.desc.InputWindowStrides),
    ],
    outputs: [result(one, "output", "OutputTensor")],
  };
}

function concat(one, opset) {
  checkJoin(one.desc);
  return {
    opset, operation: "Concat", attributes: {axis: one.desc.Axis},
    inputs: one.desc.InputTensors.map((_, i) => operand(one, `input${i}`, `InputTensors[${i}]`, "values")),
    outputs: [result(one, "output", "OutputTensor")],
  };
}

/** By the operator's name: a function of a case, and of the opset in which DirectML's operators are said. */
export const MAPPINGS = {
  ONNX_GATHER: gather, DML_SCATTER: scatter, DML_SPLIT: split, DML_SLICE1: slice, DML_JOIN: concat,
};
