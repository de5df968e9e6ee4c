#include "harness/base/index.h"

#include <cassert>
#include <cstring>
#include <utility>

#include "harness/base/layout.h"

namespace opconform::base {
namespace {

template <class T>
Index index_of(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return {static_cast<std::uint64_t>(value), std::cmp_less(value, 0)};
}

}  // namespace

bool is_index_type(DataType type) {
  return type == DataType::kInt32 || type == DataType::kUint32 || type == DataType::kInt64 ||
         type == DataType::kUint64;
}

Index read_index(DataType type, const std::byte* element) {
  switch (type) {
    case DataType::kInt32:
      return index_of<std::int32_t>(element);
    case DataType::kUint32:
      return index_of<std::uint32_t>(element);
    case DataType::kInt64:
      return index_of<std::int64_t>(element);
    default:
      assert(type == DataType::kUint64);
      return index_of<std::uint64_t>(element);
  }
}

std::vector<Index> read_indices(const TensorDesc& tensor, std::span<const std::byte> buffer) {
  std::vector<Index> indices;
  for_each_element(tensor, [&](std::uint64_t /*number*/, std::uint64_t offset) {
    indices.push_back(
        read_index(tensor.data_type, buffer.data() + offset * tensor.element_size_bytes()));
  });
  return indices;
}

Coordinate resolve(const Index& index, std::uint64_t size) {
  const std::uint64_t coordinate = index.is_negative ? index.bits + size : index.bits;
  return coordinate < size ? Coordinate(coordinate) : std::nullopt;
}

}  // namespace opconform::base
