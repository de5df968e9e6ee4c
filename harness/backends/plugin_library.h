// A plug-in in this process: include/opconform/plugin.h.
#pragma once

#include <opconform/plugin.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"

namespace opconform::backends {

/// Why a plug-in cannot be used; what() tells people.
class PluginError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// It is one, and does not keep to plugin.h.
class BrokenInterface : public PluginError {
 public:
  using PluginError::PluginError;
};

/// What a plug-in says of itself.
struct PluginDescription {
  std::string name;
  std::string version;
  std::string promise;
  std::vector<std::uint32_t> bindings;  ///< that it offers, each as opconform_descriptor has it
  bool rejects_late = false;
  AtOnce at_once = AtOnce::kNothing;
};

/// A loaded plug-in, opened. Its code runs from here on: in a process that may die, please.
class PluginLibrary {
 public:
  /// The path must be absolute. Throws PluginError where the library cannot be loaded, is no
  /// plug-in, or does not start with these options; BrokenInterface where it has another major
  /// version, or what it says of itself is not as plugin.h wants it.
  PluginLibrary(const std::string& path, const std::vector<std::string>& options);
  PluginLibrary(const PluginLibrary&) = delete;
  PluginLibrary& operator=(const PluginLibrary&) = delete;
  ~PluginLibrary();

  [[nodiscard]] const PluginDescription& description() const { return description_; }
  [[nodiscard]] const opconform_plugin& plugin() const { return plugin_; }
  [[nodiscard]] void* state() const { return state_; }

 private:
  void load(const std::string& path);
  void check();
  void describe();
  void open(const std::vector<std::string>& options);

  opconform_plugin plugin_{};
  void* state_ = nullptr;
  PluginDescription description_;
};

/// A text of a plug-in's; what is no text throws BrokenInterface.
[[nodiscard]] std::string_view text_in(const opconform_text& text, const char* what);

}  // namespace opconform::backends
