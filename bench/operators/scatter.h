// Descriptors for lists of cells.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/operators/scatter.h"

namespace opconform::bench {

[[nodiscard]] Scatter scatter(DataType type, const Dims& sizes, std::uint32_t axis,
                              const Dims& index_sizes, DataType index_type = DataType::kInt64);

}  // namespace opconform::bench
