#include <opconform/optimized.h>

#include <utility>

#include "harness/backends/backend.h"
#include "harness/backends/binding.h"
#include "harness/backends/plugin.h"
#include "harness/backends/process.h"
#include "harness/base/bad_input.h"
#include "reference/reference.h"
#include "spec/validate.h"

namespace opconform::backends {
namespace {

Refusal refusal(const Violations& violations) {
  Refusal refusal;
  for (const std::string_view rule : violations.rules()) refusal.rules.emplace_back(rule);
  if (!violations.list().empty()) refusal.message = violations.list().front().message;
  return refusal;
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
  OptimizedExecutable(const Operator& op, Version version) : plan_(op, version) {}
  Ending execute(const Bindings& bindings) override { return ending_of(plan_.execute(bindings)); }

 private:
  optimized::Plan plan_;
};

template <class ExecutableType>
class BuiltInBackend : public Backend {
 public:
  explicit BuiltInBackend(std::string_view name) : name_(name) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool names_rules() const override { return true; }
  [[nodiscard]] bool needs_isolation() const override { return false; }
  Prepared prepare(const Operator& op, Version version) override {
    const Violations violations = validate(op, version);
    if (!violations.empty()) return refusal(violations);
    return std::make_unique<ExecutableType>(op, version);
  }

 private:
  std::string name_;
};

std::unique_ptr<Backend> make_built_in(std::string_view name) {
  if (name == "reference") return std::make_unique<BuiltInBackend<ReferenceExecutable>>(name);
  if (name == "optimized") {
    try {
      (void)optimized::isa_in_use();  // says now what every plan would
    } catch (const std::runtime_error& error) {
      throw base::BadInput("environment", "", error.what());
    }
    return std::make_unique<BuiltInBackend<OptimizedExecutable>>(name);
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
