// The bytes of a generated case's inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/generation/generator.h"

namespace opconform::generation {

/// Values of a buffer, gaps included: those are never part of the tensor, and may hold anything.
void write_values(const TensorDesc& tensor, const ContentPlan& plan, std::span<std::byte> buffer);

/// Indices, in places of elements only. They count in a dimension of `size`; a line is the elements
/// that differ only in the coordinate along `axis`.
void write_indices(const TensorDesc& tensor, std::size_t axis, std::uint64_t size,
                   const ContentPlan& plan, std::span<std::byte> buffer);

}  // namespace opconform::generation
