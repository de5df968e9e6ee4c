// Shared libraries that implement the operators, as backends: "plugin:PATH[,OPTION=VALUE...]".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/backends/binding.h"

namespace opconform::backends {

inline constexpr std::string_view kPluginPrefix = "plugin:";

/// A backend for each binding that the plug-in offers and that is wanted. `place` is
/// "PATH[,OPTION...]". Asks it in a process of its own. Throws BadInput where it cannot be used,
/// DoesNotStart where it ends or hangs when it is loaded. Must be called while this process has
/// one thread.
std::vector<std::unique_ptr<Backend>> plugin_backends(const BindingWanted& wanted,
                                                      std::string_view place);

}  // namespace opconform::backends
