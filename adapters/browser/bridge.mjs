// Starts a browser with a page that answers, and copies bytes between the page and opconform: README.md.
import {spawn} from "node:child_process";
import {createReadStream, mkdirSync, readdirSync, rmSync} from "node:fs";
import {createServer} from "node:http";
import {tmpdir} from "node:os";
import {basename, dirname, extname, join, normalize, resolve} from "node:path";
import {fileURLToPath} from "node:url";

import {peerFolder, readOptions} from "../javascript/peers.mjs";
import {COMPANIES} from "../onnx_js/company.mjs";
import {pageOf} from "./websocket.mjs";

const TYPES = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"};
const options = readOptions({
  engine: ["onnxruntime", "litert", "webnn"],
  provider: ["wasm", "webgpu", "jsep", "webnn"],
  opset: ["13", "16", "18", "21", "22", "23"],
  company: Object.keys(COMPANIES),
  browser: [],
  page: [],
});
if (options.company !== "none" && options.engine !== "onnxruntime") {
  console.error("company is for models of ONNX");
  process.exit(1);
}
const {page: own, browser: program = "/usr/bin/chromium", ...query} = options;
const ROOTS = {  // what the page may load, by the first part of its path
  adapters: join(dirname(fileURLToPath(import.meta.url)), ".."),
  packages: join(peerFolder("browser"), "node_modules"),
  own: own && dirname(resolve(own)),
};
const address = own ? `own/${basename(own)}` : `adapters/browser/page.html?${new URLSearchParams(query)}`;

/** Serves the page and what it loads, to this machine alone. What it prints comes back as a POST. */
const server = createServer((request, response) => {
  if (request.method === "POST") return request.pipe(process.stderr, {end: false}), request.on("end", () => response.end());
  const [, root, ...rest] = normalize(new URL(request.url, "http://localhost").pathname).split("/");
  if (!ROOTS[root]) return response.writeHead(404).end();
  response.setHeader("Content-Type", TYPES[extname(request.url.split("?")[0])] ?? "application/octet-stream");
  createReadStream(join(ROOTS[root], ...rest)).on("error", () => response.writeHead(404).end()).pipe(response);
});
await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });

/** The browser's folder is named after this process. Who is killed leaves it behind, so the next one clears up. */
const PROFILES = "opconform-browser-";
const profile = join(tmpdir(), PROFILES + process.pid);
const remove = (folder) => rmSync(folder, {recursive: true, force: true, maxRetries: 5});
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
for (const name of readdirSync(tmpdir()))
  if (name.startsWith(PROFILES) && !isAlive(Number(name.slice(PROFILES.length)))) remove(join(tmpdir(), name));
mkdirSync(profile, {recursive: true});

const browser = spawn(program, [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-extensions", `--user-data-dir=${profile}`,
  "--enable-features=WebMachineLearningNeuralNetwork", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader",
  `http://localhost:${server.address().port}/${address}`,
], {stdio: ["ignore", "ignore", "ignore"], detached: true});

/** Ends the browser with all its processes, and leaves nothing of it. */
function stop() {
  try {
    process.kill(-browser.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
  remove(profile);
  process.exit();
}
browser.on("exit", stop);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, stop);

const page = await pageOf(server, (bytes) => process.stdout.write(bytes), stop);
process.stdin.on("data", (bytes) => page.send(bytes)).on("end", stop);
