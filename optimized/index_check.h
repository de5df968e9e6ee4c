// Indices that must all lie inside their axis: found out before anything is moved.
#pragma once

#include <string_view>

#include "opconform/optimized.h"
#include "optimized/kernels/indexed.h"
#include "spec/tensor.h"

namespace opconform::optimized {

/// What an operator demands of its indices, in the words of its fields.
struct IndexRule {
  std::string_view name;  ///< that an index outside breaks
  std::string_view indices_field;
  std::string_view data_field;  ///< whose axis they count along
};
struct CheckedIndices {
  Dims sizes;             ///< of a packed tensor
  const IndexRule* rule;  ///< a constant
};

struct IndexCheck {
  /// The error of the first index that lies outside. Touches nothing but the indices.
  [[nodiscard]] ExecutionResult find_error(const std::byte* indices) const;

  CheckedIndices checked;
  DataType index_type;
  IndexedAxis axis;
  FindOutside find_outside;
};

}  // namespace opconform::optimized
