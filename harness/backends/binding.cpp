#include "harness/backends/binding.h"

#include <opconform/plugin.h>

#include <utility>

#include "harness/backends/promising.h"
#include "harness/base/bad_input.h"
#include "harness/base/suggestion.h"
#include "harness/base/text.h"

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

BindingWanted wanted_by(std::string_view name) {
  const std::size_t mark = name.rfind(kBindingMark);
  if (mark != std::string_view::npos)
    if (const auto binding = parse_binding(name.substr(mark + 1)))
      return {std::string(name.substr(0, mark)), binding};
  return {std::string(name), std::nullopt};
}

std::vector<std::unique_ptr<Backend>> backends_of_bindings(
    const BindingWanted& wanted, std::span<const std::uint32_t> offered,
    const std::optional<Promise>& promise,
    const std::function<std::unique_ptr<Backend>(std::string name, std::uint32_t binding)>& make) {
  std::vector<std::unique_ptr<Backend>> backends;
  std::vector<std::string> texts;
  for (const std::uint32_t binding : offered) {
    texts.push_back(binding_text(binding));
    if (wanted.binding && *wanted.binding != binding) continue;
    // Where operands come in the usual way, nothing needs to be said of it.
    std::string name = binding == 0 ? wanted.name : wanted.name + kBindingMark + texts.back();
    backends.push_back(held_to(make(std::move(name), binding), promise));
  }
  if (backends.empty())
    throw base::BadInput(wanted.name, "",
                         "does not offer the binding " +
                             base::in_quotes(binding_text(*wanted.binding)) + "; it offers " +
                             base::listed({texts.begin(), texts.end()}));
  return backends;
}

}  // namespace opconform::backends
