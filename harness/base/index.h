// Indices as they stand in their tensors, and the coordinates that they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spec/tensor.h"

namespace opconform::base {

/// An index as it stands in its tensor.
struct Index {
  std::uint64_t bits;  ///< sign-extended where the type is signed
  bool is_negative;
};

/// Are there indices of this type? A broken descriptor may name any other.
[[nodiscard]] bool is_index_type(DataType type);
/// Needs is_index_type().
[[nodiscard]] Index read_index(DataType type, const std::byte* element);
/// All of a tensor, in row-major order. Needs is_index_type() of its type.
[[nodiscard]] std::vector<Index> read_indices(const TensorDesc& tensor,
                                              std::span<const std::byte> buffer);

using Coordinate = std::optional<std::uint64_t>;

/// Negative indices count from the end. Nothing where the index lies outside.
[[nodiscard]] Coordinate resolve(const Index& index, std::uint64_t size);

}  // namespace opconform::base
