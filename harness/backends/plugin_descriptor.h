// An operator as plug-ins see it: include/opconform/plugin.h.
#pragma once

#include <opconform/plugin.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::backends {

/// Owns all that the C struct points to. The operator must outlive it.
class PluginDescriptor {
 public:
  /// `binding` as opconform_descriptor has it.
  PluginDescriptor(const Operator& op, Version version, std::uint32_t binding);
  PluginDescriptor(const PluginDescriptor&) = delete;
  PluginDescriptor& operator=(const PluginDescriptor&) = delete;

  [[nodiscard]] const opconform_descriptor& get() const { return descriptor_; }
  /// Gives the tensors these buffers: all of them, or those that are constant alone. The others
  /// have none.
  void bind_all(const Bindings& bindings);
  void bind_constants(const Bindings& bindings);
  void unbind();
  /// Spoils what a plug-in must not have kept: all that get() leads to.
  void spoil();

 private:
  class Builder;
  template <class IsBound>
  void bind(const Bindings& bindings, IsBound is_bound);

  opconform_descriptor descriptor_{};
  std::vector<opconform_field> fields_;
  std::vector<const opconform_field*> field_pointers_;
  std::vector<opconform_tensor> tensors_;  // in the order of the fields
  std::vector<const opconform_tensor*> tensor_pointers_;
  std::vector<std::uint64_t> dimensions_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace opconform::backends
