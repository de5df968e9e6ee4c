// Descriptors for lists of cells.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/operators/gather.h"

namespace opconform::bench {

[[nodiscard]] OnnxGather gather(DataType type, const Dims& sizes, std::int64_t axis,
                                const Dims& index_sizes, DataType index_type = DataType::kInt64);

}  // namespace opconform::bench
