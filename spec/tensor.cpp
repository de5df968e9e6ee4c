#include "spec/tensor.h"

namespace opconform {

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

std::optional<std::uint64_t> element_count(const Dims& sizes) {
  std::uint64_t count = 1;
  bool overflows = false;
  bool is_empty = false;
  for (const std::uint64_t size : sizes) {
    is_empty |= size == 0;
    overflows |= __builtin_mul_overflow(count, size, &count);
  }
  if (is_empty) return 0;
  if (overflows) return std::nullopt;
  return count;
}

Dims packed_strides(const Dims& sizes) {
  Dims strides(sizes.size());
  std::uint64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0; stride *= sizes[i]) strides[i] = stride;
  return strides;
}

Dims effective_strides(const TensorDesc& tensor) {
  return tensor.strides ? *tensor.strides : packed_strides(tensor.sizes);
}

std::optional<std::uint64_t> extent_elements(const TensorDesc& tensor) {
  if (!tensor.strides) return element_count(tensor.sizes);
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

std::optional<std::uint64_t> extent_bytes(const TensorDesc& tensor) {
  const std::optional<std::uint64_t> extent = extent_elements(tensor);
  std::uint64_t size_bytes = 0;
  if (!extent || __builtin_mul_overflow(*extent, tensor.element_size_bytes(), &size_bytes))
    return std::nullopt;
  return size_bytes;
}

std::optional<std::uint64_t> buffer_tensor_size(const TensorDesc& tensor) {
  std::uint64_t size_bytes = 0;
  const std::optional<std::uint64_t> extent = extent_bytes(tensor);
  if (!extent || __builtin_add_overflow(*extent, std::uint64_t{3}, &size_bytes))
    return std::nullopt;
  return size_bytes & ~std::uint64_t{3};
}

std::uint64_t buffer_size_bytes(const TensorDesc& tensor, Dialect dialect) {
  if (dialect == Dialect::kDirectml) return tensor.total_tensor_size_bytes;
  return element_count(tensor.sizes).value_or(0) * tensor.element_size_bytes();
}

}  // namespace opconform
