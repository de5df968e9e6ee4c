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
/// "PATH[,OPTION...]". Asks it in a process of its own. Throws BadInput where the library is no
/// plug-in or these options are none of it, DoesNotStart where it does not keep to plugin.h, ends
/// or hangs when it is loaded. Must be called while this process has one thread.
std::vector<std::unique_ptr<Backend>> plugin_backends(const BindingWanted& wanted,
                                                      std::string_view place);

}  // namespace opconform::backends
