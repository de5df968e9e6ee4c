#include "cli/adapters.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cli/case_folder.h"
#include "cli/shell.h"
#include "harness/backends/binding.h"
#include "harness/backends/plugin.h"
#include "harness/backends/process.h"
#include "harness/base/bad_input.h"
#include "harness/base/json_document.h"
#include "harness/base/suggestion.h"
#include "reports/columns.h"

namespace opconform::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription = "adapter.json";

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

fs::path adapters_folder() {
  return variable("OPCONFORM_ADAPTERS").value_or(beside_program("adapters").string());
}

/// Where engines are installed, each in a folder of its adapter's name.
fs::path engines_folder() {
  if (const auto given = variable("OPCONFORM_PEERS")) return *given;
  return fs::path(variable("HOME").value_or("/")) / ".cache" / "opconform" / "peers";
}

/// What an adapter's description says of how it starts. The rest is for tools/peers.
struct Adapter {
  std::string says;
  std::string run_by;        ///< "node"; empty: the program runs by itself
  std::string program;       ///< a file of the adapter's folder
  std::string plugin;        ///< a file of the engine's folder
  bool is_installed = true;  ///< as far as a folder can tell
};

Adapter read_adapter(const std::string& name) {
  const std::string file = (adapters_folder() / name / kDescription).string();
  const base::Json json = base::read_json_file(file);
  const base::Pointer root;
  base::ObjectReader object(json, root, file);
  Adapter adapter;
  adapter.says = object.find_string("says").value_or("");
  adapter.run_by = object.find_string("run_by").value_or("");
  adapter.program = object.find_string("program").value_or("");
  adapter.plugin = object.find_string("plugin").value_or("");
  if (adapter.program.empty() == adapter.plugin.empty())
    object.fail("needs either \"program\" or \"plugin\"");
  const bool has_folder = !adapter.plugin.empty() || object.find("npm") != nullptr;
  std::error_code error;
  adapter.is_installed = !has_folder || fs::exists(engines_folder() / name / adapter.plugin, error);
  return adapter;
}

std::vector<std::string> adapter_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(adapters_folder(), error), end; !error && entry != end;
       entry.increment(error))
    if (fs::exists(entry->path() / kDescription, error))
      names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void demand_adapter(const std::string& backend, const std::string& name) {
  const std::vector<std::string> names = adapter_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string question = base::did_you_mean(name, known);
  throw base::BadInput(backend, "",
                       "no such adapter in " + adapters_folder().string() + ": " +
                           base::in_quotes(name) + question +
                           (question.empty() ? "; there are " : " There are ") +
                           (known.empty() ? "none" : base::listed(known)));
}

}  // namespace

std::vector<std::unique_ptr<backends::Backend>> adapter_backends(std::string_view name) {
  const backends::BindingWanted wanted = backends::wanted_by(name);
  const std::string rest = wanted.name.substr(kAdapterPrefix.size());
  const std::size_t comma = std::min(rest.find(','), rest.size());
  const std::string which = rest.substr(0, comma);
  std::string options = rest.substr(comma);  // each behind a comma
  demand_adapter(wanted.name, which);
  const Adapter adapter = read_adapter(which);
  if (!adapter.is_installed)
    throw base::BadInput(wanted.name, "",
                         "its engine is not installed in " + (engines_folder() / which).string() +
                             ": run " + beside_program("tools/peers").string() + " --install " +
                             which);
  if (!adapter.plugin.empty())
    return backends::plugin_backends(
        wanted, (engines_folder() / which / adapter.plugin).string() + options);
  std::string command = shell_word((adapters_folder() / which / adapter.program).string());
  if (!adapter.run_by.empty()) command = adapter.run_by + " " + command;
  while (!options.empty()) {
    const std::size_t end = std::min(options.find(',', 1), options.size());
    command += " " + shell_word(options.substr(1, end - 1));
    options.erase(0, end);
  }
  return backends::process_backends(wanted, command);
}

std::string adapters_text() {
  std::string text;
  for (const std::string& name : adapter_names()) {
    const Adapter adapter = read_adapter(name);
    text += reports::left(name, 17) + adapter.says +
            (adapter.is_installed ? "" : " (not installed)") + "\n";
  }
  return text;
}

}  // namespace opconform::cli
