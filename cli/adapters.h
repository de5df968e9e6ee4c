// Engines that others wrote, by the adapters that came with the program: "adapter:NAME[,OPTION...]"
// is short for a program or a plug-in of the adapter's folder. adapters/README.md describes it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"

namespace opconform::cli {

inline constexpr std::string_view kAdapterPrefix = "adapter:";

/// A backend for each binding that the adapter offers and that is wanted. Throws BadInput where
/// there is no such adapter, or its engine is not installed.
std::vector<std::unique_ptr<backends::Backend>> adapter_backends(std::string_view name);

/// What `opconform list adapters` prints.
std::string adapters_text();

}  // namespace opconform::cli
