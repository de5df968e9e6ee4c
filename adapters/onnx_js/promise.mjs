// What ONNX's operators say of DirectML's, where these are said with them.

/** A profile of docs/promises.md. */
export const PROMISE = {
  name: "onnx-models",
  says: "an engine of ONNX models, to which the operators were mapped",
  sources: [
    "ONNX, Gather and ScatterElements: an index outside of [-s, s-1] is an error; a negative one counts from the end.",
    "ONNX operators, ScatterElements, Split, Slice and Concat: what each says of ranks, types, sizes and the axis.",
    "Feature levels, windows and the sizes of outputs cannot be said in a model, and ONNX has empty tensors.",
  ],
  operators: {DML_SCATTER: {index_out_of_range: "error", negative_indices: "count-from-end"}},
  refusals: [
    "gather.axis-range", "gather.data-rank", "gather.same-data-type", "gather.support",
    "scatter.same-rank", "scatter.same-data-type", "scatter.updates-sizes", "scatter.axis-range",
    "split.output-count", "split.sizes-sum", "split.axis-range", "split.same-data-type",
    "slice1.stride-not-zero", "slice1.same-data-type",
    "join.input-count", "join.other-sizes", "join.axis-range", "join.same-rank", "join.same-data-type",
  ],
};

/** What shaders add to that: WGSL knows the bools true and false alone. */
export const WEBGPU_PROMISE = {
  name: "onnx-models-on-webgpu",
  sources: [...PROMISE.sources, "W3C WebGPU Shading Language, Boolean Type: the type has the values true and false."],
  bools: "normalised",
};
