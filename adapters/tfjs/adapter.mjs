// TensorFlow.js behind the process protocol: README.md.
import {join} from "node:path";

import {failed, notOffered, serve} from "../javascript/opconform_process.mjs";
import {peerFolder, readOptions, requireFrom} from "../javascript/peers.mjs";
import {MAPPINGS} from "./operators.mjs";
import {PROMISE} from "./promise.mjs";

const {backend} = readOptions({backend: ["cpu", "wasm"]});
const require = requireFrom("tfjs");
const tf = require("@tensorflow/tfjs-core");
require(`@tensorflow/tfjs-backend-${backend}`);
if (backend === "wasm") {
  const wasm = require("@tensorflow/tfjs-backend-wasm");
  wasm.setWasmPaths(join(peerFolder("tfjs"), "node_modules/@tensorflow/tfjs-backend-wasm/dist/"));
  wasm.setThreadsCount?.(1);
}
if (!await tf.setBackend(backend)) throw new Error(`the backend ${backend} does not start`);
await tf.ready();

const TYPES = {FLOAT32: "float32", INT32: "int32", float: "float32", int32: "int32", bool: "bool"};
const ARRAYS = {float32: Float32Array, int32: Int32Array, bool: Uint8Array};

/** Of a tensor of a case, one of TensorFlow.js. */
function given(tensor) {
  const type = TYPES[tensor.type];
  if (!type) throw notOffered(`TensorFlow.js has no tensors of ${tensor.type}`);
  return tf.tensor(tensor.elements, tensor.sizes, type);
}

function take(found, tensor) {
  const sizes = tensor.sizes;
  if (found.shape.length !== sizes.length || found.shape.some((size, i) => size !== sizes[i])) {
    console.error(`a result came with sizes [${found.shape}] instead of [${sizes}]`);
    return;
  }
  const elements = ARRAYS[found.dtype].from(found.dataSync());
  tensor.buffer.set(new Uint8Array(elements.buffer));
}

function check(one) {
  if (!one.hasBuffers) throw notOffered("it is too large to be executed");
}

/** Every call is a run: nothing is prepared, so nothing can be rejected before. */
function run(one) {
  tf.tidy(() => {
    const {inputs, call, outputs} = MAPPINGS[one.operator](one);
    let results;
    const tensors = inputs.map((name) => given(one.tensor(name)));
    try {
      results = [call(tf, ...tensors)].flat();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;  // a trap: nothing after it counts
      throw failed(error.message);
    }
    results.forEach((found, i) => take(found, one.tensor(outputs[i])));
  });
}

const operators = Object.fromEntries(Object.keys(MAPPINGS).map((name) => [name, {check, run}]));
await serve({name: `tfjs ${backend}`, version: tf.version_core, promise: PROMISE}, operators);
