// How descriptors are said with functions of TensorFlow.js: {inputs, outputs, call}, where call() takes the library and the
// inputs' tensors.
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
  if (input.Sizes.length !== 1 || indices.Sizes.length !== 1 || axis !== 0) throw notOffered("TensorFlow.js scatters along no axis");
  return {
    inputs: ["InputTensor", "IndicesTensor", "UpdatesTensor"], outputs: ["OutputTensor"],
    call: (tf, data, places, updates) => tf.tensorScatterUpdate(data, tf.reshape(places, [...places.shape, 1]), updates),
  };
}

function split(one) {
  const axis = one.desc.Axis;
  const outputs = one.desc.OutputTensors;
  if (outputs.some(({Sizes: sizes}) => axis >= sizes.length)) throw notOffered("split takes the sizes of outputs along the axis alone");
  return {
    inputs: ["InputTensor"], outputs: outputs.map((_, i) => `OutputTensors[${i}]`),
    call: (tf, input) => tf.split(input, outputs.map(({Sizes: sizes}) => sizes[axis]), axis),
  };
}

/** It takes no window, and no sizes of the output: the last element that the output needs says where the slice ends. */
function slice(one) {
  const {InputWindowOffsets: offsets, InputWindowSizes: windows, InputWindowStrides: steps, OutputTensor: output} = one.desc;
  const starts = offsets.map((offset, i) => (steps[i] < 0 ? offset + windows[i] - 1 : offset));
  const ends = starts.map((start, i) => start + steps[i] * (output.Sizes[i] - 1) + (steps[i] < 0 ? -1 : 1));
  // An end before the first element would be counted from the back: the mask says that there is none.
  const endless = ends.reduce((mask, end, i) => (end < 0 ? mask | (1 << i) : mask), 0);
  return {
    inputs: ["InputTensor"], outputs: ["OutputTensor"],
    call: (tf, input) => tf.stridedSlice(input, starts, ends, steps, 0, endless),
  };
}

function join(one) {
  return {
    inputs: one.desc.InputTensors.map((_, i) => `InputTensors[${i}]`), outputs: ["OutputTensor"],
    call: (tf, ...inputs) => tf.concat(inputs, one.desc.Axis),
  };
}

export const MAPPINGS = {ONNX_GATHER: gather, DML_SCATTER: scatter, DML_SPLIT: split, DML_SLICE1: slice, DML_JOIN: join};
