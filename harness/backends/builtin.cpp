#include <opconform/optimized.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/backends/backend.h"
#include "harness/backends/binding.h"
#include "harness/backends/plugin.h"
#include "harness/backends/process.h"
#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "reference/reference.h"
#include "spec/validate.h"

namespace opconform::backends {
namespace {

Rejection rejection(const Violations& violations) {
  Rejection rejection;
  for (const std::string_view rule : violations.rules()) rejection.rules.emplace_back(rule);
  if (!violations.list().empty()) rejection.message = violations.list().front().message;
  return rejection;
}

Ending ending_of(const ExecutionResult& result) {
  if (!result) return Done();
  return Failure{std::string(result->rule), result->message};
}

class ReferenceExecutable : public Executable {
 public:
  ReferenceExecutable(Operator op, Version version) : op_(std::move(op)), version_(version) {}
  Ending execute(const Bindings& bindings) override {
    return ending_of(reference::execute(op_, version_, bindings));
  }

 private:
  Operator op_;
  Version version_;
};

class OptimizedExecutable : public Executable {
 public:
  OptimizedExecutable(const Operator& op, Version version, unsigned threads)
      : plan_(op, version), threads_(threads) {}
  Ending execute(const Bindings& bindings) override {
    return ending_of(plan_.execute(bindings, threads_));
  }

 private:
  optimized::Plan plan_;
  unsigned threads_;
};

/// What else a plan is made of, besides the descriptor, stands in `Options`.
template <class ExecutableType, class... Options>
class BuiltInBackend : public Backend {
 public:
  explicit BuiltInBackend(std::string_view name, Options... options)
      : name_(name), options_(options...) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool names_rules() const override { return true; }
  [[nodiscard]] bool needs_isolation() const override { return false; }
  [[nodiscard]] AtOnce at_once() const override { return AtOnce::kExecutions; }
  Prepared prepare(const Operator& op, Version version) override {
    const Violations violations = validate(op, version);
    if (!violations.empty()) return rejection(violations);
    return std::apply(
        [&](Options... options) -> Prepared {
          return std::make_unique<ExecutableType>(op, version, options...);
        },
        options_);
  }

 private:
  std::string name_;
  std::tuple<Options...> options_;
};

/// Of "optimized" or "optimized,threads=N"; nothing where it is neither.
std::optional<unsigned> threads_of(std::string_view name) {
  constexpr std::string_view kName = "optimized";
  constexpr std::string_view kOption = ",threads=";
  constexpr unsigned kMost = 1024;
  if (name == kName) return 1;
  if (!name.starts_with(kName) || !name.substr(kName.size()).starts_with(",")) return std::nullopt;
  const std::string_view option = name.substr(kName.size());
  const std::string_view number = option.substr(std::min(kOption.size(), option.size()));
  unsigned threads = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), threads);
  const bool is_number = read.ec == std::errc{} && read.ptr == number.data() + number.size();
  if (option.starts_with(kOption) && is_number && threads >= 1 && threads <= kMost) return threads;
  throw base::BadInput(std::string(name), "",
                       "the option of optimized is threads=N, with N from 1 to 1024, but is " +
                           base::in_quotes(option.substr(1)));
}

std::unique_ptr<Backend> make_built_in(std::string_view name) {
  if (name == "reference") return std::make_unique<BuiltInBackend<ReferenceExecutable>>(name);
  if (const std::optional<unsigned> threads = threads_of(name)) {
    try {
      (void)optimized::isa_in_use();  // they say now what every plan would
      (void)optimized::machine_name_in_use();
    } catch (const std::runtime_error& error) {
      throw base::BadInput("environment", "", error.what());
    }
    return std::make_unique<BuiltInBackend<OptimizedExecutable, unsigned>>(name, *threads);
  }
  return nullptr;
}

}  // namespace

std::vector<std::unique_ptr<Backend>> make_backends(std::string_view name) {
  const BindingWanted wanted = wanted_by(name);
  if (name.starts_with(kPluginPrefix))
    return plugin_backends(wanted, wanted.name.substr(kPluginPrefix.size()));
  if (name.starts_with(kProcessPrefix))
    return process_backends(wanted, wanted.name.substr(kProcessPrefix.size()));
  std::vector<std::unique_ptr<Backend>> backends;
  if (auto one = make_built_in(name)) backends.push_back(std::move(one));
  return backends;
}

std::unique_ptr<Backend> make_backend(std::string_view name) {
  std::vector<std::unique_ptr<Backend>> backends = make_backends(name);
  return backends.empty() ? nullptr : std::move(backends.front());
}

}  // namespace opconform::backends
