// The program of adapters/javascript/split.mjs as a page has it: its WebSocket is the bridge's, played here by standard
// input and output, whose chunks begin and end anywhere.
const arrived = [];
let listener = (event) => arrived.push(event);
let closed = () => {};
const socket = {
  addEventListener(kind, act) {
    if (kind === "close") closed = act;
    else { listener = act; arrived.forEach(act); }
  },
  send: (bytes) => process.stdout.write(bytes),
};
process.stdin.on("data", (chunk) => {
  for (const part of [chunk.subarray(0, 7), chunk.subarray(7)])
    listener({data: part.buffer.slice(part.byteOffset, part.byteOffset + part.length)});
});
process.stdin.on("end", () => closed());

const source = await (await import("node:fs")).promises.readFile(new URL("../../adapters/javascript/split.mjs", import.meta.url), "utf8");
const helper = await import("../../adapters/javascript/opconform_process.mjs");
const page = source.replace(/^import .*$/m, "").replace("{DML_SPLIT: {check, run}})", "{DML_SPLIT: {check, run}}, transport)");
new Function("refuseIf", "serve", "transport", page)(helper.refuseIf, helper.serve, helper.webSocketTransport(socket));
