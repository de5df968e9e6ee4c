// The operators as reorders and concatenations of oneDNN, between memories with the strides of the
// descriptor.
#include <oneapi/dnnl/dnnl.hpp>

#include <optional>

#include "../cpp/opconform_adapter.h"

namespace opconform_onednn {

using dnnl::memory;
using opconform_adapter::Answer;
using opconform_adapter::Numbers;

namespace {

std::optional<memory::data_type> type_of(std::uint32_t data_type) {
  switch (data_type) {
    case OPCONFORM_FLOAT32:
      return memory::data_type::f32;
    case OPCONFORM_FLOAT16:
      return memory::data_type::f16;
    case OPCONFORM_INT32:
      return memory::data_type::s32;
    case OPCONFORM_INT8:
      return memory::data_type::s8;
    case OPCONFORM_UINT8:
      return memory::data_type::u8;
    default:
      return std::nullopt;
  }
}

/// Does each dimension step over the whole of the faster ones, or repeat them? What overlaps or
/// interlocks is rejected wherever it stands, so such layouts are no part of what oneDNN has:
/// DNNL-4.
bool is_nested(const Numbers& sizes, const Numbers& strides) {
  std::vector<std::pair<std::int64_t, std::int64_t>> dimensions;  // stride and size
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] > 1 && strides[i] != 0) dimensions.emplace_back(strides[i], sizes[i]);
  std::sort(dimensions.begin(), dimensions.end());
  std::int64_t least = 1;
  for (const auto& [stride, size] : dimensions) {
    if (stride < least) return false;
    least = stride * size;
  }
  return true;
}

memory::desc desc_of(const Numbers& sizes, const Numbers& strides, std::uint32_t data_type) {
  if (!is_nested(sizes, strides))
    throw opconform_adapter::not_offered("oneDNN has no strides that overlap or interlock");
  return {sizes, *type_of(data_type), strides};
}

memory::desc desc_of(const opconform_tensor& tensor) {
  const Numbers sizes = opconform_adapter::sizes_of(tensor);
  const Numbers strides = opconform_adapter::strides_of(tensor);
  if (strides.size() != sizes.size())
    throw opconform_adapter::not_offered("sizes and strides have one count");
  // A memory is a pointer, and says nothing of what lies behind it.
  std::uint64_t extent = 1;  // in elements
  for (std::size_t i = 0; i < sizes.size(); ++i)
    extent += static_cast<std::uint64_t>(sizes[i] - 1) * static_cast<std::uint64_t>(strides[i]);
  if (extent * opconform_element_size_bytes(tensor.data_type) > tensor.size_bytes)
    throw opconform_adapter::not_offered("the size of a buffer cannot be said");
  return desc_of(sizes, strides, tensor.data_type);
}

}  // namespace

class Engine {
 public:
  static constexpr const char* kName = "onednn";
  explicit Engine(opconform_adapter::Options& options)
      : slice_(options.choice("slice", {"submemory", "strides"})),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_) {
    // What the cache takes for the same primitive hangs on what ran before, and then the verdicts
    // do: DNNL-2.
    if (options.choice("cache", {"off", "on"}) == "off") dnnl::set_primitive_cache_capacity(0);
  }

  [[nodiscard]] std::string version() const {
    const dnnl_version_t& version = *dnnl::version();
    return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
           std::to_string(version.patch);
  }

  [[nodiscard]] std::string promise() const {
    return R"({
      "name": "onednn",
      "says": "reorder and concat, the primitives of oneDNN that move elements",
      "sources": [
        "oneDNN documentation, Data Types: f32, bf16, f16, s32, s8, u8.",
        "oneDNN documentation, Concat: the sources differ in the size of the concat dimension alone."
      ],
      "operators": {
        "ONNX_GATHER": "not-offered",
        "DML_SCATTER": "not-offered",
        "*": {"data_types": ["FLOAT32", "FLOAT16", "INT32", "INT8", "UINT8"]}
      },
      "refusals": ["join.other-sizes", "join.sizes-sum"]
    })";
  }

  [[nodiscard]] std::string lacks(const opconform_tensor& tensor, bool /*is_indices*/) const {
    return type_of(tensor.data_type) ? "" : "oneDNN has no such type";
  }

  void run(const opconform_adapter::Split& op) {
    const memory::desc whole = desc_of(op.input);
    if (op.axis >= op.input.rank) throw opconform_adapter::not_offered("there is no such axis");
    Numbers offsets(op.input.rank);
    std::vector<std::pair<memory::desc, const opconform_tensor*>> parts;
    for (const opconform_tensor* const output : op.outputs) {
      if (output->rank != op.input.rank)
        throw opconform_adapter::not_offered("a part has the rank of the whole");
      const Numbers sizes = opconform_adapter::sizes_of(*output);
      parts.emplace_back(whole.submemory_desc(sizes, offsets), output);
      offsets[static_cast<std::size_t>(op.axis)] += sizes[static_cast<std::size_t>(op.axis)];
    }
    for (const auto& [part, output] : parts) reorder(part, op.input.data, *output);
  }

  void run(const opconform_adapter::Slice& op) {
    const memory::desc whole = desc_of(op.input);
    const Numbers sizes = opconform_adapter::sizes_of(op.input);
    Numbers strides = opconform_adapter::strides_of(op.input);
    std::int64_t first = 0;
    bool has_gaps = false;
    for (std::size_t i = 0; i < op.counts.size(); ++i) {
      if (op.steps[i] < 0 && op.counts[i] > 1)
        throw opconform_adapter::not_offered("oneDNN has no negative strides");
      if (op.starts[i] + (op.counts[i] - 1) * op.steps[i] >= sizes[i])
        throw opconform_adapter::not_offered("what is outside of the tensor cannot be said");
      has_gaps |= op.steps[i] != 1 && op.counts[i] > 1;
      first += op.starts[i] * strides[i];
      if (op.counts[i] > 1) strides[i] *= op.steps[i];
    }
    if (slice_ == "submemory" && !has_gaps) {
      reorder(whole.submemory_desc(op.counts, op.starts), op.input.data, op.output);
      return;
    }
    const auto width = static_cast<std::int64_t>(opconform_element_size_bytes(op.input.data_type));
    reorder(desc_of(op.counts, strides, op.input.data_type),
            static_cast<char*>(op.input.data) + first * width, op.output);
  }

  void run(const opconform_adapter::Join& op) {
    std::vector<memory::desc> descs;
    for (const opconform_tensor* const input : op.inputs) descs.push_back(desc_of(*input));
    const memory::desc target = desc_of(op.output);
    const dnnl::concat concat(
        dnnl::concat::primitive_desc(target, static_cast<int>(op.axis), descs, engine_));
    std::unordered_map<int, memory> arguments{
        {DNNL_ARG_DST, memory(target, engine_, op.output.data)}};
    for (std::size_t i = 0; i < descs.size(); ++i)
      arguments.emplace(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i),
                        memory(descs[i], engine_, op.inputs[i]->data));
    concat.execute(stream_, arguments);
    stream_.wait();
  }

  static Answer answer_of(const std::exception& error) {
    const auto* const own = dynamic_cast<const dnnl::error*>(&error);
    if (own != nullptr && own->status == dnnl_unimplemented)
      return opconform_adapter::not_offered(own->what());
    return opconform_adapter::refused(error.what());
  }

 private:
  void reorder(const memory::desc& source, void* data, const opconform_tensor& output) {
    memory from(source, engine_, data);
    memory to(desc_of(output), engine_, output.data);
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
  }

  std::string slice_;
  dnnl::engine engine_;
  dnnl::stream stream_;
};

}  // namespace opconform_onednn

OPCONFORM_ADAPTER(opconform_onednn::Engine)
