// The classes of what a tensor of indices holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/coverage/classes.h"
#include "spec/tensor.h"

namespace opconform::coverage {

/// Bits of IndexClass. Index tensors are read whole, so it keeps the memory that this takes.
class IndexClassifier {
 public:
  /// `size` is what the indices count in; two indices are duplicates where they name one element
  /// and differ only in the coordinate `line_dimension`, or anywhere where there is no such
  /// dimension. Where an index is out of range, nothing else is said of the tensor.
  [[nodiscard]] ClassSet classify(const TensorDesc& tensor,
                                  std::optional<std::size_t> line_dimension, std::uint64_t size,
                                  std::span<const std::byte> buffer);

 private:
  template <class Index>
  ClassSet classify_as(const TensorDesc& tensor, std::optional<std::size_t> line_dimension,
                       std::uint64_t size, std::span<const std::byte> buffer);
  std::vector<std::uint64_t> named_;  // a bit for each element of each line
};

}  // namespace opconform::coverage
