#include "harness/cases/case.h"

namespace opconform::harness {

TensorList::TensorList(const Operator& op) {
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    (tensor.field.access == Access::kInput ? inputs : outputs).push_back(tensor);
  });
}

std::optional<std::uint64_t> indexed_size(const Operator& op) {
  return std::visit(
      []<class Op>(const Op& o) -> std::optional<std::uint64_t> {
        if constexpr (requires { o.indexed_size(); }) {
          return o.indexed_size();
        } else {
          return std::nullopt;
        }
      },
      op);
}

}  // namespace opconform::harness
