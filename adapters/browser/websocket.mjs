// As much of a WebSocket server (RFC 6455) as a bridge needs. Where a message ends does not count: messages of opconform
// have lengths of their own.
import {createHash} from "node:crypto";

const BINARY = 2, CLOSE = 8, LAST = 0x80;
const ACCEPT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** What a page sends, in parts as they come. A page masks it. */
class Frames {
  #bytes = Buffer.alloc(0);
  #left = 0;  // of the frame at hand
  #mask;
  #place = 0;
  #opcode;

  /** The parts in these bytes, each {opcode, payload}. */
  *parts(bytes) {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    while (this.#left > 0 ? this.#bytes.length > 0 : this.#readHead()) {
      const payload = this.#bytes.subarray(0, this.#left);
      for (let i = 0; i < payload.length; ++i) payload[i] ^= this.#mask[this.#place++ & 3];
      this.#left -= payload.length;
      this.#bytes = this.#bytes.subarray(payload.length);
      yield {opcode: this.#opcode, payload};
    }
  }
  #readHead() {
    const bytes = this.#bytes;
    if (bytes.length < 2) return false;
    const short = bytes[1] & 127;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const size = 2 + lengthBytes + 4;
    if (bytes.length < size) return false;
    this.#opcode = bytes[0] & 15;
    this.#left = lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
    this.#mask = bytes.subarray(size - 4, size);
    this.#place = 0;
    this.#bytes = bytes.subarray(size);
    return true;
  }
}

function frameHead(length) {
  const head = Buffer.alloc(length < 126 ? 2 : length < 2 ** 16 ? 4 : 10);
  head[0] = LAST | BINARY;
  head[1] = {2: length, 4: 126, 10: 127}[head.length];
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** The first page that connects to an HTTP server: {send(bytes)}. `receive` gets what it sends; `close` is called when it
 *  has gone. */
export async function pageOf(server, receive, close) {
  const [request, socket] = await new Promise((resolve) => { server.once("upgrade", (...given) => resolve(given)); });
  const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + ACCEPT).digest("base64");
  socket.setNoDelay(true);
  socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
    `Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
  const frames = new Frames();
  socket.on("data", (bytes) => {
    for (const {opcode, payload} of frames.parts(bytes))
      if (opcode === CLOSE) close();
      else if (opcode <= BINARY) receive(payload);
  }).on("close", close).on("error", close);
  return {
    send(bytes) {
      socket.cork();
      socket.write(frameHead(bytes.length));
      socket.write(bytes);
      socket.uncork();
    },
  };
}
