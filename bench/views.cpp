#include "bench/views.h"

#include <utility>

#include "bench/operators.h"

namespace opconform::bench {

View whole(const TensorDesc& tensor, std::size_t buffer) {
  View view{.buffer = buffer, .offset = 0, .sizes = tensor.sizes, .strides = {}};
  for (const std::uint64_t stride : effective_strides(tensor))
    view.strides.push_back(static_cast<std::int64_t>(stride));
  return view;
}

Work work_of(const Operator& op) {
  return std::visit([](const auto& o) { return work_of(o); }, op);
}

std::optional<std::vector<Move>> moves(const Operator& op) {
  Work work = work_of(op);
  std::vector<Move>* all = std::get_if<std::vector<Move>>(&work);
  return all == nullptr ? std::nullopt : std::optional(std::move(*all));
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
