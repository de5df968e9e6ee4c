// ONNX Runtime behind the process protocol: its bindings for Node and for the web have the same interface.
import {failed, notOffered, refused, serve} from "../javascript/opconform_process.mjs";
import {makeModel} from "./model.mjs";
import {MAPPINGS} from "./operators.mjs";
import {PROMISE} from "./promise.mjs";

const NO_TENSORS = ["bfloat16", "complex64", "complex128"];  // of these types in JavaScript
const BINDINGS = ["", "constant-values", "constant-indices", "constant-values+constant-indices"]
  .flatMap((constants) => [constants || "run-time", constants ? constants + "+symbolic-shapes" : "symbolic-shapes"]);
const KEPT_SESSIONS = 64;
const KEPT_MODEL_BYTES = 1 << 14;  // a larger one is not worth keeping
const tensorType = (type) => ({float: "float32", double: "float64"})[type] ?? type;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true});
/** Strings of JavaScript; other bytes than UTF-8's cannot become one. */
function decoded(strings) {
  try {
    return strings.map((bytes) => decoder.decode(bytes));
  } catch {
    throw notOffered("JavaScript has no string of these bytes");
  }
}

/** Sessions by their models, the least recently used first. */
class Sessions {
  #kept = new Map();
  constructor(ort, options) {
    this.ort = ort;
    this.options = options;
  }
  async run(model, feeds) {
    const key = model.length <= KEPT_MODEL_BYTES ? String.fromCharCode(...model) : undefined;
    const session = await this.#session(key, model);
    try {
      return await session.run(feeds);
    } finally {
      if (key === undefined) await session.release();
    }
  }
  async #session(key, model) {
    let session = this.#kept.get(key);
    if (session) this.#kept.delete(key);
    else session = await this.#create(model);
    if (key !== undefined) this.#kept.set(key, session);
    if (this.#kept.size > KEPT_SESSIONS) {
      const [oldest, unused] = this.#kept.entries().next().value;
      this.#kept.delete(oldest);
      await unused.release();
    }
    return session;
  }
  async #create(model) {
    try {
      return await this.ort.InferenceSession.create(model, this.options);
    } catch (error) {
      throw Object.assign(error, {isOfModel: true});
    }
  }
}

// The runtime's words for what it lacks: a kernel, a provider's kernel, any provider's, a feature of the device.
const LACKS = new RegExp(["NOT_IMPLEMENTED", "ERROR_CODE: 9", "fallback to CPU EP has been explicitly disabled",
  "Provider type for .* is not set", "the device does not support it"].join("|"));

/** What an error of the engine means. A model with constants can fail to load for what they hold. */
function answerOf({message, isOfModel}, hasConstants) {
  if (LACKS.test(message)) return notOffered(message);
  return isOfModel && !hasConstants ? refused(message) : failed(message);
}

class Adapter {
  constructor(ort, options, opset) {
    this.ort = ort;
    this.sessions = new Sessions(ort, options);
    this.opset = opset;
  }

  async check(one) {
    one.kept.node = MAPPINGS[one.operator](one, this.opset);
    const {inputs, outputs} = one.kept.node;
    const lacking = [...inputs, ...outputs].find(({type}) => NO_TENSORS.includes(type));
    if (lacking) throw notOffered(`${lacking.type} has no tensors in JavaScript`);
    if (one.hasBuffers) return;
    // Whatever the sizes are, the model can be loaded.
    const model = makeModel(one.kept.node);
    await this.ort.InferenceSession.create(model, this.sessions.options)
      .then((session) => session.release(), (error) => { throw refused(error.message); });
    throw notOffered("it loads, and is too large to be executed");
  }

  async run(one) {
    const isSymbolic = one.binding.includes("symbolic-shapes");
    const constants = ["values", "indices"].filter((role) => one.binding.includes("constant-" + role));
    const feeds = {};
    const inputs = one.kept.node.inputs.map((input) => {
      const contents = input.contents(one);
      if (constants.includes(input.role)) return constant(input, contents);
      const elements = input.type === "string" ? decoded(contents) : contents;
      feeds[input.name] = new this.ort.Tensor(tensorType(input.type), elements, input.sizes);
      return isSymbolic ? symbolic(input) : input;
    });
    const outputs = isSymbolic ? one.kept.node.outputs.map(symbolic) : one.kept.node.outputs;
    const model = makeModel({...one.kept.node, inputs, outputs});
    let results;
    try {
      results = await this.sessions.run(model, feeds);
    } catch (error) {
      throw answerOf(error, constants.length > 0);
    }
    for (const output of one.kept.node.outputs) take(results[output.name], output, one.tensor(output.field));
  }
}

function constant(input, contents) {
  // onnx.proto: a bool is 0 or 1.
  if (input.type === "bool" && contents.some((byte) => byte > 1)) throw notOffered("a model holds no such bools");
  return {...input, constant: input.type === "string" ? contents : bytesOf(contents)};
}
const symbolic = (tensor) => ({...tensor, sizes: tensor.sizes.map((_, i) => `${tensor.name}_${i}`)});
const bytesOf = (elements) => new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);

/** Puts a result into the output. One of another shape stays out: what was due there is seen to be missing. */
function take(found, {name, sizes}, tensor) {
  if (found.dims.length !== sizes.length || found.dims.some((size, i) => size !== sizes[i])) {
    console.error(`${name} came with sizes [${found.dims}] instead of [${sizes}]`);
    return;
  }
  if (tensor.type === "string") found.data.forEach((string, i) => { tensor.buffer[i] = encoder.encode(string); });
  else tensor.buffer.set(bytesOf(found.data));
}

/** Serves the runtime. `options` are those of its sessions; `opset` is that of DirectML's operators; `promise` is what the
 *  provider promises besides. */
export async function serveOnnxRuntime(ort, {name, version, options, opset = 13, promise = {}}, transport) {
  const adapter = new Adapter(ort, options, opset);
  const operator = {check: (one) => adapter.check(one), run: (one) => adapter.run(one)};
  const operators = Object.fromEntries(Object.keys(MAPPINGS).map((name) => [name, operator]));
  await serve({name, version, bindings: BINDINGS, promise: {...PROMISE, ...promise}}, operators, transport);
}
