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

class IndexCheck {
 public:
  IndexCheck(const CheckedIndices& checked, DataType index_type, const IndexedAxis& axis,
             FindOutside find_outside);

  /// The error of the first index that lies outside. Touches nothing but the indices.
  [[nodiscard]] ExecutionResult find_error(const std::byte* indices) const;

 private:
  [[nodiscard]] ExecutionError error_at(std::uint64_t position, const std::byte* indices) const;

  CheckedIndices checked_;
  DataType index_type_;
  IndexedAxis axis_;
  FindOutside find_outside_;
};

}  // namespace opconform::optimized
