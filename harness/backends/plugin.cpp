#include "harness/backends/plugin.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include "harness/backends/apart.h"
#include "harness/backends/binding.h"
#include "harness/backends/plugin_descriptor.h"
#include "harness/backends/plugin_library.h"
#include "harness/backends/promise_file.h"
#include "harness/backends/spoiled.h"
#include "harness/base/bad_input.h"
#include "harness/base/json_document.h"
#include "harness/base/text.h"

namespace opconform::backends {
namespace {

/// Where a plug-in is, and what it is opened with.
struct Place {
  std::string path;
  std::vector<std::string> options;
};

Place place_of(std::string_view name) {
  Place place;
  std::size_t comma = name.find(',');
  // Code under test may change the working directory before the file is loaded.
  std::error_code error;
  place.path = std::filesystem::absolute(name.substr(0, comma), error);
  while (comma != std::string_view::npos) {
    name.remove_prefix(comma + 1);
    comma = name.find(',');
    place.options.emplace_back(name.substr(0, comma));
  }
  return place;
}

/// The plug-in of this process: opened when it is used first, so that what it starts is this
/// process's own.
class Opened {
 public:
  explicit Opened(Place place) : place_(std::move(place)) {}

  const PluginLibrary& get() {
    if (const PluginLibrary* const library = opened_.load(std::memory_order_acquire))
      return *library;
    const std::lock_guard lock(mutex_);
    if (!library_) library_.emplace(place_.path, place_.options);
    opened_.store(&*library_, std::memory_order_release);
    return *library_;
  }
  /// To be held while the plug-in is called: one thread at a time, unless it offers more.
  std::unique_lock<std::mutex> turn() {
    return get().description().at_once == AtOnce::kNothing ? std::unique_lock(calls_)
                                                           : std::unique_lock<std::mutex>();
  }

 private:
  const Place place_;
  std::mutex mutex_;
  std::mutex calls_;
  std::optional<PluginLibrary> library_;
  std::atomic<const PluginLibrary*> opened_ = nullptr;  // asked for several times a case
};

/// What an entry returned, with what it said beside it.
class Reply {
 public:
  Reply() { reply_.struct_size = sizeof reply_; }
  opconform_reply* get() { return &reply_; }

  /// Of an entry that may say all that there is.
  Ending ending(std::int32_t status, const char* entry) {
    if ((reply_.flags & OPCONFORM_SPOILED) != 0) spoil_process();
    switch (status) {
      case OPCONFORM_DONE:
        return Done();
      case OPCONFORM_REFUSED:
        return rejection(Rejection::Kind::kRejected);
      case OPCONFORM_NOT_OFFERED:
        return rejection(Rejection::Kind::kNotOffered);
      case OPCONFORM_RAN_ELSEWHERE:
        return rejection(Rejection::Kind::kRanElsewhere);
      case OPCONFORM_FAILED: {
        std::vector<std::string> named = rules();
        return Failure{named.empty() ? "" : std::move(named.front()), message()};
      }
      default:
        throw BrokenInterface(std::string(entry) + "() returned " + std::to_string(status) +
                              ", which is none of the replies");
    }
  }

 private:
  [[nodiscard]] std::string message() const {
    return std::string(text_in(reply_.text, "the text of a reply"));
  }
  [[nodiscard]] std::vector<std::string> rules() const {
    constexpr std::uint64_t kMost = 1000;
    if (reply_.rule_count > kMost || (reply_.rule_count > 0 && reply_.rules == nullptr))
      throw BrokenInterface("a reply names " + std::to_string(reply_.rule_count) + " rules");
    std::vector<std::string> rules;
    for (std::uint64_t i = 0; i < reply_.rule_count; ++i)
      rules.emplace_back(text_in(reply_.rules[i], "a rule of a reply"));
    std::sort(rules.begin(), rules.end());
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    return rules;
  }
  [[nodiscard]] Rejection rejection(Rejection::Kind kind) const {
    return {kind, rules(), message()};
  }

  opconform_reply reply_{};
};

/// A plan of the plug-in's; released with this.
class PluginPlan {
 public:
  PluginPlan(Opened& opened, const opconform_descriptor& descriptor)
      : opened_(opened), library_(opened.get()) {
    const std::unique_lock<std::mutex> turn = opened_.turn();
    const opconform_plugin& plugin = library_.plugin();
    if (plugin.offers != nullptr) {
      Reply reply;
      ending_ = reply.ending(plugin.offers(library_.state(), &descriptor, reply.get()), "offers");
      if (!std::holds_alternative<Done>(ending_)) return;
    }
    if (plugin.prepare == nullptr) return;
    Reply reply;
    ending_ =
        reply.ending(plugin.prepare(library_.state(), &descriptor, &plan_, reply.get()), "prepare");
  }
  PluginPlan(const PluginPlan&) = delete;
  PluginPlan& operator=(const PluginPlan&) = delete;
  ~PluginPlan() {
    const opconform_plugin& plugin = library_.plugin();
    if (plugin.release == nullptr || plugin.prepare == nullptr) return;
    if (!std::holds_alternative<Done>(ending_)) return;
    const std::unique_lock<std::mutex> turn = opened_.turn();
    plugin.release(library_.state(), plan_);
  }

  /// How the preparation ended.
  [[nodiscard]] Ending& ending() { return ending_; }
  Ending execute(const opconform_descriptor& descriptor) {
    const std::unique_lock<std::mutex> turn = opened_.turn();
    Reply reply;
    return reply.ending(
        library_.plugin().execute(library_.state(), plan_, &descriptor, reply.get()), "execute");
  }

 private:
  Opened& opened_;
  const PluginLibrary& library_;
  void* plan_ = nullptr;
  Ending ending_;
};

class PluginExecutable : public Executable {
 public:
  PluginExecutable(Opened& opened, const Operator& op, Version version, std::uint32_t binding)
      : opened_(opened), descriptor_(op, version, binding), plan_(make_plan(nullptr)) {}

  /// How the preparation ended.
  Ending preparation() { return std::move(plan_->ending()); }
  Ending execute(const Bindings& bindings) override {
    if (has_constants()) {
      // A plan for these contents; the first was made without any.
      plan_.reset();
      plan_ = make_plan(&bindings);
      if (!std::holds_alternative<Done>(plan_->ending())) return std::move(plan_->ending());
    }
    // The first of several threads has the descriptor itself, each other one a copy. So have all
    // that follow an execution that threw.
    std::unique_lock lock(descriptor_mutex_);
    if (is_in_use_) {
      PluginDescriptor own(descriptor_);
      lock.unlock();
      own.bind_all(bindings);
      return plan_->execute(own.get());
    }
    is_in_use_ = true;
    descriptor_.bind_all(bindings);
    lock.unlock();
    Ending ending = plan_->execute(descriptor_.get());
    lock.lock();
    descriptor_.unbind();
    is_in_use_ = false;
    return ending;
  }
  [[nodiscard]] bool rejects_late() const override {
    return opened_.get().description().rejects_late;
  }

 private:
  /// The descriptor that it is made of is of no use afterwards.
  [[nodiscard]] std::unique_ptr<PluginPlan> make_plan(const Bindings* constants) const {
    PluginDescriptor descriptor(descriptor_);
    if (constants != nullptr) descriptor.bind_constants(*constants);
    auto plan = std::make_unique<PluginPlan>(opened_, descriptor.get());
    descriptor.spoil();
    return plan;
  }
  [[nodiscard]] bool has_constants() const {
    return (descriptor_.get().binding & (OPCONFORM_CONSTANT_VALUES | OPCONFORM_CONSTANT_INDICES)) !=
           0;
  }

  Opened& opened_;
  PluginDescriptor descriptor_;  // for executions
  std::mutex descriptor_mutex_;  // of what is bound to it
  bool is_in_use_ = false;
  std::unique_ptr<PluginPlan> plan_;
};

class PluginBackend : public Backend {
 public:
  PluginBackend(std::string name, std::string implementation, std::shared_ptr<Opened> opened,
                std::uint32_t binding, AtOnce at_once)
      : name_(std::move(name)),
        implementation_(std::move(implementation)),
        opened_(std::move(opened)),
        binding_(binding),
        at_once_(at_once) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string implementation() const override { return implementation_; }
  [[nodiscard]] bool names_rules() const override { return false; }
  [[nodiscard]] bool needs_isolation() const override { return true; }
  /// With constants, an execution is a plan of its own.
  [[nodiscard]] AtOnce at_once() const override {
    constexpr std::uint32_t kConstants = OPCONFORM_CONSTANT_VALUES | OPCONFORM_CONSTANT_INDICES;
    return (binding_ & kConstants) != 0 ? std::min(at_once_, AtOnce::kPlans) : at_once_;
  }
  void start() override {
    try {
      (void)opened_->get();
    } catch (const PluginError&) {
    }
  }
  Prepared prepare(const Operator& op, Version version) override {
    auto executable = std::make_unique<PluginExecutable>(*opened_, op, version, binding_);
    Ending ending = executable->preparation();
    if (auto* rejection = std::get_if<Rejection>(&ending)) return std::move(*rejection);
    // A plug-in that fails to prepare does reject, in the words that it has.
    if (auto* failure = std::get_if<Failure>(&ending)) {
      Rejection rejection{Rejection::Kind::kRejected, {}, std::move(failure->message)};
      if (!failure->rule.empty()) rejection.rules.push_back(std::move(failure->rule));
      return rejection;
    }
    return executable;
  }

 private:
  std::string name_;
  std::string implementation_;
  std::shared_ptr<Opened> opened_;
  std::uint32_t binding_;
  AtOnce at_once_;
};

/// What the plug-in says of itself, asked in a process of its own.
base::Json ask(const Place& place) {
  const std::string answer = ask_apart(
      "while it was opened and closed",
      [&]() -> std::string {
        base::Json json;
        try {
          const PluginLibrary library(place.path, place.options);
          const PluginDescription& says = library.description();
          json = {{"name", says.name},
                  {"version", says.version},
                  {"promise", says.promise},
                  {"bindings", says.bindings},
                  {"at_once", says.at_once}};
        } catch (const BrokenInterface& error) {
          throw DoesNotStart(error.what());
        } catch (const PluginError& error) {
          json = {{"error", error.what()}};
        }
        return json.dump(-1, ' ', false, base::Json::error_handler_t::replace);
      },
      limit_of_start());
  return base::Json::parse(answer);
}

}  // namespace

std::vector<std::unique_ptr<Backend>> plugin_backends(const BindingWanted& wanted,
                                                      std::string_view place) {
  const Place where = place_of(place);
  base::Json says;
  try {
    says = ask(where);
  } catch (const DoesNotStart& error) {
    throw DoesNotStart(wanted.name + ": " + error.what());
  }
  if (says.contains("error")) throw base::BadInput(wanted.name, "", says["error"]);
  const auto opened = std::make_shared<Opened>(where);
  const std::string version = says["version"];
  const std::string implementation =
      says["name"].get<std::string>() + (version.empty() ? "" : " " + version);
  const std::vector<std::uint32_t> bindings = says["bindings"];
  return backends_of_bindings(wanted, bindings, own_promise(says["promise"], wanted.name),
                              [&](std::string own_name, std::uint32_t binding) {
                                return std::make_unique<PluginBackend>(
                                    std::move(own_name), implementation, opened, binding,
                                    says["at_once"].get<AtOnce>());
                              });
}

}  // namespace opconform::backends
