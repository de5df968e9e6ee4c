#include "engine.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <iostream>
#include <optional>

namespace opconform_torch {
namespace {

using opconform_adapter::Answer;
using opconform_adapter::Numbers;

/// Nothing where torch 1.13 lacks the type. 16, 32 and 64 bits without a sign came with 2.3.
std::optional<at::ScalarType> scalar_type(std::uint32_t data_type) {
  switch (data_type) {
    case OPCONFORM_FLOAT64:
      return at::kDouble;
    case OPCONFORM_FLOAT32:
      return at::kFloat;
    case OPCONFORM_FLOAT16:
      return at::kHalf;
    case OPCONFORM_BFLOAT16:
      return at::kBFloat16;
    case OPCONFORM_INT64:
      return at::kLong;
    case OPCONFORM_INT32:
      return at::kInt;
    case OPCONFORM_INT16:
      return at::kShort;
    case OPCONFORM_INT8:
      return at::kChar;
    case OPCONFORM_UINT8:
      return at::kByte;
    case OPCONFORM_BOOL:
      return at::kBool;
    case OPCONFORM_COMPLEX64:
      return at::kComplexFloat;
    case OPCONFORM_COMPLEX128:
      return at::kComplexDouble;
    default:
      return std::nullopt;
  }
}

/// The tensor in the buffer that it has: as_strided() sees whether it fits there.
at::Tensor tensor_of(const opconform_tensor& tensor, at::ScalarType type) {
  const auto width = static_cast<std::int64_t>(opconform_element_size_bytes(tensor.data_type));
  const at::Tensor whole =
      at::from_blob(tensor.data, {static_cast<std::int64_t>(tensor.size_bytes) / width},
                    at::TensorOptions().dtype(type));
  return whole.as_strided(opconform_adapter::sizes_of(tensor),
                          opconform_adapter::strides_of(tensor));
}
at::Tensor tensor_of(const opconform_tensor& tensor) {
  return tensor_of(tensor, *scalar_type(tensor.data_type));
}

/// Indices as the only type that most calls take. Those without a sign are read as what has their
/// width: 32 bits are widened, and of 64 the numbers from 2^63 on, which are no index of anything,
/// become negative.
at::Tensor long_indices_of(const opconform_tensor& tensor) {
  switch (tensor.data_type) {
    case OPCONFORM_UINT64:
      return tensor_of(tensor, at::kLong);
    case OPCONFORM_UINT32:
      return tensor_of(tensor, at::kInt).to(at::kLong).bitwise_and(std::int64_t{0xFFFFFFFF});
    default:
      return tensor_of(tensor).to(at::kLong);
  }
}

/// Copies a result to where it is wanted. One of another shape is not: copy_() would broadcast it.
void deliver(const at::Tensor& result, const at::Tensor& output) {
  if (result.sizes() == output.sizes())
    output.copy_(result);
  else
    std::cerr << "the result has the sizes " << result.sizes() << ", the output " << output.sizes()
              << '\n';
}

}  // namespace

Engine::Engine(opconform_adapter::Options& options)
    : gather_(options.choice("gather", kGathers)),
      scatter_(options.choice("scatter", kScatters)),
      split_(options.choice("split", kSplits)),
      slice_(options.choice("slice", kSlices)) {
  at::set_num_threads(std::stoi(options.choice("threads", {"1", "2", "4"})));
}

std::string Engine::version() const { return TORCH_VERSION; }

std::string Engine::promise() const {
  if (gather_ != "index" && gather_ != "take") return "torch";
  // Nothing is said of negative indices there: so the document decides, for which they count from
  // the end.
  return R"({
    "name": "torch-)" +
         gather_ + R"(",
    "says": "the operators as calls of PyTorch; a gather by )" +
         gather_ + R"(",
    "sources": [
      "PyTorch documentation, torch.Tensor.scatter_: values of the index lie in [0, size - 1]; where an index is repeated, one of the values is picked arbitrarily."
    ],
    "operators": {
      "DML_SCATTER": {"index_out_of_range": "error", "negative_indices": "error"},
      "ONNX_GATHER": {"index_out_of_range": "error"}
    },
    "refusals": "none",
    "strings": "not-offered",
    "after_error": "anything"
  })";
}

std::string Engine::lacks(const opconform_tensor& tensor, bool is_indices) const {
  const bool is_unsigned =
      tensor.data_type == OPCONFORM_UINT32 || tensor.data_type == OPCONFORM_UINT64;
  return scalar_type(tensor.data_type) || (is_indices && is_unsigned) ? ""
                                                                      : "torch has no such type";
}

void Engine::run(const opconform_adapter::Gather& op) const {
  const c10::InferenceMode guard;
  const at::Tensor data = tensor_of(op.data);
  at::Tensor output = tensor_of(op.output);
  if (gather_ == "index") {
    c10::List<c10::optional<at::Tensor>> places;
    for (std::size_t i = 0; i < op.axis_from_front(); ++i) places.push_back(c10::nullopt);
    places.push_back(long_indices_of(op.indices));
    at::index_out(output, data, places);
    return;
  }
  const Numbers sizes = op.output_sizes_with_flat_indices();
  at::Tensor flat_output = output.view(sizes);
  if (gather_ == "index_select") {
    const at::Tensor indices = tensor_of(op.indices).view({-1});
    at::index_select_out(flat_output, data, op.axis, indices);
    return;
  }
  const at::Tensor indices = long_indices_of(op.indices).view({-1});
  if (gather_ == "take") {
    if (op.data.rank != 1) throw opconform_adapter::not_offered("take() has no axis");
    at::take_out(flat_output, data, indices);
    return;
  }
  // These want an index for each element of the output, which a stride of 0 gives them.
  Numbers along_axis(op.data.rank, 1);
  along_axis[op.axis_from_front()] = indices.numel();
  const at::Tensor wide = indices.view(along_axis);
  if (gather_ == "take_along_dim")
    at::take_along_dim_out(flat_output, data, wide, op.axis);
  else
    at::gather_out(flat_output, data, op.axis, wide.expand(sizes));
}

void Engine::run(const opconform_adapter::Scatter& op) const {
  const c10::InferenceMode guard;
  const at::Tensor input = tensor_of(op.input);
  const at::Tensor indices = long_indices_of(op.indices);
  const at::Tensor updates = tensor_of(op.updates);
  at::Tensor output = tensor_of(op.output);
  if (scatter_ == "out") {
    at::scatter_out(output, input, op.axis, indices, updates);
    return;
  }
  if (output.sizes() != input.sizes())
    throw opconform_adapter::not_offered("scatter_() has no input and output of two shapes");
  output.copy_(input);
  output.scatter_(op.axis, indices, updates);
}

void Engine::run(const opconform_adapter::Split& op) const {
  const c10::InferenceMode guard;
  const at::Tensor input = tensor_of(op.input);
  std::vector<at::Tensor> outputs;
  for (const opconform_tensor* const one : op.outputs) outputs.push_back(tensor_of(*one));
  const Numbers sections = op.sections();
  if (split_ == "copy") {
    at::split_with_sizes_copy_out(outputs, input, sections, op.axis);
    return;
  }
  std::vector<at::Tensor> views;
  if (split_ == "split_with_sizes") {
    views = at::split_with_sizes(input, sections, op.axis);
  } else {
    std::int64_t first = 0;
    for (const std::int64_t size : sections) {
      views.push_back(input.narrow(op.axis, first, size));
      first += size;
    }
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (views[i].sizes() != outputs[i].sizes())
      throw opconform_adapter::not_offered("a split is told nothing of the sizes off the axis");
    outputs[i].copy_(views[i]);
  }
}

void Engine::run(const opconform_adapter::Join& op) const {
  const c10::InferenceMode guard;
  std::vector<at::Tensor> inputs;
  for (const opconform_tensor* const one : op.inputs) inputs.push_back(tensor_of(*one));
  at::Tensor output = tensor_of(op.output);
  at::cat_out(output, inputs, op.axis);
}

void Engine::run(const opconform_adapter::Slice& op) const {
  const c10::InferenceMode guard;
  at::Tensor view = tensor_of(op.input);
  const std::size_t rank = op.counts.size();
  // Steps are forwards alone; what runs backwards is turned afterwards.
  if (slice_ == "slice") {
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t step = std::abs(op.steps[i]);
      const std::int64_t first = op.lowest(i);
      view = view.slice(static_cast<std::int64_t>(i), first, first + (op.counts[i] - 1) * step + 1,
                        step);
    }
  } else {
    Numbers strides = opconform_adapter::strides_of(op.input);
    std::int64_t first = view.storage_offset();
    for (std::size_t i = 0; i < rank; ++i) {
      first += op.lowest(i) * strides[i];
      strides[i] *= std::abs(op.steps[i]);
    }
    view = view.as_strided(op.counts, strides, first);
  }
  const Numbers turned = op.turned();
  deliver(turned.empty() ? view : view.flip(turned), tensor_of(op.output));
}

Answer Engine::answer_of(const std::exception& error) {
  const auto* const own = dynamic_cast<const c10::Error*>(&error);
  std::string text = own == nullptr ? error.what() : own->what_without_backtrace();
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  // By its words: an index of the data is an error of the execution, all else is said of the
  // descriptor.
  const bool is_an_index =
      says("index out of range in self") || says("out of range: tried to access index") ||
      says("is out of bounds for dimension") || says("element is out of DATA bounds") ||
      says("indexing axis dim should be positive");
  if (is_an_index) return opconform_adapter::failed(text);
  // Torch's words for a call that has no kernel for a type, as in "index_select" not implemented
  // for 'Half': it says nothing of the descriptor.
  if (says("not implemented for")) return opconform_adapter::not_offered(text);
  return opconform_adapter::refused(text);
}

}  // namespace opconform_torch

OPCONFORM_ADAPTER(opconform_torch::Engine)
