// Plain descriptors: packed tensors of a few elements, of any types and ranks.
#pragma once

#include <cstddef>

#include "spec/data_type.h"
#include "spec/tensor.h"

namespace opconform {

/// The types and ranks that support tables speak of. Operators without indices leave out the last
/// two; where indices have the rank of the rest, the last.
struct PlainShape {
  DataType data_type = DataType::kFloat32;
  std::size_t rank = 1;
  DataType index_type = DataType::kInt32;
  std::size_t index_rank = 1;
};

/// The last dimension has size 2, the others 1.
[[nodiscard]] Dims plain_sizes(std::size_t rank);

}  // namespace opconform
