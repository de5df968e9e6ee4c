#include "spec/tensor.h"

#include <algorithm>

namespace opconform {
namespace {

using Count = std::optional<std::uint64_t>;

/// Behind element_count(). Inlined, because an optional that a call returns passes through memory,
/// which its parts do not leave as fast as they came.
[[gnu::always_inline]] inline Count product(const Dims& sizes) {
  std::uint64_t count = 1;
  bool overflows = false;
  for (const std::uint64_t size : sizes) overflows |= __builtin_mul_overflow(count, size, &count);
  if (!overflows) return count;
  if (std::find(sizes.begin(), sizes.end(), 0U) != sizes.end()) return 0;
  return std::nullopt;
}

/// extent_elements() by the given strides.
Count strided_extent(const TensorDesc& tensor) {
  std::uint64_t extent = 1;
  bool overflows = false;
  bool is_empty = false;
  for (std::size_t i = 0; i < tensor.rank(); ++i) {
    const std::uint64_t size = tensor.sizes[i];
    std::uint64_t reach = 0;
    is_empty |= size == 0;
    overflows |= __builtin_mul_overflow(size - 1, (*tensor.strides)[i], &reach);
    overflows |= __builtin_add_overflow(extent, reach, &extent);
  }
  if (is_empty) return 0;
  if (overflows) return std::nullopt;
  return extent;
}

Count in_bytes(const Count& elements, const TensorDesc& tensor) {
  std::uint64_t size_bytes = 0;
  if (!elements || __builtin_mul_overflow(*elements, tensor.element_size_bytes(), &size_bytes))
    return std::nullopt;
  return size_bytes;
}

/// To a multiple of 4.
Count rounded_up(const Count& size_bytes) {
  std::uint64_t more = 0;
  if (!size_bytes || __builtin_add_overflow(*size_bytes, std::uint64_t{3}, &more))
    return std::nullopt;
  return more & ~std::uint64_t{3};
}

}  // namespace

TensorDesc packed_tensor(DataType data_type, const Dims& sizes) {
  TensorDesc tensor{data_type, sizes, std::nullopt, 0};
  tensor.total_tensor_size_bytes = buffer_tensor_size(tensor).value_or(0);
  return tensor;
}

TensorDesc strided_tensor(DataType data_type, const Dims& sizes, const Dims& strides) {
  TensorDesc tensor{data_type, sizes, strides, 0};
  if (stride_count_matches(tensor))
    tensor.total_tensor_size_bytes = buffer_tensor_size(tensor).value_or(0);
  return tensor;
}

std::optional<std::uint64_t> element_count(const Dims& sizes) { return product(sizes); }

Dims packed_strides(const Dims& sizes) {
  Dims strides = sizes;
  std::uint64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0; stride *= sizes[i]) strides[i] = stride;
  return strides;
}

Dims effective_strides(const TensorDesc& tensor) {
  return tensor.strides ? *tensor.strides : packed_strides(tensor.sizes);
}

std::optional<std::uint64_t> extent_elements(const TensorDesc& tensor) {
  if (!tensor.strides) return element_count(tensor.sizes);
  return strided_extent(tensor);
}

std::optional<std::uint64_t> extent_bytes(const TensorDesc& tensor) {
  return in_bytes(extent_elements(tensor), tensor);
}

std::optional<std::uint64_t> buffer_tensor_size(const TensorDesc& tensor) {
  return rounded_up(extent_bytes(tensor));
}

TensorCounts counts_of(const TensorDesc& tensor) {
  TensorCounts counts{product(tensor.sizes), {}, {}};
  if (!stride_count_matches(tensor)) return counts;
  counts.extent_bytes = in_bytes(tensor.strides ? strided_extent(tensor) : counts.elements, tensor);
  counts.buffer_bytes = rounded_up(counts.extent_bytes);
  return counts;
}

std::uint64_t buffer_size_bytes(const TensorDesc& tensor, Dialect dialect) {
  if (dialect == Dialect::kDirectml) return tensor.total_tensor_size_bytes;
  return element_count(tensor.sizes).value_or(0) * tensor.element_size_bytes();
}

}  // namespace opconform
