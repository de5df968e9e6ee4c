// Descriptors for lists of cells.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/operators/slice1.h"

namespace opconform::bench {

/// The offset and size of a window are 0 and the whole dimension where the arguments are left out.
[[nodiscard]] Slice1 slice(DataType type, const Dims& sizes,
                           const std::vector<std::int32_t>& window_strides,
                           const std::vector<std::uint32_t>& window_offsets = {},
                           const std::vector<std::uint32_t>& window_sizes = {});
/// The same elements from one layout to another, as a window of the whole. Empty strides mean
/// packed.
[[nodiscard]] Slice1 layout_copy(DataType type, const Dims& sizes, const Dims& source_strides,
                                 const Dims& target_strides);

}  // namespace opconform::bench
