#include "spec/support.h"

namespace opconform {

const SupportRow* row_at(SupportTable table, Version version) {
  const SupportRow* found = nullptr;
  for (const SupportRow& row : table)
    if (row.since <= version) found = &row;
  return found;
}

const TensorSupport* find_role(const SupportRow& row, std::string_view role) {
  for (const TensorSupport& tensor : row.tensors)
    if (tensor.role == role) return &tensor;
  return nullptr;
}

}  // namespace opconform
