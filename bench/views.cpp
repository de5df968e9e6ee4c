#include "bench/views.h"

#include <cstdlib>

namespace opconform::bench {
View whole(const TensorDesc& tensor, std::size_t buffer) {
  View view{.buffer = buffer, .offset = 0, .sizes = tensor.sizes, .strides = {}};
  for (const std::uint64_t stride : effective_strides(tensor))
    view.strides.push_back(static_cast<std::int64_t>(stride));
  return view;
}

namespace {

std::optional<std::vector<Move>> moves_of(const Slice1& op) {
  View source = whole(op.input, 0);
  source.sizes = op.output.sizes;
  for (std::size_t i = 0; i < op.input.rank(); ++i) {
    const std::int64_t step = op.window_strides[i];
    const std::int64_t first =
        std::int64_t{op.window_offsets[i]} + (step < 0 ? std::int64_t{op.window_sizes[i]} - 1 : 0);
    source.offset += first * source.strides[i];
    // Where a dimension has one element its stride leads nowhere, and may be absurd.
    source.strides[i] = source.sizes[i] == 1 ? 0 : source.strides[i] * step;
  }
  return std::vector<Move>{{source, whole(op.output, 0), op.input.data_type}};
}

std::optional<std::vector<Move>> moves_of(const Split& op) {
  std::vector<Move> result;
  View source = whole(op.input, 0);
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    source.sizes = op.outputs[k].sizes;
    result.push_back({source, whole(op.outputs[k], k), op.input.data_type});
    source.offset +=
        source.strides[op.axis] * static_cast<std::int64_t>(op.outputs[k].sizes[op.axis]);
  }
  return result;
}

template <class Op>
std::optional<std::vector<Move>> moves_of(const Op& /*op*/) {
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Move>> moves(const Operator& op) {
  return std::visit([](const auto& o) { return moves_of(o); }, op);
}

Forwards forwards(View view) {
  Forwards result{.view = std::move(view), .turned = {}};
  for (std::size_t i = 0; i < result.view.sizes.size(); ++i) {
    std::int64_t& stride = result.view.strides[i];
    if (stride >= 0) continue;
    result.view.offset += stride * static_cast<std::int64_t>(result.view.sizes[i] - 1);
    stride = -stride;
    result.turned.push_back(static_cast<std::int64_t>(i));
  }
  return result;
}

}  // namespace opconform::bench
