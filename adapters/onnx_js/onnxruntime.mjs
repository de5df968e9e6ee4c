// ONNX Runtime behind the process protocol: its bindings for Node and for the web have the same interface.
import {failed, notOffered, refused, serve} from "../javascript/opconform_process.mjs";
import {COMPANIES} from "./company.mjs";
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

// The runtime's words for what it lacks: a kernel, a provider's kernel, any provider's; and a feature of the device.
const LACKS = /NOT_IMPLEMENTED|ERROR_CODE: 9|fallback to CPU EP has been explicitly disabled|Provider type for .* is not set/;
const DEVICE_LACKS = /the device does not support it/;

class Adapter {
  constructor(ort, options, opset, company, float16) {
    this.ort = ort;
    this.sessions = new Sessions(ort, options);
    this.opset = opset;
    this.graphsOf = COMPANIES[company];
    this.float16 = float16;
  }

  async check(one) {
    const node = MAPPINGS[one.operator](one, this.opset);
    const {inputs, outputs} = node;
    const lacking = [...inputs, ...outputs].find(({type}) => NO_TENSORS.includes(type));
    if (lacking) throw notOffered(`${lacking.type} has no tensors in JavaScript`);
    one.kept.graphs = this.graphsOf(node);
    if (one.hasBuffers) return;
    // Whatever the sizes are, the models can be loaded.
    for (const graph of one.kept.graphs)
      await this.ort.InferenceSession.create(makeModel(graph), this.sessions.options)
        .then((session) => session.release(), (error) => { throw refused(error.message); });
    throw notOffered("it loads, and is too large to be executed");
  }

  async run(one) {
    const found = [];
    for (const graph of one.kept.graphs) found.push(...await this.#run(one, graph));
    for (const output of new Set(found.flatMap(({of}) => of ?? [])))
      take(found.filter(({of}) => of === output), one.tensor(output.field));
  }

  /** What came of each output of a graph. */
  async #run(one, graph) {
    const isSymbolic = one.binding.includes("symbolic-shapes");
    const constants = ["values", "indices"].filter((role) => one.binding.includes("constant-" + role));
    const feeds = {};
    const inputs = graph.inputs.map((input) => {
      const contents = input.contents(one);
      if (constants.includes(input.role)) return constant(input, contents);
      const elements = input.type === "string" ? decoded(contents) : contents;
      feeds[input.name] = new this.ort.Tensor(tensorType(input.type), elements, input.sizes);
      return isSymbolic ? symbolic(input) : input;
    });
    const outputs = isSymbolic ? graph.outputs.map(symbolic) : graph.outputs;
    const model = makeModel({...graph, inputs, outputs});
    let results;
    try {
      results = await this.sessions.run(model, feeds);
    } catch (error) {
      throw this.#answerOf(error, constants.length > 0);
    }
    return graph.outputs.map((output) => ({...output, found: results[output.name]}));
  }

  /** What an error of the engine means. A model with constants can fail to load for what they hold. */
  #answerOf({message, isOfModel}, hasConstants) {
    const isLacking = LACKS.test(message) || (this.float16 === "not-offered" && DEVICE_LACKS.test(message));
    if (isLacking) return notOffered(message);
    return isOfModel && !hasConstants ? refused(message) : failed(message);
  }
}

function constant(input, contents) {
  // onnx.proto: a bool is 0 or 1.
  if (input.type === "bool" && contents.some((byte) => byte > 1)) throw notOffered("a model holds no such bools");
  return {...input, constant: input.type === "string" ? contents : bytesOf(contents)};
}
const symbolic = (tensor) => ({...tensor, sizes: tensor.sizes.map((_, i) => `${tensor.name}_${i}`)});
const bytesOf = (elements) => new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);

/** Puts a result, which may have come several times, into the output. One of another shape stays out, and so do some that
 *  differ: what was due there is seen to be missing. */
function take(all, tensor) {
  for (const {name, sizes, found} of all)
    if (found.dims.length !== sizes.length || found.dims.some((size, i) => size !== sizes[i])) {
      console.error(`${name} came with sizes [${found.dims}] instead of [${sizes}]`);
      return;
    }
  const [first, ...others] = all.map(({name, found: {data}, original}) => ({name, elements: bare(original ? original(data) : data)}));
  for (const {name, elements} of others) {
    const at = elements.findIndex((element, i) => element !== first.elements[i]);
    if (at >= 0) {
      console.error(`${first.name} and ${name} differ, first at byte or string ${at}`);
      return;
    }
  }
  if (tensor.type === "string") first.elements.forEach((string, i) => { tensor.buffer[i] = encoder.encode(string); });
  else tensor.buffer.set(first.elements);
}
/** Strings, or bytes. */
const bare = (elements) => (Array.isArray(elements) ? elements : bytesOf(elements));

/** Serves the runtime. `options` are those of its sessions; `opset` is that of DirectML's operators; `promise` is what the
 *  provider promises besides; `company` is in which each node stands. */
export async function serveOnnxRuntime(ort, {name, version, options, opset = 13, promise = {}, company = "none", float16 = "not-offered"}, transport) {
  const adapter = new Adapter(ort, options, opset, company, float16);
  const operator = {check: (one) => adapter.check(one), run: (one) => adapter.run(one)};
  const operators = Object.fromEntries(Object.keys(MAPPINGS).map((name) => [name, operator]));
  await serve({name, version, bindings: BINDINGS, promise: {...PROMISE, ...promise}}, operators, transport);
}
