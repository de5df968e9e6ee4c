// How operands and shapes reach an implementation: opconform_descriptor.binding of
// include/opconform/plugin.h, by the names that `--backend` and messages have for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace opconform::backends {

inline constexpr char kBindingMark = '#';  ///< before the binding that `--backend` names
inline constexpr std::uint32_t kBindingCount = 8;

/// "constant-values+symbolic-shapes"; of 0, "run-time".
[[nodiscard]] std::string binding_text(std::uint32_t binding);
/// Nothing where no binding has that name.
[[nodiscard]] std::optional<std::uint32_t> parse_binding(std::string_view text);

}  // namespace opconform::backends
