// The rules that every tensor of every operator obeys, and those that hold for all data movement.
// Source: the page on tensor sizes and strides.
#pragma once

#include <span>

#include "spec/erratum.h"
#include "spec/fields.h"
#include "spec/rule.h"

namespace opconform {

[[nodiscard]] std::span<const Rule<NamedTensor>> tensor_rules();
[[nodiscard]] std::span<const Erratum> tensor_errata();

}  // namespace opconform
