// How operands and shapes reach an implementation: opconform_descriptor.binding of
// include/opconform/plugin.h, by the names that `--backend` and messages have for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"

namespace opconform::backends {

inline constexpr char kBindingMark = '#';  ///< before the binding that `--backend` names
inline constexpr std::uint32_t kBindingCount = 8;

/// "constant-values+symbolic-shapes"; of 0, "run-time".
[[nodiscard]] std::string binding_text(std::uint32_t binding);
/// Nothing where no binding has that name.
[[nodiscard]] std::optional<std::uint32_t> parse_binding(std::string_view text);

/// What `--backend` names.
struct BindingWanted {
  std::string name;                      ///< without the binding
  std::optional<std::uint32_t> binding;  ///< nothing: all that are offered
};
/// A path or a command may hold that mark, too: only a binding's name behind it counts.
[[nodiscard]] BindingWanted wanted_by(std::string_view name);

/// A backend for each binding that is offered and wanted, held to the promise. Throws BadInput
/// where none is left.
[[nodiscard]] std::vector<std::unique_ptr<Backend>> backends_of_bindings(
    const BindingWanted& wanted, std::span<const std::uint32_t> offered,
    const std::optional<Promise>& promise,
    const std::function<std::unique_ptr<Backend>(std::string name, std::uint32_t binding)>& make);

}  // namespace opconform::backends
