#include "harness/cases/case.h"

namespace opconform::cases {

TensorList::TensorList(const Operator& op) {
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    (tensor.field.access == Access::kInput ? inputs : outputs).push_back(tensor);
  });
}

}  // namespace opconform::cases
