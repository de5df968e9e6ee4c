// libtorch on one thread: copy_, flip, index_select and scatter_ over tensors that share the cells'
// buffers.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/version.h>

#include <memory>

#include "bench/contender.h"
#include "bench/views.h"

namespace opconform::bench {
namespace {

/// The type of that name, or where there is none another of that width: only bits are moved.
at::ScalarType scalar_type(DataType type) {
  switch (type) {
    case DataType::kFloat64:
      return at::kDouble;
    case DataType::kFloat32:
      return at::kFloat;
    case DataType::kFloat16:
      return at::kHalf;
    case DataType::kBfloat16:
      return at::kBFloat16;
    case DataType::kInt8:
      return at::kChar;
    default:
      break;
  }
  switch (element_size_bytes(type)) {
    case 1:
      return at::kByte;
    case 2:
      return at::kShort;
    case 4:
      return at::kInt;
    case 8:
      return at::kLong;
    default:
      return at::kComplexDouble;
  }
}

template <class Numbers>
std::vector<std::int64_t> integers(const Numbers& numbers) {
  std::vector<std::int64_t> result;
  for (const auto number : numbers) result.push_back(static_cast<std::int64_t>(number));
  return result;
}

at::Tensor tensor_of(const void* bytes, DataType type, const std::vector<std::int64_t>& sizes,
                     const std::vector<std::int64_t>& strides) {
  return at::from_blob(const_cast<void*>(bytes), sizes, strides,
                       at::TensorOptions().dtype(scalar_type(type)));
}
at::Tensor tensor_of(const std::byte* buffer, const TensorDesc& tensor) {
  return tensor_of(buffer, tensor.data_type, integers(tensor.sizes),
                   integers(effective_strides(tensor)));
}
at::Tensor tensor_of(const std::byte* buffer, DataType type, const View& view) {
  const auto width = static_cast<std::int64_t>(element_size_bytes(type));
  return tensor_of(buffer + view.offset * width, type, integers(view.sizes),
                   integers(view.strides));
}

std::function<void()> without_gradients(std::function<void()> f) {
  if (!f) return nullptr;
  return [f = std::move(f)] {
    const c10::InferenceMode guard;
    f();
  };
}

at::Tensor input_of(const Buffers& buffers, const Operand& operand) {
  return tensor_of(buffers.input(operand.buffer), *operand.tensor);
}
at::Tensor output_of(const Buffers& buffers, const Operand& operand) {
  return tensor_of(buffers.output(operand.buffer), *operand.tensor);
}

Contender contender(std::function<void()> run, std::function<void()> deliver = {}) {
  return {"libtorch", Role::kPeer, without_gradients(std::move(run)),
          without_gradients(std::move(deliver))};
}

std::optional<Contender> of(const std::vector<Move>& moves, const Buffers& buffers) {
  struct Pair {
    at::Tensor source;
    at::Tensor target;
  };
  std::vector<Pair> pairs;
  for (const Move& move : moves) {
    const auto [view, turned] = forwards(move.source);
    const at::Tensor source = tensor_of(buffers.input(view.buffer), move.data_type, view);
    const at::Tensor target =
        tensor_of(buffers.output(move.target.buffer), move.data_type, move.target);
    if (!turned.empty()) {
      // flip makes a tensor of its own: there is no view that runs backwards, and no flip into
      // memory that is there already.
      const auto flipped = std::make_shared<at::Tensor>();
      if (target.is_contiguous())
        return contender([flipped, source, dims = turned] { *flipped = at::flip(source, dims); },
                         [flipped, target] { target.copy_(*flipped); });
      return contender([source, target, dims = turned] { target.copy_(at::flip(source, dims)); });
    }
    pairs.push_back({source, target});
  }
  return contender([pairs] {
    for (const Pair& pair : pairs) pair.target.copy_(pair.source);
  });
}

std::optional<Contender> of(const Take& take, const Buffers& buffers) {
  const auto axis = static_cast<std::int64_t>(take.axis);
  const at::Tensor data = input_of(buffers, take.data);
  // index_select takes one dimension of indices; several are the same bytes.
  const at::Tensor indices = input_of(buffers, take.indices).view({-1});
  std::vector<std::int64_t> sizes = integers(take.data.tensor->sizes);
  sizes[take.axis] = indices.numel();
  at::Tensor output = output_of(buffers, take.output).view(sizes);
  return contender([=]() mutable { at::index_select_out(output, data, axis, indices); });
}

std::optional<Contender> of(const Put& put, const Buffers& buffers) {
  if (put.indices.tensor->data_type != DataType::kInt64) return std::nullopt;
  const at::Tensor input = input_of(buffers, put.input);
  const at::Tensor indices = input_of(buffers, put.indices);
  const at::Tensor updates = input_of(buffers, put.updates);
  const at::Tensor output = output_of(buffers, put.output);
  return contender([=, axis = static_cast<std::int64_t>(put.axis)] {
    output.copy_(input);
    output.scatter_(axis, indices, updates);
  });
}

std::optional<Contender> of(std::monostate /*work*/, const Buffers& /*buffers*/) {
  return std::nullopt;
}

std::optional<Contender> prepare(const Operator& op, const Buffers& buffers) {
  const c10::InferenceMode guard;
  at::set_num_threads(1);
  return std::visit([&](const auto& work) { return of(work, buffers); }, work_of(op));
}

}  // namespace

Peer torch_peer() { return {"libtorch", TORCH_VERSION, prepare}; }

}  // namespace opconform::bench
