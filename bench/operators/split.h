// Descriptors for lists of cells.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/operators/split.h"

namespace opconform::bench {

/// Equal parts.
[[nodiscard]] Split split(DataType type, const Dims& sizes, std::uint32_t axis, std::size_t parts);

}  // namespace opconform::bench
