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

// A move would copy as much. NOLINTNEXTLINE(modernize-pass-by-value)
IndexCheck::IndexCheck(const CheckedIndices& checked, DataType index_type, const IndexedAxis& axis,
                       FindOutside find_outside)
    : checked_(checked), index_type_(index_type), axis_(axis), find_outside_(find_outside) {}

ExecutionResult IndexCheck::find_error(const std::byte* indices) const {
  const auto count = static_cast<std::ptrdiff_t>(element_count(checked_.sizes).value());
  const std::ptrdiff_t place = find_outside_(indices, count, axis_);
  if (place == count) return std::nullopt;
  return error_at(static_cast<std::uint64_t>(place), indices);
}

ExecutionError IndexCheck::error_at(std::uint64_t position, const std::byte* indices) const {
  const std::string index = element_size_bytes(index_type_) == 4
                                ? index_text<std::int32_t>(indices, position)
                                : index_text<std::int64_t>(indices, position);
  const std::string size = std::to_string(axis_.size);
  const std::string least = axis_.negative_counts_from_end ? "-" + size : "0";
  return {checked_.rule->name,
          std::string(checked_.rule->indices_field) + coordinates(position, checked_.sizes) +
              " (element " + std::to_string(position) + ") is " + index +
              ", but must be at least " + least + " and less than " + size + ", the size of " +
              std::string(checked_.rule->data_field) + " along the axis"};
}

}  // namespace opconform::optimized
