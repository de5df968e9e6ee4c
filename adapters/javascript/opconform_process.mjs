// The framing of docs/protocol.md, so that a program is a check and a function of tensors. For Node, without packages, and
// for a page in a browser, which gives serve() a transport:
//
//   import {refuseIf, serve} from "./opconform_process.mjs";
//   function check(one) { ... }  // rejects what is wrong with the descriptor; needed where it may be wrong
//   async function run(one) { one.tensor("OutputTensor").elements[0] = 1; }  // writes the outputs
//   serve({name: "mine", version: "1.0"}, {OPERATOR: {check, run}});

const PROTOCOL = 1;
const BYTES = {};
for (const [size, names] of [
  [1, "INT8 UINT8 int8 uint8 bool"],
  [2, "FLOAT16 INT16 UINT16 float16 int16 uint16 bfloat16"],
  [4, "FLOAT32 INT32 UINT32 float int32 uint32"],
  [8, "FLOAT64 INT64 UINT64 double int64 uint64 complex64"],
  [16, "complex128"],
]) for (const name of names.split(" ")) BYTES[name] = size;
// Types whose elements are no numbers of JavaScript are seen as unsigned integers of their size.
const ARRAYS = {
  INT8: Int8Array, INT16: Int16Array, INT32: Int32Array, INT64: BigInt64Array, UINT64: BigUint64Array, FLOAT32: Float32Array,
  FLOAT64: Float64Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array, uint64: BigUint64Array,
  float: Float32Array, double: Float64Array,
};
const BY_SIZE = {1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Uint32Array, 16: Uint32Array};

/** Ends a case with something else than outputs. Rules are those of `opconform spec`, where they are known. */
export class Answer extends Error {
  constructor(status, text, {rules = [], spoiled = false} = {}) {
    super(text);
    this.reply = {status, text, rules, spoiled};
  }
}
/** The descriptor breaks a rule. */
export const refused = (text, more) => new Answer("refused", text, more);
/** This is no part of what is implemented. */
export const notOffered = (text, more) => new Answer("not-offered", text, more);
/** An error of the execution, such as an index out of range. */
export const failed = (text, more) => new Answer("failed", text, more);
/** Something else than what is to be judged ran it. */
export const ranElsewhere = (text, more) => new Answer("ran-elsewhere", text, more);
export function refuseIf(condition, text) {
  if (condition) throw refused(text);
}

/** A tensor with the contents of its buffer: a Uint8Array, to be written to where it is an output. Of strings, an array. */
export class Tensor {
  constructor(desc, buffer) {
    this.desc = desc;
    this.type = desc.DataType ?? desc.type;
    this.sizes = desc.Sizes ?? desc.shape;
    this.strides = desc.Strides;  // in elements; undefined: packed
    this.buffer = buffer;
  }
  get rank() { return this.sizes.length; }
  get elementBytes() { return BYTES[this.type]; }
  /** Above 2^53, only near enough to compare it with a limit. */
  get count() { return this.sizes.reduce((product, size) => product * size, 1); }
  /** The strides, the packed ones where there are none; as many as sizes, unless the descriptor breaks that rule. */
  get effectiveStrides() {
    let step = 1;
    return this.strides ?? this.sizes.map((_, i, sizes) => (i > 0 ? step *= sizes[sizes.length - i] : 1)).reverse();
  }
  /** What a buffer needs up to the last element, in whole steps of 4 bytes, as DirectML counts. */
  get leastBytes() {
    if (this.sizes.includes(0)) return 0;
    const last = this.sizes.reduce((sum, size, i) => sum + (size - 1) * (this.effectiveStrides[i] ?? 0), 0);
    return Math.ceil((last + 1) * this.elementBytes / 4) * 4;
  }
  /** TotalTensorSizeInBytes of DirectML, for layouts: "any"; left out, it is the least. */
  get totalBytes() { return this.desc.TotalTensorSizeInBytes ?? this.leastBytes; }
  /** Where each element lies in `elements`, in row-major order. */
  offsets() {
    return this.effectiveStrides.reduce((offsets, step, k) =>
      offsets.flatMap((offset) => Array.from({length: this.sizes[k]}, (_, i) => offset + i * step)), [0]);
  }
  /** A typed array of the buffer; of complex types and 64-bit integers without one, see ARRAYS. */
  get elements() { return this.type === "string" ? this.buffer : this.#as(ARRAYS[this.type] ?? BY_SIZE[this.elementBytes]); }
  /** As `elements`, of up to 8 bytes each, as unsigned integers: a number may make a signalling NaN quiet. */
  get bits() { return this.#as(this.elementBytes === 8 ? BigUint64Array : BY_SIZE[this.elementBytes]); }
  #as(Elements) {
    // Its size is a multiple of 4 bytes alone: the last ones may be no element.
    const count = Math.floor(this.buffer.byteLength / Elements.BYTES_PER_ELEMENT);
    return new Elements(this.buffer.buffer, this.buffer.byteOffset, count);
  }
}

/** A request. `desc` is what a case file has; `version` is a feature level such as "2_1", or an opset. */
export class Case {
  #strings;
  #tensors = new Map();
  constructor(request, strings, kept) {
    this.operator = request.operator;
    this.version = request.feature_level ?? request.opset;
    this.desc = request.desc;
    this.binding = request.binding ?? "run-time";
    this.kept = kept;  // an object that stays as long as the descriptor: for a session, say
    this.spoiled = undefined;  // true: what follows in this process may be wrong
    this.hasBuffers = request.inputs !== undefined;
    this.inputs = request.inputs ?? {};
    this.outputs = request.outputs ?? {};
    this.#strings = strings;
  }
  /** By its field: "InputTensor", "OutputTensors[1]". */
  tensor(name) {
    if (!this.#tensors.has(name)) {
      const [field, place] = name.split("[");
      const desc = place === undefined ? this.desc[field] : this.desc[field][parseInt(place, 10)];
      const number = this.inputs[name] ?? this.outputs[name];
      // A copy begins where every type of elements may.
      const buffer = !this.hasBuffers ? undefined
        : desc.type === "string" ? unpack(this.#strings[number]) : this.#strings[number].slice();
      this.#tensors.set(name, new Tensor(desc, buffer));
    }
    return this.#tensors.get(name);
  }
  /** Those of an array of tensors. */
  tensors(field) {
    return this.desc[field].map((_, i) => this.tensor(`${field}[${i}]`));
  }
  /** The buffers of the outputs, as a reply has them. */
  results() {
    return Object.keys(this.outputs).map((name) => {
      const {type, buffer} = this.tensor(name);
      return type === "string" ? pack(buffer) : buffer;
    });
  }
}

/** A message: count, lengths, strings. Tensors of strings look alike. */
export function pack(strings) {
  const head = 4 + 4 * strings.length;
  const bytes = new Uint8Array(strings.reduce((sum, string) => sum + string.length, head));
  const numbers = new DataView(bytes.buffer);
  numbers.setUint32(0, strings.length, true);
  let at = head;
  strings.forEach((string, i) => {
    numbers.setUint32(4 + 4 * i, string.length, true);
    bytes.set(string, at);
    at += string.length;
  });
  return bytes;
}
export function unpack(message) {
  const numbers = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const strings = [];
  let at = 4 + 4 * numbers.getUint32(0, true);
  for (let i = 0; i < numbers.getUint32(0, true); ++i) {
    const length = numbers.getUint32(4 + 4 * i, true);
    strings.push(message.subarray(at, at + length));
    at += length;
  }
  return strings;
}

/** Collects what a transport reads, until a message is whole. */
class Messages {
  #transport;
  #bytes = new Uint8Array(1 << 16);
  #size = 0;
  constructor(transport) { this.#transport = transport; }

  async #have(count) {
    while (this.#size < count) {
      const chunk = await this.#transport.read();
      if (!chunk) return false;
      if (this.#size + chunk.length > this.#bytes.length) {
        const larger = new Uint8Array(2 * (this.#size + chunk.length));
        larger.set(this.#bytes.subarray(0, this.#size));
        this.#bytes = larger;
      }
      this.#bytes.set(chunk, this.#size);
      this.#size += chunk.length;
    }
    return true;
  }
  #number(i) { return new DataView(this.#bytes.buffer).getUint32(4 * i, true); }

  /** The strings of the next message; undefined where there is none. */
  async next() {
    if (!await this.#have(4) || !await this.#have(4 + 4 * this.#number(0))) return undefined;
    let total = 4 + 4 * this.#number(0);
    for (let i = this.#number(0); i > 0; --i) total += this.#number(i);
    if (!await this.#have(total)) return undefined;
    const strings = unpack(this.#bytes.slice(0, total));
    this.#bytes.copyWithin(0, total, this.#size);
    this.#size -= total;
    return strings;
  }
}

/** Standard input and output of Node. What the program prints goes to standard error from here on. */
async function nodeTransport() {
  const fs = await import("node:fs");
  Object.defineProperty(process, "stdout", {get: () => process.stderr});
  for (const name of ["log", "info", "debug"]) console[name] = console.error;
  const chunk = new Uint8Array(1 << 16);
  return {
    read() {
      const length = fs.readSync(0, chunk, 0, chunk.length, null);
      return length > 0 ? chunk.subarray(0, length) : undefined;
    },
    write(bytes) {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at);
    },
  };
}

/** A page's side of a bridge that copies each message of a WebSocket to standard output, and back: docs/protocol.md. */
export function webSocketTransport(socket = new WebSocket(`ws://${location.host}/`)) {
  const arrived = [];
  let wake;
  const arrive = (chunk) => { arrived.push(chunk); wake?.(); };
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", (event) => arrive(new Uint8Array(event.data)));
  socket.addEventListener("close", () => arrive(undefined));
  return {
    async read() {
      while (arrived.length === 0) await new Promise((resolve) => { wake = resolve; });
      return arrived.shift();
    },
    write: (bytes) => socket.send(bytes),
  };
}

/** Answers until the host is gone. `operators`: name -> {check, run}, which may be async. `offer`: name, version, and what
 *  else the protocol has: types, ranks, layouts, bindings, promise; without layouts: "any", all tensors come packed.
 *  The transport is standard input and output, or in a page a WebSocket to where the page is from. */
export async function serve(offer, operators, transport) {
  const channel = transport ?? (globalThis.process ? await nodeTransport() : webSocketTransport());
  const messages = new Messages(channel);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let plan = {};
  async function answer(request, strings) {
    const isNew = plan.number !== request.plan;
    if (isNew) plan = {number: request.plan, kept: {}};
    const one = new Case(request, strings, plan.kept);
    try {
      if (plan.answer) throw plan.answer;
      const implementation = operators[one.operator];
      if (!implementation) throw notOffered("there is no " + one.operator);
      if (isNew) {
        try {
          await implementation.check(one);
        } catch (error) {
          plan.answer = error;
          throw error;
        }
      }
      if (one.hasBuffers) await implementation.run(one);
      return [{status: "done", spoiled: one.spoiled}, one.results()];
    } catch (error) {
      if (!(error instanceof Answer)) throw error;
      // Of what failed, something may be written nevertheless.
      return [error.reply, error.reply.status === "failed" ? one.results() : []];
    }
  }
  for (let strings; (strings = await messages.next());) {
    const request = JSON.parse(decoder.decode(strings[0]));
    let reply;
    let outputs = [];
    if (request.op === "hello") {
      reply = {protocol: PROTOCOL, operators: Object.keys(operators), ...offer};
    } else if (request.op === "case") {
      [reply, outputs] = await answer(request, strings);
      reply = {id: request.id, ...reply};
    } else {
      continue;
    }
    channel.write(pack([encoder.encode(JSON.stringify(reply)), ...outputs]));
  }
}
