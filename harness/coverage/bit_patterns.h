// The bit patterns of values: those that a conversion on the way would lose, and the ends of
// ranges.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "harness/coverage/classes.h"
#include "spec/tensor.h"

namespace opconform::coverage {

/// The bit patterns that a conversion on the way would lose, and the ends of the ranges.
[[nodiscard]] std::span<const std::string_view> bit_pattern_names(DataTypeKind kind);
/// Which of them the elements hold, gaps apart. `layout` is layout_classes(tensor).
[[nodiscard]] ClassSet bit_patterns(const TensorDesc& tensor, ClassSet layout,
                                    std::span<const std::byte> buffer);
/// Would a conversion of values change some of these patterns?
[[nodiscard]] bool are_fragile(DataTypeKind kind, ClassSet patterns);

}  // namespace opconform::coverage
