#include "optimized/index_check.h"

#include <cstring>
#include <string>

namespace opconform::optimized {
namespace {

/// "[1,2]"; nothing for a scalar.
std::string coordinates(std::uint64_t position, const Dims& sizes) {
  std::string text;
  for (std::size_t i = sizes.size(); i-- > 0; position /= sizes[i])
    text.insert(0, (i == 0 ? "[" : ",") + std::to_string(position % sizes[i]));
  return text.empty() ? text : text + "]";
}

template <class Index>
std::string index_text(const std::byte* indices, std::uint64_t position) {
  Index index;
  std::memcpy(&index, indices + bytes(position, sizeof index), sizeof index);
  return std::to_string(index);
}

}  // namespace

ExecutionResult IndexCheck::find_error(const std::byte* indices) const {
  const auto count = static_cast<std::ptrdiff_t>(element_count(checked.sizes).value());
  const std::ptrdiff_t place = find_outside(indices, count, axis);
  if (place == count) return std::nullopt;
  const auto position = static_cast<std::uint64_t>(place);
  const std::string index = element_size_bytes(index_type) == 4
                                ? index_text<std::int32_t>(indices, position)
                                : index_text<std::int64_t>(indices, position);
  const std::string size = std::to_string(axis.size);
  const std::string least = axis.negative_counts_from_end ? "-" + size : "0";
  return ExecutionError{checked.rule->name,
                        std::string(checked.rule->indices_field) +
                            coordinates(position, checked.sizes) + " (element " +
                            std::to_string(position) + ") is " + index + ", but must be at least " +
                            least + " and less than " + size + ", the size of " +
                            std::string(checked.rule->data_field) + " along the axis"};
}

}  // namespace opconform::optimized
