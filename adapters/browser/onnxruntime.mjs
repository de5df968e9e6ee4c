// ONNX Runtime Web in a page.
import {serveOnnxRuntime} from "../onnx_js/onnxruntime.mjs";
import {WEBGPU_PROMISE} from "../onnx_js/promise.mjs";

const PACKAGE = "/packages/onnxruntime-web/dist/";

/** By the option: the bundle, and the provider's name in it. What `onnxruntime-web` itself gives has kernels of WebGPU that
 *  are written in JavaScript; `onnxruntime-web/webgpu` has those of the provider for Node. */
const BUNDLES = {
  wasm: ["ort.wasm", "wasm"], webgpu: ["ort.webgpu", "webgpu"], jsep: ["ort", "webgpu"], webnn: ["ort.all", "webnn"],
};

export async function serveEngine({provider, opset, company}, transport) {
  const [bundle, own] = BUNDLES[provider];
  const ort = await import(`${PACKAGE}${bundle}.bundle.min.mjs`);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = PACKAGE;
  ort.env.logLevel = "fatal";
  await serveOnnxRuntime(ort, {
    name: `onnxruntime-web ${provider} in a browser`,
    version: ort.env.versions.web,
    opset: Number(opset),
    company,
    promise: own === "webgpu" ? WEBGPU_PROMISE : {},
    options: {
      executionProviders: [own],
      graphOptimizationLevel: provider === "wasm" ? "all" : "disabled",
      logSeverityLevel: 4,
      ...(provider === "wasm" ? {} : {extra: {session: {disable_cpu_ep_fallback: "1"}}}),
    },
  }, transport);
}
