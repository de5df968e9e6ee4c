// ONNX Runtime for the web, in Node: README.md.
import {readOptions, requireFrom} from "../javascript/peers.mjs";
import {COMPANIES} from "../onnx_js/company.mjs";
import {serveOnnxRuntime} from "../onnx_js/onnxruntime.mjs";

const {opset, company, optimize} = readOptions({
  opset: ["13", "16", "18", "21", "22", "23"],
  company: Object.keys(COMPANIES),
  optimize: ["all", "disabled", "basic", "extended"],
});
const require = requireFrom("onnxruntime_web");
const ort = require("onnxruntime-web");
ort.env.wasm.numThreads = 1;
ort.env.logLevel = "fatal";
await serveOnnxRuntime(ort, {
  name: "onnxruntime-web wasm",
  version: ort.env.versions.web,
  opset: Number(opset),
  company,
  options: {executionProviders: ["wasm"], graphOptimizationLevel: optimize, logSeverityLevel: 4},
});
