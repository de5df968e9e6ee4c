// ONNX Runtime Web in a page.
import {serveOnnxRuntime} from "../onnx_js/onnxruntime.mjs";
import {WEBGPU_PROMISE} from "../onnx_js/promise.mjs";

const PACKAGE = "/packages/onnxruntime-web/dist/";

export async function serveEngine({provider, opset}, transport) {
  // The bundle with all providers but wasm's is another one.
  const ort = await import(PACKAGE + (provider === "wasm" ? "ort.wasm.bundle.min.mjs" : "ort.all.bundle.min.mjs"));
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = PACKAGE;
  ort.env.logLevel = "fatal";
  await serveOnnxRuntime(ort, {
    name: `onnxruntime-web ${provider} in a browser`,
    version: ort.env.versions.web,
    opset: Number(opset),
    promise: provider === "webgpu" ? WEBGPU_PROMISE : {},
    options: {
      executionProviders: [provider],
      graphOptimizationLevel: provider === "wasm" ? "all" : "disabled",
      logSeverityLevel: 4,
      ...(provider === "wasm" ? {} : {extra: {session: {disable_cpu_ep_fallback: "1"}}}),
    },
  }, transport);
}
