#include "harness/backends/binding.h"

#include <opconform/plugin.h>

namespace opconform::backends {

std::string binding_text(std::uint32_t binding) {
  std::string text;
  const auto add = [&](std::uint32_t bit, const char* words) {
    if ((binding & bit) != 0) text += (text.empty() ? "" : "+") + std::string(words);
  };
  add(OPCONFORM_CONSTANT_VALUES, "constant-values");
  add(OPCONFORM_CONSTANT_INDICES, "constant-indices");
  add(OPCONFORM_SYMBOLIC_SHAPES, "symbolic-shapes");
  return text.empty() ? "run-time" : text;
}

std::optional<std::uint32_t> parse_binding(std::string_view text) {
  for (std::uint32_t binding = 0; binding < kBindingCount; ++binding)
    if (binding_text(binding) == text) return binding;
  return std::nullopt;
}

}  // namespace opconform::backends
