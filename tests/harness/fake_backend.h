// Implementations that are wrong on purpose, each in one way, and the case that they are shown to.
#pragma once

#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "harness/backends/backend.h"
#include "harness/cases/case_reader.h"

namespace opconform::test {

/// A backend made of two functions. As they stand, they do what the reference does.
class FakeBackend : public backends::Backend {
 public:
  using Prepare = std::function<std::optional<backends::Rejection>(const Operator&, Version)>;
  using Execute =
      std::function<std::optional<backends::Failure>(const Operator&, Version, const Bindings&)>;

  Prepare reject;
  Prepare reject_late;  ///< by the execution
  Execute execute;
  bool names_rules_exactly = true;
  bool wants_isolation = false;

  [[nodiscard]] std::string name() const override { return "fake"; }
  [[nodiscard]] bool names_rules() const override { return names_rules_exactly; }
  [[nodiscard]] bool needs_isolation() const override { return wants_isolation; }
  /// Faults are about the case, and some count its executions: no plan of another is wanted.
  [[nodiscard]] const backends::Promise& promise() const override {
    static const backends::Promise alone = [] {
      backends::Promise promise = backends::document_promise();
      promise.second_plan = backends::SecondPlan::kNotWanted;
      return promise;
    }();
    return alone;
  }
  backends::Prepared prepare(const Operator& op, Version version) override {
    if (reject)
      if (std::optional<backends::Rejection> rejection = reject(op, version))
        return *std::move(rejection);
    if (!reject) {
      backends::Prepared honest = reference_->prepare(op, version);
      if (std::holds_alternative<backends::Rejection>(honest)) return honest;
    }
    return std::make_unique<FakeExecutable>(*this, op, version);
  }
  /// What the reference does, for a fault to spoil afterwards.
  std::optional<backends::Failure> honest(const Operator& op, Version version,
                                          const Bindings& bindings) const {
    backends::Prepared prepared = reference_->prepare(op, version);
    backends::Ending ending =
        std::get<std::unique_ptr<backends::Executable>>(prepared)->execute(bindings);
    if (auto* failure = std::get_if<backends::Failure>(&ending)) return *std::move(failure);
    return std::nullopt;
  }

 private:
  class FakeExecutable : public backends::Executable {
   public:
    FakeExecutable(const FakeBackend& backend, Operator op, Version version)
        : backend_(backend), op_(std::move(op)), version_(version) {}
    backends::Ending execute(const Bindings& bindings) override {
      if (backend_.reject_late)
        if (std::optional<backends::Rejection> rejection = backend_.reject_late(op_, version_))
          return *std::move(rejection);
      if (backend_.execute) return backends::ending(backend_.execute(op_, version_, bindings));
      return backends::ending(backend_.honest(op_, version_, bindings));
    }
    [[nodiscard]] bool rejects_late() const override { return backend_.reject_late != nullptr; }

   private:
    const FakeBackend& backend_;
    Operator op_;
    Version version_;
  };
  std::unique_ptr<backends::Backend> reference_ = backends::make_backend("reference");
};

/// An execution that does it right and then spoils the outputs.
inline FakeBackend::Execute then(const FakeBackend& backend,
                                 std::function<void(const Bindings&)> spoil) {
  return [&backend, spoil](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = backend.honest(op, version, bindings);
    spoil(bindings);
    return failure;
  };
}

/// For then(): writes an element of 32 bits over another of the first output.
inline auto overwrite(std::size_t at, std::int32_t value) {
  return [=](const Bindings& bound) {
    std::memcpy(bound.outputs[0].data() + at * sizeof value, &value, sizeof value);
  };
}

/// Does so in the two executions with the case's own inputs, and right in the third, with others.
inline FakeBackend::Execute with_own_inputs(const FakeBackend& backend,
                                            FakeBackend::Execute execute) {
  return [&backend, execute, number = 0](const Operator& op, Version version,
                                         const Bindings& bindings) mutable {
    return ++number > 2 ? backend.honest(op, version, bindings) : execute(op, version, bindings);
  };
}

/// The cases of a document written in a test. Fails the test where one is bad.
std::vector<cases::Case> cases_of(const std::string& json);
/// The only one.
cases::Case case_of(const std::string& json);

/// DML_SPLIT of {2,3} with strides {5,1} into one padded output: a copy with gaps on both sides.
cases::Case padded_copy();
/// DML_SCATTER of three updates into {5}, two of them to element 3.
cases::Case overlapping_scatter();
/// ONNX_GATHER with an index that is out of range.
cases::Case failing_gather();
/// DML_SLICE1 with a stride of 0, which must be rejected.
cases::Case rejected_slice();

}  // namespace opconform::test
