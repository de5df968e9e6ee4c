// What mapping DirectML's descriptors to the operators of ONNX, TensorFlow and their kin has in common. These make the
// sizes of their outputs themselves: where a descriptor says something else of an output, that cannot be said to them.
import {notOffered} from "./opconform_process.mjs";

/** What a split takes: the sizes of the outputs along the axis. */
export function splitSizes({OutputTensors: outputs, Axis: axis}) {
  if (outputs.some(({Sizes: sizes}) => axis >= sizes.length))
    throw notOffered("of outputs, a split takes the sizes along the axis alone");
  return outputs.map(({Sizes: sizes}) => sizes[axis]);
}

/** Where a slice starts and ends. It takes no window, and no sizes of the output: the last element that the output needs
 *  says where it ends. An end before the first element is undefined: a number would be counted from the back. */
export function sliceBounds(desc) {
  const {InputWindowOffsets: offsets, InputWindowSizes: windows, InputWindowStrides: steps} = desc;
  const starts = offsets.map((offset, i) => (steps[i] < 0 ? offset + windows[i] - 1 : offset));
  const ends = starts.map((start, i) => {
    const last = start + steps[i] * ((desc.OutputTensor.Sizes[i] ?? 1) - 1);
    return last + (steps[i] < 0 ? -1 : 1);
  });
  return {starts, ends: ends.map((end) => (end < 0 ? undefined : end))};
}

/** Inputs that differ among themselves, and an axis that there is not, are the engine's business; an output that differs
 *  from all of them cannot be said. */
export function checkJoin({InputTensors: inputs, OutputTensor: output, Axis: axis}) {
  if (inputs.length === 0) return;
  const like = (one, other) =>
    one.length === other.length && one.every((size, i) => i === axis || size === other[i]);
  const [first, ...others] = inputs.map(({Sizes: sizes}) => sizes);
  const isOdd = output.Sizes.length !== first.length || (axis < first.length && !like(output.Sizes, first));
  if (isOdd && others.every((sizes) => like(sizes, first)))
    throw notOffered("a concatenation makes the sizes of its output itself");
}
