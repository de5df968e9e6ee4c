#pragma once

#include "bench/cell.h"

namespace opconform::bench {

/// Inputs of one size, packed, that make up a packed output of those sizes.
DmlJoin join(DataType type, const Dims& sizes, std::uint32_t axis, std::size_t parts);

}  // namespace opconform::bench
