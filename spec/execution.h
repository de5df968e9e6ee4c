// How an operator meets memory. Reference, kernels and plug-ins take the same bindings.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace opconform {

/// The buffers of one execution, in the order of the operator's fields; an array of tensors gives
/// one buffer each. A buffer holds at least buffer_size_bytes() of its tensor and is aligned to its
/// element.
///
/// Precondition, as DirectML's binding page states it: no output overlaps another output or an
/// input.
struct Bindings {
  std::span<const std::span<const std::byte>> inputs;
  std::span<const std::span<std::byte>> outputs;
};

/// A failure that only the contents of the inputs can cause. Nothing has been written.
struct ExecutionError {
  std::string_view rule;
  std::string message;  ///< names the value, its position and the bound
};

/// Nothing on success.
using ExecutionResult = std::optional<ExecutionError>;

}  // namespace opconform
