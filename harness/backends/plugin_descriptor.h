// An operator as plug-ins see it: include/opconform/plugin.h.
#pragma once

#include <opconform/plugin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::backends {

/// Owns all that the C struct points to, in one block: some are made for each plan, a hundred
/// thousand times a second. A copy costs a tenth of one that is made of an operator.
class PluginDescriptor {
 public:
  /// `binding` as opconform_descriptor has it.
  PluginDescriptor(const Operator& op, Version version, std::uint32_t binding);
  PluginDescriptor(const PluginDescriptor& other);
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
  struct Counts;
  /// A part of the block that is filled from its front.
  template <class T>
  struct Part {
    T* first = nullptr;
    std::size_t count = 0;

    [[nodiscard]] T* begin() const { return first; }
    [[nodiscard]] T* end() const { return first + count; }
    T* push_back(const T& value) { return new (first + count++) T(value); }
    /// Returns where the values begin.
    template <class Values>
    const T* append(const Values& values) {
      T* const at = end();
      std::copy(values.begin(), values.end(), at);
      count += values.size();
      return at;
    }
  };
  void make_room(const Counts& counts);
  template <class IsBound>
  void bind(const Bindings& bindings, IsBound is_bound);

  opconform_descriptor descriptor_{};
  std::size_t block_words_ = 0;
  std::unique_ptr<std::uint64_t[]> block_;
  Part<opconform_field> fields_;
  Part<const opconform_field*> field_pointers_;
  Part<opconform_tensor> tensors_;  // in the order of the fields
  Part<const opconform_tensor*> tensor_pointers_;
  Part<std::uint64_t> dimensions_;
  Part<std::int64_t> numbers_;
};

}  // namespace opconform::backends
