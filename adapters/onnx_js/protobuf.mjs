// As much of protobuf's wire format as writing an ONNX model takes: varints, and strings of bytes with their length.

const VARINT = 0, BYTES = 2;
const encoder = new TextEncoder();

/** A message, written field by field. */
export class Message {
  #chunks = [];  // lists of numbers, and byte arrays
  #length = 0;

  /** An integer of 64 bits; a negative one as its two's complement. */
  number(field, value) {
    this.#push([...varint((field << 3) | VARINT), ...varint(value)]);
    return this;
  }
  text(field, text) { return this.bytes(field, encoder.encode(text)); }
  message(field, message) { return this.bytes(field, message.finish()); }
  bytes(field, bytes) {
    this.#push([...varint((field << 3) | BYTES), ...varint(bytes.length)]);
    this.#push(bytes);
    return this;
  }
  finish() {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  #push(chunk) {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}

function varint(value) {
  const bytes = [];
  let rest = value;
  if (typeof value === "bigint" || value < 0 || value >= 2 ** 31) {
    for (rest = BigInt.asUintN(64, BigInt(value)); rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    rest = Number(rest);
  }
  for (; rest > 0x7f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return bytes;
}
