// What TensorFlow.js says of what the operators were mapped to.

/** A profile of docs/promises.md. */
export const PROMISE = {
  name: "tfjs",
  says: "functions of TensorFlow.js, to which the operators were mapped",
  sources: [
    "TensorFlow.js, tensorScatterUpdate(): the last of duplicates is picked; on a CPU an index out of bounds is an error.",
    "TensorFlow.js, gather(): its kernels say that an index must be in [0, size - 1]; so a negative one is an error.",
    "TensorFlow.js, type Rank: R0 to R6. Type DataType: float32, int32, bool, complex64 and string.",
    "ECMAScript, SetValueInBuffer: which NaN is written is left open, and the kernels read and write numbers.",
  ],
  operators: {
    ONNX_GATHER: {
      data_types: ["float", "int32", "bool"], index_types: ["int32"], ranks: {least: 0, most: 6},
      negative_indices: "error",
    },
    DML_SCATTER: {
      data_types: ["FLOAT32", "INT32"], index_types: ["INT32"], ranks: {least: 1, most: 1},
      index_out_of_range: "error", negative_indices: "error", overlapping_writes: "last",
    },
    "*": {data_types: ["FLOAT32", "INT32"], ranks: {least: 1, most: 6}},
  },
  refusals: [
    "gather.axis-range", "gather.data-rank",
    "scatter.updates-sizes", "split.sizes-sum", "split.axis-range", "slice1.stride-not-zero",
    "join.input-count", "join.other-sizes", "join.axis-range", "join.same-rank",
  ],
  bools: "normalised",
  nan_payloads: "any",
  signalling_nans: "quietened",
};
