// Programs that implement the operators, as backends: "process:COMMAND". docs/protocol.md is what
// they speak.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/backends/binding.h"

namespace opconform::backends {

inline constexpr std::string_view kProcessPrefix = "process:";

/// A backend for each binding that the program offers and that is wanted. `command` is the shell's.
/// Starts the program in a process of its own to ask it. Throws BadInput where there is no such
/// command, DoesNotStart where it does not speak the protocol, ends or hangs. Must be called while
/// this process has one thread.
std::vector<std::unique_ptr<Backend>> process_backends(const BindingWanted& wanted,
                                                       const std::string& command);

}  // namespace opconform::backends
