// The rules that every tensor of every operator obeys, and those that hold for all data movement.
// Source: the page on tensor sizes and strides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spec/erratum.h"
#include "spec/fields.h"
#include "spec/rule.h"

namespace opconform {

/// A tensor with what several rules ask of it, counted once: validation takes much of the time of a
/// small call.
struct MeasuredTensor : NamedTensor {
  explicit MeasuredTensor(const NamedTensor& tensor);
  std::optional<std::uint64_t> elements;  ///< element_count()
  /// buffer_tensor_size(); nothing, too, where there are not as many strides as sizes.
  std::optional<std::uint64_t> buffer_bytes;
};

[[nodiscard]] std::span<const Rule<MeasuredTensor>> tensor_rules();
void check_tensor(const NamedTensor& tensor, Version version, Violations& violations);
[[nodiscard]] std::span<const Erratum> tensor_errata();

}  // namespace opconform
