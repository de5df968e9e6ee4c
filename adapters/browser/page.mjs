// The page: serves the engine that its address names, to the bridge that it came from.
import {webSocketTransport} from "../javascript/opconform_process.mjs";

const options = Object.fromEntries(new URLSearchParams(location.search));

/** What is printed goes the way of standard error. */
const print = (...words) => fetch("/log", {method: "POST", body: words.join(" ") + "\n"});
for (const name of ["log", "info", "debug", "warn", "error"]) console[name] = print;

async function leave(error) {
  await print(error?.stack ?? error);
  socket.close();
}

const socket = new WebSocket(`ws://${location.host}/`);
window.addEventListener("unhandledrejection", ({reason}) => leave(reason));
const transport = webSocketTransport(socket);
await new Promise((resolve) => { socket.addEventListener("open", resolve); });
try {
  const {serveEngine} = await import(`./${options.engine}.mjs`);
  await serveEngine(options, transport);
} catch (error) {
  await leave(error);
}
