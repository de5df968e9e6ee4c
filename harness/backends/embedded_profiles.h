// The files of profiles/, as they are: made from them when the project is built.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace opconform::backends {

/// The name of each, without its suffix, and its text.
std::span<const std::pair<std::string_view, std::string_view>> embedded_profiles();

}  // namespace opconform::backends
