// A runtime of ONNX models with the interface of ONNX Runtime's bindings: something to try adapters/onnx_js on.
//
//   node small_runtime.mjs company=NAME
//
// With OPCONFORM_MISBEHAVE it has one of the bugs below, which models of one node do not show.
import {readOptions} from "../../adapters/javascript/peers.mjs";
import {COMPANIES} from "../../adapters/onnx_js/company.mjs";
import {serveOnnxRuntime} from "../../adapters/onnx_js/onnxruntime.mjs";

const BUG = process.env.OPCONFORM_MISBEHAVE ?? "";
const is = (name) => BUG === name;
const BUGS = [
  "",
  "second-reader-gets-zeros",  // of two nodes that read a value
  "unread-outputs-close-up",  // the pieces go to those outputs of a Split that somebody reads
  "indices-converted-once",  // a negative index becomes that of the first node's axis, for every node
  "sizes-kept-for-first-axis",  // the second Split of a model is cut along the first one's axis
  "slices-merged-without-clamp",  // a Slice of a Slice ends where it says, not where the first one ends
  "parts-begin-at-the-whole",  // what follows a Split reads from where the whole begins
  "transposes-cancelled",  // around a node whose axis stays what it was
];
if (!BUGS.includes(BUG)) throw new Error(`no bug ${BUG}`);

// onnx.proto, as far as adapters/onnx_js writes it.
const TYPES = {1: Float32Array, 2: Uint8Array, 3: Int8Array, 4: Uint16Array, 5: Int16Array, 6: Int32Array, 7: BigInt64Array,
  9: Uint8Array, 10: Uint16Array, 11: Float64Array, 12: Uint32Array, 13: BigUint64Array};
const STRING = 8;
const text = (bytes) => new TextDecoder().decode(bytes);

/** The fields of a message: lists of integers, and of bytes. */
function fields(bytes) {
  const found = {};
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      value |= BigInt(bytes[at] & 0x7f) << shift;
      if (bytes[at++] < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const field = (found[key >> 3] ??= []);
    if ((key & 7) === 0) {
      field.push(BigInt.asIntN(64, varint()));
    } else {
      const length = Number(varint());
      field.push(bytes.subarray(at, at += length));
    }
  }
  return found;
}

const product = (sizes) => sizes.reduce((all, size) => all * size, 1);
const numbers = ({data}) => Array.from(data, Number);
/** To move single elements: a number may make a signalling NaN quiet. */
const bits = (data) => (data instanceof Float32Array ? new Uint32Array(data.buffer, data.byteOffset, data.length)
  : data instanceof Float64Array ? new BigUint64Array(data.buffer, data.byteOffset, data.length) : data);
const room = ({data}, count) => (Array.isArray(data) ? new Array(count).fill("") : new data.constructor(count));

/** The coordinates of every element, in row-major order. */
function* places(dims) {
  const place = dims.map(() => 0);
  for (let left = product(dims); left > 0; --left) {
    yield place;
    for (let k = dims.length - 1; k >= 0 && ++place[k] === dims[k]; --k) place[k] = 0;
  }
}
const offset = (dims, place) => dims.reduce((at, size, k) => at * size + place[k], 0);
/** A tensor whose elements come from those of another. */
function picked(source, dims, from) {
  const data = room(source, product(dims));
  const [to, whole] = [bits(data), bits(source.data)];
  let i = 0;
  for (const place of places(dims)) to[i++] = whole[offset(source.dims, from(place))];
  return {dims, data};
}
function rejectIf(condition, why) {
  if (condition) throw new Error(why);
}
function frontAxis({axis = 0n}, {dims}) {
  rejectIf(axis < -dims.length || axis >= dims.length, "the axis is out of range");
  return Number(axis) + (axis < 0 ? dims.length : 0);
}

/** Indices as coordinates of an axis. */
function converted(indices, size, {kept}) {
  const list = numbers(indices).map((index) => {
    rejectIf(index < -size || index >= size, `index ${index} is out of range`);
    return index < 0 ? index + size : index;
  });
  if (!is("indices-converted-once")) return list;
  if (!kept.has(indices)) kept.set(indices, list);
  return kept.get(indices);
}

const RUNS = {
  Identity: (_node, tensor) => [tensor],
  Transpose: (_node, tensor) => [is("transposes-cancelled") ? tensor
    : picked(tensor, [...tensor.dims].reverse(), (place) => [...place].reverse())],
  Gather(node, data, indices) {
    const axis = frontAxis(node.attributes, data), rank = indices.dims.length;
    const list = converted(indices, data.dims[axis], node.session);
    const dims = [...data.dims.slice(0, axis), ...indices.dims, ...data.dims.slice(axis + 1)];
    return [picked(data, dims, (place) => [...place.slice(0, axis),
      list[offset(indices.dims, place.slice(axis, axis + rank))], ...place.slice(axis + rank)])];
  },
  ScatterElements(node, data, indices, updates) {
    const axis = frontAxis(node.attributes, data);
    const list = converted(indices, data.dims[axis], node.session);
    const result = picked(data, data.dims, (place) => place);
    const [to, from] = [bits(result.data), bits(updates.data)];
    let i = 0;
    for (const place of places(indices.dims)) {
      to[offset(data.dims, place.map((at, k) => (k === axis ? list[i] : at)))] = from[i];
      ++i;
    }
    return [result];
  },
  Split(node, whole, lengths) {
    let axis = frontAxis(node.attributes, whole);
    if (is("sizes-kept-for-first-axis")) axis = node.session.kept.get(lengths) ?? (node.session.kept.set(lengths, axis), axis);
    const sizes = numbers(lengths);
    let begin = 0;
    return sizes.map((size) => {
      const first = begin;
      begin += size;
      const dims = whole.dims.map((own, k) => (k === axis ? size : own));
      return {...picked(whole, dims, (place) => place.map((at, k) => at + (k === axis ? first : 0))), whole};
    });
  },
  Slice(_node, data, starts, ends, axes, steps) {
    const step = steps ? numbers(steps) : numbers(starts).map(() => 1);
    const begin = data.dims.map(() => 0), by = data.dims.map(() => 1), dims = [...data.dims];
    let source = data;
    if (is("slices-merged-without-clamp") && data.window) source = data.window.source;
    numbers(axes).forEach((axis, i) => {
      const size = data.dims[axis], isBack = step[i] < 0;
      rejectIf(step[i] === 0, "a step is 0");
      const clamp = (place, most) => Math.min(Math.max(place < 0 ? place + size : place, isBack ? -1 : 0), most);
      const first = clamp(numbers(starts)[i], isBack ? size - 1 : size);
      const most = source === data ? size : source.dims[axis] - data.window.begin[axis];
      const last = clamp(numbers(ends)[i], isBack ? size - 1 : most);
      begin[axis] = first + (source === data ? 0 : data.window.begin[axis]);
      by[axis] = step[i];
      dims[axis] = Math.max(0, Math.ceil((last - first) / step[i]));
    });
    const result = picked(source, dims, (place) => place.map((at, k) => begin[k] + at * by[k]));
    return [{...result, window: {source, begin}}];
  },
  Concat(node, ...tensors) {
    const axis = frontAxis(node.attributes, tensors[0]);
    const dims = tensors[0].dims.map((size, k) => (k === axis ? tensors.reduce((sum, one) => sum + one.dims[k], 0) : size));
    const result = {dims, data: room(tensors[0], product(dims))};
    const to = bits(result.data);
    let begin = 0;
    for (const one of tensors) {
      const from = bits(one.data);
      let i = 0;
      for (const place of places(one.dims)) to[offset(dims, place.map((at, k) => at + (k === axis ? begin : 0)))] = from[i++];
      begin += one.dims[axis];
    }
    return [result];
  },
};

class Tensor {
  constructor(type, data, dims) { Object.assign(this, {type, data, dims}); }
}

class InferenceSession {
  static create(model) { return Promise.resolve(new InferenceSession(fields(fields(model)[7][0]))); }
  constructor(graph) {
    this.nodes = (graph[1] ?? []).map(fields).map((node) => ({
      session: this, operation: text(node[4][0]), inputs: (node[1] ?? []).map(text), outputs: node[2].map(text),
      attributes: Object.fromEntries((node[5] ?? []).map(fields).map((one) => [text(one[1][0]), (one[3] ?? [0n])[0]])),
    }));
    this.constants = (graph[5] ?? []).map(fields).map((one) => [text(one[8][0]), constant(one)]);
    this.outputs = graph[12].map((value) => text(fields(value)[1][0]));
  }
  release() {}

  async run(feeds) {
    this.kept = new Map();
    const values = new Map([...Object.entries(feeds), ...this.constants]);
    const readers = new Map();
    for (const node of this.nodes) {
      const operands = node.inputs.map((name) => {
        readers.set(name, (readers.get(name) ?? 0) + 1);
        return this.seen(values.get(name), readers.get(name));
      });
      const results = RUNS[node.operation](node, ...operands);
      const read = node.outputs.filter((name) => !is("unread-outputs-close-up") || this.isRead(name));
      read.forEach((name, i) => values.set(name, results[i]));
    }
    return Object.fromEntries(this.outputs.map((name) => [name, values.get(name)]));
  }
  isRead(name) { return this.outputs.includes(name) || this.nodes.some(({inputs}) => inputs.includes(name)); }
  /** What a node sees of a value. */
  seen(tensor, reader) {
    if (is("second-reader-gets-zeros") && reader === 2) return {...tensor, data: room(tensor, tensor.data.length)};
    if (is("parts-begin-at-the-whole") && tensor.whole)
      return {...tensor, data: tensor.whole.data.slice(0, tensor.data.length)};
    return tensor;
  }
}

function constant(one) {
  const type = Number(one[2][0]);
  const dims = (one[1] ?? []).map(Number);
  if (type === STRING) return {dims, data: (one[6] ?? []).map(text)};
  return {dims, data: new TYPES[type](one[9] ? one[9][0].slice().buffer : 0)};
}

const {company} = readOptions({company: Object.keys(COMPANIES)});
// It errs in what it may: it sees no broken rule.
const promise = {refusals: "none", after_error: "anything"};
await serveOnnxRuntime({InferenceSession, Tensor}, {name: "small-runtime", version: "1", options: {}, promise, company});
