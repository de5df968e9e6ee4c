// The Web Neural Network API of the browser: graphs of one operation.
import {checkJoin, splitSizes} from "../javascript/mappings.mjs";
import {failed, notOffered, refused, serve} from "../javascript/opconform_process.mjs";

const INDEX_TYPES = ["int32", "uint32", "int64"];
const TYPES = {FLOAT32: "float32", FLOAT16: "float16", float: "float32"};
const webnnType = (type) => TYPES[type] ?? type.toLowerCase();

/** By operator: the inputs that are values and those that are indices, the outputs, and the operation. */
const MAPPINGS = {
  ONNX_GATHER: ({desc}) => ({
    values: ["data"], indices: ["indices"], outputs: ["output"],
    // There is no axis from the back.
    build: (builder, data, indices) =>
      builder.gather(data, indices, {axis: fromFront(desc.axis ?? 0, desc.data.shape.length)}),
  }),
  DML_SCATTER: ({desc}) => ({
    values: ["InputTensor", "UpdatesTensor"], indices: ["IndicesTensor"], outputs: ["OutputTensor"],
    build: (builder, data, updates, indices) => builder.scatterElements(data, indices, updates, {axis: desc.Axis}),
  }),
  DML_SPLIT: ({desc}) => ({
    values: ["InputTensor"], indices: [], outputs: desc.OutputTensors.map((_, i) => `OutputTensors[${i}]`),
    build: (builder, input) => builder.split(input, splitSizes(desc), {axis: desc.Axis}),
  }),
  DML_SLICE1: ({desc}) => {
    const {InputWindowOffsets: starts, InputWindowStrides: strides, OutputTensor: output} = desc;
    if (strides.some((stride) => stride < 0)) throw notOffered("slice() has no negative strides");
    // It takes a window, too, but the smallest one that the output needs.
    const sizes = output.Sizes.map((size, i) => 1 + (size - 1) * strides[i]);
    return {
      values: ["InputTensor"], indices: [], outputs: ["OutputTensor"],
      build: (builder, input) => builder.slice(input, starts, sizes, {strides}),
    };
  },
  DML_JOIN: ({desc}) => {
    checkJoin(desc);
    return {
      values: desc.InputTensors.map((_, i) => `InputTensors[${i}]`), indices: [], outputs: ["OutputTensor"],
      build: (builder, ...inputs) => builder.concat(inputs, desc.Axis),
    };
  },
};
const fromFront = (axis, rank) => (axis < 0 ? axis + rank : axis);

class Adapter {
  constructor(context) { this.context = context; }

  check(one) {
    if (!one.hasBuffers) throw notOffered("it is too large to be executed");
    one.kept.mapping = MAPPINGS[one.operator](one);
    for (const name of one.kept.mapping.indices)
      if (!INDEX_TYPES.includes(webnnType(one.tensor(name).type))) throw notOffered("there are no such indices");
  }

  async run(one) {
    const {values, indices, outputs, build} = one.kept.mapping;
    const inputs = {}, results = {};
    let graph;
    try {
      const builder = new MLGraphBuilder(this.context);
      const operands = [...values, ...indices].map((name) => {
        const {type, sizes, buffer} = one.tensor(name);
        const descriptor = {dataType: webnnType(type), shape: sizes};
        const role = values.includes(name) ? "constant-values" : "constant-indices";
        if (one.binding.includes(role)) return builder.constant(descriptor, buffer);
        inputs[name] = {...descriptor, writable: true};
        return builder.input(name, descriptor);
      });
      const made = [build(builder, ...operands)].flat();
      made.forEach(({dataType, shape}, i) => { results[outputs[i]] = {dataType, shape, readable: true}; });
      graph = await builder.build(Object.fromEntries(made.map((operand, i) => [outputs[i], operand])));
    } catch (error) {
      throw refused(error.message);
    }
    try {
      await this.#dispatch(one, graph, inputs, results);
    } catch (error) {
      throw failed(error.message);
    } finally {
      graph.destroy?.();
    }
  }

  async #dispatch(one, graph, inputs, results) {
    const create = async (descriptors) => Object.fromEntries(await Promise.all(Object.entries(descriptors)
      .map(async ([name, descriptor]) => [name, await this.context.createTensor(descriptor)])));
    const given = await create(inputs), made = await create(results);
    for (const [name, tensor] of Object.entries(given)) this.context.writeTensor(tensor, one.tensor(name).buffer);
    this.context.dispatch(graph, given, made);
    for (const [name, tensor] of Object.entries(made)) {
      const found = new Uint8Array(await this.context.readTensor(tensor));
      const {buffer, sizes} = one.tensor(name);
      if (String(tensor.shape) === String(sizes)) buffer.set(found);
      else console.error(`${name} came with sizes [${tensor.shape}] instead of [${sizes}]`);
    }
    for (const tensor of [...Object.values(given), ...Object.values(made)]) tensor.destroy();
  }
}

/** Where the browser has no backend, every case is answered with what it says of that. */
async function connect() {
  if (!navigator.ml) return {why: "this browser has no navigator.ml"};
  try {
    return {context: await navigator.ml.createContext({deviceType: "cpu"})};
  } catch (error) {
    return {why: `navigator.ml has no backend: ${error.message}`};
  }
}

export async function serveEngine(_options, transport) {
  const {context, why} = await connect();
  const adapter = new Adapter(context);
  const operator = context ? {check: (one) => adapter.check(one), run: (one) => adapter.run(one)}
    : {check() { throw notOffered(why); }};
  const operators = Object.fromEntries(Object.keys(MAPPINGS).map((name) => [name, operator]));
  await serve({
    name: "webnn", version: navigator.userAgent, promise: "webnn",
    bindings: ["run-time", "constant-values", "constant-indices"],
  }, operators, transport);
}
