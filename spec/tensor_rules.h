// The rules that every tensor of every operator obeys, and those that hold for all data movement.
// Source: the page on tensor sizes and strides.
#pragma once

#include <span>

#include "spec/erratum.h"
#include "spec/fields.h"
#include "spec/rule.h"

namespace opconform {

/// A tensor, which must live on, with what several rules ask of it.
struct MeasuredTensor : TensorCounts {
  explicit MeasuredTensor(const NamedTensor& tensor)
      : TensorCounts(counts_of(tensor.desc)),
        field(tensor.field),
        path(tensor.path),
        desc(tensor.desc) {}
  const TensorField& field;
  const FieldPath& path;
  const TensorDesc& desc;
};

[[nodiscard]] std::span<const Rule<MeasuredTensor>> tensor_rules();
void check_tensor(const NamedTensor& tensor, Version version, Violations& violations);
[[nodiscard]] std::span<const Erratum> tensor_errata();

}  // namespace opconform
