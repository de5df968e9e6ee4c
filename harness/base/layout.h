// The harness's own walk over the elements of a strided tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "spec/tensor.h"

namespace opconform::base {

/// Calls `f`. False where it returns false.
template <class F, class... Numbers>
bool goes_on(F& f, Numbers... numbers) {
  if constexpr (std::is_same_v<decltype(f(numbers...)), bool>) return f(numbers...);
  f(numbers...);
  return true;
}

/// Calls `f(number, offset_elements)` for each element, in row-major order. For valid tensors. An
/// `f` that returns false ends it.
template <class F>
void for_each_element(const TensorDesc& tensor, F&& f) {
  const Dims strides = effective_strides(tensor);
  const std::uint64_t count = element_count(tensor.sizes).value_or(0);
  Dims at(tensor.rank());
  std::uint64_t offset = 0;
  for (std::uint64_t number = 0; number < count; ++number) {
    if (!goes_on(f, number, offset)) return;
    for (std::size_t i = tensor.rank(); i-- > 0;) {
      offset += strides[i];
      if (++at[i] < tensor.sizes[i]) break;
      offset -= at[i] * strides[i];
      at[i] = 0;
    }
  }
}

/// Calls `f(number, offset_elements, count)` for runs of elements that lie side by side, in
/// row-major order: each element is in one of them. For valid tensors. An `f` that returns false
/// ends it.
template <class F>
void for_each_run(const TensorDesc& tensor, F&& f) {
  if (element_count(tensor.sizes).value_or(0) == 0) return;
  TensorDesc starts = tensor;
  starts.strides = effective_strides(tensor);
  std::uint64_t length = 1;
  while (starts.rank() > 0 && (starts.sizes.back() == 1 || starts.strides->back() == length)) {
    length *= starts.sizes.back();
    starts.sizes.pop_back();
    starts.strides->pop_back();
  }
  for_each_element(starts, [&](std::uint64_t run, std::uint64_t offset) {
    return goes_on(f, run * length, offset, length);
  });
}

/// The elements of a buffer in row-major order. For valid tensors.
inline std::vector<std::byte> logical_elements(const TensorDesc& tensor,
                                               std::span<const std::byte> buffer) {
  const std::size_t size_bytes = tensor.element_size_bytes();
  std::vector<std::byte> elements(element_count(tensor.sizes).value_or(0) * size_bytes);
  for_each_run(tensor, [&](std::uint64_t number, std::uint64_t offset, std::uint64_t count) {
    std::memcpy(elements.data() + number * size_bytes, buffer.data() + offset * size_bytes,
                count * size_bytes);
  });
  return elements;
}

/// The tensor without its repetitions: dimensions of stride 0 have size 1. A broadcast input may
/// have 2^32 elements in a few bytes; whoever only wants to see the values walks this.
inline TensorDesc without_repetition(const TensorDesc& tensor) {
  TensorDesc distinct = tensor;
  if (tensor.strides)
    for (std::size_t i = 0; i < tensor.rank(); ++i)
      if ((*tensor.strides)[i] == 0 && tensor.sizes[i] > 1) distinct.sizes[i] = 1;
  return distinct;
}

/// Calls `f(offset_elements, count)` for runs of addresses, so that the address of each element is
/// in at least one of them, in a time that the extent bounds, whatever the logical size. As above,
/// `f` may end it. Where strides make more elements than places, places between elements may be
/// among them.
template <class F>
void for_each_address_run(const TensorDesc& tensor, F&& f) {
  const TensorDesc distinct = without_repetition(tensor);
  const std::uint64_t extent = extent_elements(tensor).value_or(0);
  const std::optional<std::uint64_t> count = element_count(distinct.sizes);
  if (count && *count <= extent) {
    for_each_run(distinct, [&](std::uint64_t /*number*/, std::uint64_t offset,
                               std::uint64_t length) { return goes_on(f, offset, length); });
  } else if (extent > 0) {
    f(std::uint64_t{0}, extent);
  }
}

/// Calls `f(offset_elements)` for each address of these runs. As above, `f` may end it.
template <class F>
void for_each_address(const TensorDesc& tensor, F&& f) {
  for_each_address_run(tensor, [&](std::uint64_t offset, std::uint64_t count) {
    for (const std::uint64_t end = offset + count; offset < end; ++offset)
      if (!goes_on(f, offset)) return false;
    return true;
  });
}

/// "[0, 3, 1]": the coordinates of the element with that row-major number.
inline std::string coordinates_text(std::uint64_t number, const Dims& sizes) {
  std::string text;
  for (std::size_t i = sizes.size(); i-- > 0; number /= sizes[i])
    text.insert(0, (i > 0 ? ", " : "") + std::to_string(number % sizes[i]));
  return "[" + text + "]";
}

}  // namespace opconform::base
