// How descriptors are said with functions of TensorFlow.js: {inputs, outputs, call}, where call() takes the library and the
// inputs' tensors.
import {checkJoin, sliceBounds, splitSizes} from "../javascript/mappings.mjs";
import {notOffered} from "../javascript/opconform_process.mjs";

const NO_WIDER_INDICES = "TensorFlow.js has no indices but int32";

function gather(one) {
  if (one.desc.indices.type !== "int32") throw notOffered(NO_WIDER_INDICES);
  return {
    inputs: ["data", "indices"], outputs: ["output"],
    call: (tf, data, indices) => tf.gather(data, indices, one.desc.axis ?? 0),
  };
}

/** It scatters whole rows of the first dimensions: of a vector, elements. */
function scatter(one) {
  const {InputTensor: input, IndicesTensor: indices, Axis: axis} = one.desc;
  if (indices.DataType !== "INT32") throw notOffered(NO_WIDER_INDICES);
  if (input.Sizes.length !== 1 || indices.Sizes.length !== 1 || axis !== 0)
    throw notOffered("TensorFlow.js scatters along no axis");
  // Finding TFJS-1: with WebAssembly, memory of something else is written then. Later cases are not to blame.
  one.spoiled = one.tensor("IndicesTensor").elements.some((index) => index < 0 || index >= input.Sizes[0]);
  return {
    inputs: ["InputTensor", "IndicesTensor", "UpdatesTensor"], outputs: ["OutputTensor"],
    call: (tf, data, places, updates) => tf.tensorScatterUpdate(data, tf.reshape(places, [...places.shape, 1]), updates),
  };
}

function split(one) {
  const sizes = splitSizes(one.desc);
  return {
    inputs: ["InputTensor"], outputs: sizes.map((_, i) => `OutputTensors[${i}]`),
    call: (tf, input) => tf.split(input, sizes, one.desc.Axis),
  };
}

function slice(one) {
  const {starts, ends} = sliceBounds(one.desc);
  const endless = ends.reduce((mask, end, i) => (end === undefined ? mask | (1 << i) : mask), 0);
  return {
    inputs: ["InputTensor"], outputs: ["OutputTensor"],
    call: (tf, input) =>
      tf.stridedSlice(input, starts, ends.map((end) => end ?? 0), one.desc.InputWindowStrides, 0, endless),
  };
}

function join(one) {
  checkJoin(one.desc);
  return {
    inputs: one.desc.InputTensors.map((_, i) => `InputTensors[${i}]`), outputs: ["OutputTensor"],
    call: (tf, ...inputs) => tf.concat(inputs, one.desc.Axis),
  };
}

export const MAPPINGS = {ONNX_GATHER: gather, DML_SCATTER: scatter, DML_SPLIT: split, DML_SLICE1: slice, DML_JOIN: join};
