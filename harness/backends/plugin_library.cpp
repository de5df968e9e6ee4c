#include "harness/backends/plugin_library.h"

#include <dlfcn.h>

#include <bit>
#include <filesystem>

#include "harness/backends/binding.h"
#include "harness/base/text.h"

namespace opconform::backends {
namespace {

constexpr const char* kInit = "opconform_plugin_init";
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 20;

std::string version_text(std::uint32_t major, std::uint32_t minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string error_of_loader() {
  const char* const error = ::dlerror();
  return error == nullptr ? "no reason given" : base::words_of_others(error);
}

}  // namespace

std::string_view text_in(const opconform_text& text, const char* what) {
  if (text.size_bytes == 0) return {};
  if (text.bytes == nullptr || text.size_bytes > kLongestText)
    throw BrokenInterface(std::string(what) + " is no text: " + std::to_string(text.size_bytes) +
                          " bytes at " +
                          (text.bytes == nullptr ? "a null pointer" : "some address"));
  return {text.bytes, static_cast<std::size_t>(text.size_bytes)};
}

PluginLibrary::PluginLibrary(const std::string& path, const std::vector<std::string>& options) {
  load(path);
  check();
  describe();
  open(options);
  // What it promises and offers may be a matter of its options.
  try {
    check();
    describe();
  } catch (const PluginError&) {
    if (plugin_.close != nullptr) plugin_.close(state_);
    throw;
  }
}

PluginLibrary::~PluginLibrary() {
  // The library stays loaded: threads of its own may still run.
  if (plugin_.close != nullptr) plugin_.close(state_);
}

void PluginLibrary::load(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw PluginError("there is no such file");
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw PluginError("cannot be loaded: " + error_of_loader());
  const auto init = reinterpret_cast<int32_t (*)(opconform_plugin*)>(::dlsym(library, kInit));
  if (init == nullptr)
    throw PluginError(std::string("is no plug-in: it does not export ") + kInit + "()");
  plugin_.struct_size = sizeof plugin_;
  plugin_.abi_major = OPCONFORM_ABI_MAJOR;
  plugin_.abi_minor = OPCONFORM_ABI_MINOR;
  const int32_t status = init(&plugin_);
  if (plugin_.abi_major != OPCONFORM_ABI_MAJOR)
    throw BrokenInterface("was built for version " +
                          version_text(plugin_.abi_major, plugin_.abi_minor) +
                          " of the plug-in interface; this program has " +
                          version_text(OPCONFORM_ABI_MAJOR, OPCONFORM_ABI_MINOR));
  if (status != OPCONFORM_DONE)
    throw BrokenInterface(std::string(kInit) + "() returned " + std::to_string(status));
}

void PluginLibrary::check() {
  const auto wrong = [](const char* member, const std::string& why) {
    throw BrokenInterface(std::string(kInit) + "() left " + member + " " + why);
  };
  if (plugin_.struct_size != sizeof plugin_)
    wrong("struct_size", "at " + std::to_string(plugin_.struct_size) + "; it was " +
                             std::to_string(sizeof plugin_) +
                             ", and is not the plug-in's to change");
  if (plugin_.execute == nullptr) wrong("execute", "null; it is needed");
  if (text_in(plugin_.name, "name").empty()) wrong("name", "empty; it is needed");
  constexpr std::uint32_t kKnown = (std::uint32_t{1} << kBindingCount) - 1;
  if ((plugin_.bindings & ~kKnown) != 0)
    wrong("bindings",
          "at " + std::to_string(plugin_.bindings) + "; only the lowest 8 bits mean anything");
}

void PluginLibrary::describe() {
  description_ = {};
  description_.name = text_in(plugin_.name, "name");
  description_.version = text_in(plugin_.version, "version");
  description_.promise = text_in(plugin_.promise, "promise");
  description_.rejects_late =
      plugin_.prepare == nullptr || (plugin_.flags & OPCONFORM_REFUSES_LATE) != 0;
  if ((plugin_.flags & OPCONFORM_EXECUTIONS_AT_ONCE) != 0)
    description_.at_once = AtOnce::kExecutions;
  else if ((plugin_.flags & OPCONFORM_PLANS_AT_ONCE) != 0)
    description_.at_once = AtOnce::kPlans;
  std::uint32_t bindings = plugin_.bindings == 0 ? 1 : plugin_.bindings;
  for (; bindings != 0; bindings &= bindings - 1)
    description_.bindings.push_back(static_cast<std::uint32_t>(std::countr_zero(bindings)));
}

void PluginLibrary::open(const std::vector<std::string>& options) {
  if (plugin_.open == nullptr) {
    if (!options.empty())
      throw PluginError("takes no options, but was given " + base::in_quotes(options.front()));
    return;
  }
  std::vector<opconform_text> texts;
  texts.reserve(options.size());
  for (const std::string& option : options) texts.push_back({option.data(), option.size()});
  opconform_reply reply{};
  reply.struct_size = sizeof reply;
  const int32_t status = plugin_.open(texts.data(), texts.size(), &state_, &reply);
  if (status == OPCONFORM_DONE) return;
  plugin_.close = nullptr;  // there is nothing to close
  const std::string text(text_in(reply.text, "the text of open()'s reply"));
  throw PluginError("does not start: open() returned " + std::to_string(status) +
                    (text.empty() ? "" : ": " + base::words_of_others(text)));
}

}  // namespace opconform::backends
