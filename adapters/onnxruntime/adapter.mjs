// ONNX Runtime for Node: README.md.
import {existsSync} from "node:fs";

import {readOptions, requireFrom} from "../javascript/peers.mjs";
import {COMPANIES} from "../onnx_js/company.mjs";
import {serveOnnxRuntime} from "../onnx_js/onnxruntime.mjs";
import {WEBGPU_PROMISE} from "../onnx_js/promise.mjs";

const SOFTWARE_VULKAN = "/usr/lib/chromium/vk_swiftshader_icd.json";  // Debian: chromium-common

const {provider, opset, company, optimize, float16} = readOptions({
  provider: ["cpu", "webgpu", "dml", "coreml"],
  opset: ["13", "16", "18", "21", "22", "23"],
  company: Object.keys(COMPANIES),
  optimize: ["default", "disabled", "basic", "extended", "all"],
  float16: ["not-offered", "offered"],
});
// Where no driver is named, WebGPU gets the one that needs no hardware.
if (provider === "webgpu" && existsSync(SOFTWARE_VULKAN)) process.env.VK_ICD_FILENAMES ??= SOFTWARE_VULKAN;
const require = requireFrom("onnxruntime");
// Where all operands are constant, the optimizer would let the CPU compute the node.
const level = optimize !== "default" ? optimize : provider === "cpu" ? "all" : "disabled";
await serveOnnxRuntime(require("onnxruntime-node"), {
  name: `onnxruntime-node ${provider}`,
  version: require("onnxruntime-node/package.json").version,
  opset: Number(opset),
  company,
  float16,
  promise: provider === "webgpu" ? WEBGPU_PROMISE : {},
  options: {
    executionProviders: [provider],
    graphOptimizationLevel: level,
    intraOpNumThreads: 1, interOpNumThreads: 1,
    logSeverityLevel: 4,
    // What a provider lacks must not run on the CPU without a word. To the CPU's own it forbids everything.
    ...(provider === "cpu" ? {} : {extra: {session: {disable_cpu_ep_fallback: "1"}}}),
  },
});
