// A descriptor of the plug-in interface, as the operator that it describes.
#pragma once

#include <opconform/plugin.h>

#include <span>
#include <vector>

#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::plugins {

/// What the descriptor describes, into `op`, whose room is used again where it is one of these
/// already. Throws std::runtime_error, as version_of() does, where the descriptor lacks a field, or
/// has an unknown operator or version.
void read_operator(const opconform_descriptor& descriptor, Operator& op);
Version version_of(const opconform_descriptor& descriptor);

/// The buffers of a descriptor's tensors.
class Buffers {
 public:
  /// Takes this one's in place of the last one's.
  void read(const opconform_descriptor& descriptor);
  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }

 private:
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
};

}  // namespace opconform::plugins
