// As much of flatbuffers as writing a LiteRT model takes. A table lies before what it points to, so that every offset is
// written when its target is; and behind its vtable.

const BLOB_ALIGNMENT = 16;
const encoder = new TextEncoder();

// What a field can be. A table's fields are given in the schema's order; undefined is the default.
export const byte = (value) => ({bytes: 1, value});
export const int = (value) => ({bytes: 4, value});
export const table = (...fields) => ({put: (writer) => writer.table(fields)});
export const ints = (values) => ({put: (writer) => writer.vector(values.map(int))});
export const tables = (all) => ({put: (writer) => writer.vector(all)});
export const text = (string) => ({put: (writer) => writer.blob(encoder.encode(string + "\0"), 4, 1)});
export const blob = (bytes) => ({put: (writer) => writer.blob(bytes, BLOB_ALIGNMENT, 0)});

class Writer {
  #bytes = new Uint8Array(1 << 12);
  #size = 0;

  /** A position whose distance to the next multiple of `alignment` is `short`. */
  align(alignment, short = 0) {
    this.reserve((alignment - ((this.#size + short) % alignment)) % alignment);
  }
  reserve(count) {
    const first = this.#size;
    this.#size += count;
    if (this.#size > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#size);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return first;
  }
  number(at, bytes, value) {
    const view = new DataView(this.#bytes.buffer);
    if (bytes === 1) view.setUint8(at, value);
    else if (bytes === 2) view.setUint16(at, value, true);
    else view.setInt32(at, value, true);
  }
  /** A number, or the offset of what is written behind it. */
  field(at, {bytes, value, put}) {
    if (put) this.number(at, 4, put(this) - at);
    else this.number(at, bytes, value);
  }
  table(fields) {
    this.align(4, 2 * (fields.length + 2));
    const vtable = this.reserve(2 * (fields.length + 2));
    const first = this.reserve(4 * (1 + fields.length));  // each field has a word
    this.number(vtable, 2, 2 * (fields.length + 2));
    this.number(vtable + 2, 2, 4 * (1 + fields.length));
    this.number(first, 4, first - vtable);
    fields.forEach((field, i) => {
      if (field === undefined) return;
      this.number(vtable + 2 * (2 + i), 2, 4 * (1 + i));
      this.field(first + 4 * (1 + i), field);
    });
    return first;
  }
  vector(elements) {
    this.align(4);
    const first = this.reserve(4 * (1 + elements.length));
    this.number(first, 4, elements.length);
    elements.forEach((element, i) => this.field(first + 4 * (1 + i), element));
    return first;
  }
  /** `unsaid` bytes at its end do not count. */
  blob(bytes, alignment, unsaid) {
    this.align(alignment, 4);
    const first = this.reserve(4);
    this.number(first, 4, bytes.length - unsaid);
    this.#set(this.reserve(bytes.length), bytes);
    return first;
  }
  #set(at, bytes) { this.#bytes.set(bytes, at); }
  finish() { return this.#bytes.slice(0, this.#size); }
}

/** The bytes of a buffer with that root and file identifier. */
export function flatbuffer(root, identifier) {
  const writer = new Writer();
  const head = writer.reserve(8);
  [...encoder.encode(identifier)].forEach((letter, i) => writer.number(head + 4 + i, 1, letter));
  writer.field(head, root);
  return writer.finish();
}
