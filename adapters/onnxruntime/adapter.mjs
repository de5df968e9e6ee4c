// ONNX Runtime for Node: README.md.
import {existsSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

import {readOptions, requireFrom} from "../javascript/peers.mjs";
import {serveOnnxRuntime} from "../onnx_js/onnxruntime.mjs";

const SOFTWARE_VULKAN = "/usr/lib/chromium/libvk_swiftshader.so";  // Debian: chromium-common

/** Where no driver is named, WebGPU gets the one that needs no hardware. */
function chooseVulkan() {
  if (process.env.VK_ICD_FILENAMES || process.env.VK_DRIVER_FILES || !existsSync(SOFTWARE_VULKAN)) return;
  const folder = mkdtempSync(join(tmpdir(), "opconform-vulkan-"));
  process.on("exit", () => rmSync(folder, {recursive: true, force: true}));
  const file = join(folder, "icd.json");
  const driver = {file_format_version: "1.0.0", ICD: {library_path: SOFTWARE_VULKAN, api_version: "1.1.0"}};
  writeFileSync(file, JSON.stringify(driver));
  process.env.VK_ICD_FILENAMES = file;
}

const {provider, opset, optimize} = readOptions({
  provider: ["cpu", "webgpu", "dml", "coreml"],
  opset: ["13", "16", "18", "21", "22", "23"],
  optimize: ["default", "disabled", "basic", "extended", "all"],
});
if (provider === "webgpu") chooseVulkan();
const require = requireFrom("onnxruntime");
// Where all operands are constant, the optimizer would let the CPU compute the node.
const level = optimize !== "default" ? optimize : provider === "cpu" ? "all" : "disabled";
await serveOnnxRuntime(require("onnxruntime-node"), {
  name: `onnxruntime-node ${provider}`,
  version: require("onnxruntime-node/package.json").version,
  opset: Number(opset),
  options: {
    executionProviders: [provider],
    graphOptimizationLevel: level,
    intraOpNumThreads: 1, interOpNumThreads: 1,
    logSeverityLevel: 4,
    // What a provider lacks must not run on the CPU without a word. To the CPU's own it forbids everything.
    ...(provider === "cpu" ? {} : {extra: {session: {disable_cpu_ep_fallback: "1"}}}),
  },
});
