// LiteRT.js in a page: models of one operator.
import {loadAndCompile, loadLiteRt, Tensor, unloadLiteRt} from "/packages/@litertjs/core/dist/index.js";

import {checkJoin, sliceBounds, splitSizes} from "../javascript/mappings.mjs";
import {failed, notOffered, serve} from "../javascript/opconform_process.mjs";
import {makeModel} from "./litert_model.mjs";

const TYPES = {FLOAT32: "float32", INT32: "int32", UINT8: "uint8", float: "float32", int32: "int32", uint8: "uint8"};

const PROMISE = {
  name: "litert",
  says: "LiteRT models, to whose operators the operators were mapped",
  sources: [
    "LiteRT.js, type DataTypeMapping: float32, int32 and uint8 have tensors in JavaScript.",
    "LiteRT, litert_tensor_buffer.h: a buffer without bytes cannot be made, and so no tensor without elements.",
    "TensorFlow, tf.gather: indices lie in [0, size); on a CPU another one is an error.",
  ],
  operators: {
    DML_SCATTER: "not-offered",
    ONNX_GATHER: {data_types: ["float", "int32", "uint8"], index_types: ["int32"], negative_indices: "error"},
    "*": {data_types: ["FLOAT32", "INT32", "UINT8"]},
  },
  refusals: [
    "gather.axis-range", "gather.data-rank", "gather.same-data-type",
    "split.sizes-sum", "split.axis-range", "split.same-data-type", "slice1.stride-not-zero", "slice1.same-data-type",
    "join.input-count", "join.other-sizes", "join.axis-range", "join.same-rank", "join.same-data-type",
  ],
  empty_tensors: "not-offered",
};

const operand = (one, field, role) => {
  const {type, sizes} = one.tensor(field);
  if (!TYPES[type]) throw notOffered(`LiteRT.js has no tensors of ${type}`);
  return {name: field, field, role, type: TYPES[type], sizes};
};
/** A parameter is part of the model. */
const parameter = (name, values, sizes = [values.length]) =>
  ({name, type: "int32", sizes, constant: new Uint8Array(Int32Array.from(values).buffer)});

/** By operator: a function of a case, for makeModel(). */
const MAPPINGS = {
  ONNX_GATHER: (one) => ({
    operation: "GATHER", options: [one.desc.axis ?? 0, 0],
    inputs: [operand(one, "data", "values"), operand(one, "indices", "indices")], outputs: [operand(one, "output")],
  }),
  DML_SPLIT: (one) => {
    const sizes = splitSizes(one.desc);
    return {
      operation: "SPLIT_V", options: [sizes.length],
      inputs: [operand(one, "InputTensor", "values"), parameter("sizes", sizes), parameter("axis", [one.desc.Axis], [])],
      outputs: sizes.map((_, i) => operand(one, `OutputTensors[${i}]`)),
    };
  },
  DML_SLICE1: (one) => {
    const {starts, ends} = sliceBounds(one.desc);
    const endless = ends.reduce((mask, end, i) => (end === undefined ? mask | (1 << i) : mask), 0);
    if ([...starts, ...ends].some((place) => place >= 2 ** 31)) throw notOffered("no int32 holds an offset");
    return {
      operation: "STRIDED_SLICE", options: [0, endless, 0, 0, 0],
      inputs: [
        operand(one, "InputTensor", "values"), parameter("begin", starts), parameter("end", ends.map((end) => end ?? 0)),
        parameter("strides", one.desc.InputWindowStrides),
      ],
      outputs: [operand(one, "OutputTensor")],
    };
  },
  DML_JOIN: (one) => {
    checkJoin(one.desc);
    return {
      operation: "CONCATENATION", options: [one.desc.Axis, 0],
      inputs: one.desc.InputTensors.map((_, i) => operand(one, `InputTensors[${i}]`, "values")),
      outputs: [operand(one, "OutputTensor")],
    };
  },
};

function check(one) {
  if (!one.hasBuffers) throw notOffered("it is too large to be executed");
  one.kept.model = MAPPINGS[one.operator](one);
}

async function run(one) {
  const {inputs, outputs} = one.kept.model;
  const isConstant = ({role}) => one.binding.includes("constant-" + role);
  const model = {...one.kept.model, inputs: inputs.map((input) =>
    (isConstant(input) ? {...input, constant: one.tensor(input.field).buffer} : input))};
  const owned = [];  // it is freed by hand
  const own = (object) => (owned.push(object), object);
  try {
    const compiled = own(await loadAndCompile(makeModel(model), {accelerator: "wasm"}));
    const given = model.inputs.filter(({constant}) => !constant)
      .map(({field, sizes}) => own(new Tensor(one.tensor(field).elements, sizes)));
    (await compiled.run(given)).forEach((found, i) => take(own(found), one.tensor(outputs[i].field)));
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      owned.length = 0;  // They went down with the module.
      await load();
    }
    throw failed(error.message);
  } finally {
    for (const object of owned) object.delete();
  }
}

/** The module, anew where there is one: after a trap, nothing that it does counts. */
async function load() {
  unloadLiteRt();
  await loadLiteRt("/packages/@litertjs/core/wasm/");
}

function take(found, {buffer, sizes}) {
  const shape = [...found.type.layout.dimensions];
  if (String(shape) !== String(sizes)) return console.error(`an output came with sizes [${shape}] instead of [${sizes}]`);
  const elements = found.toTypedArray();
  buffer.set(new Uint8Array(elements.buffer, elements.byteOffset, buffer.length));
}

export async function serveEngine(_options, transport) {
  await load();
  const {version} = await (await fetch("/packages/@litertjs/core/package.json")).json();
  const operators = Object.fromEntries(Object.keys(MAPPINGS).map((name) => [name, {check, run}]));
  await serve({name: "litert.js wasm", version, promise: PROMISE,
    bindings: ["run-time", "constant-values", "constant-indices"]}, operators, transport);
}
