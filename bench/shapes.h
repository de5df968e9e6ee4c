// Operators of any shape, large enough to be timed: what the generators draw, made larger.
#pragma once

#include <cstdint>

#include "spec/operator.h"

namespace opconform::bench {

/// Outputs of a shape have at least this many bytes, and not many more than the most.
inline constexpr std::uint64_t kLeastShapeBytes = std::uint64_t{64} << 10;
inline constexpr std::uint64_t kMostShapeBytes = std::uint64_t{8} << 20;

/// Shape `number`, a function of seed and number alone. Operators take turns; types, ranks, axes,
/// windows and layouts come from their generators. Indices name no element twice, so that one
/// result is right.
[[nodiscard]] Operator draw_shape(std::uint64_t seed, std::uint64_t number);

/// Bytes of the elements of all outputs.
[[nodiscard]] std::uint64_t output_bytes(const Operator& op);

}  // namespace opconform::bench
