// A descriptor of the plug-in interface, as the operator that it describes.
#pragma once

#include <opconform/plugin.h>

#include <span>
#include <vector>

#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::plugins {

/// Throws std::runtime_error where the descriptor lacks a field, or has an unknown operator or
/// version.
Operator operator_of(const opconform_descriptor& descriptor);
Version version_of(const opconform_descriptor& descriptor);

/// The buffers of a descriptor's tensors.
class Buffers {
 public:
  explicit Buffers(const opconform_descriptor& descriptor);
  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }

 private:
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
};

}  // namespace opconform::plugins
