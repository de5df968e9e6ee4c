#include "planted/plain.h"

#include <algorithm>
#include <utility>

#include "spec/validate.h"

namespace opconform::planted {
namespace {

using backends::Executable;
using backends::Failure;
using backends::Prepared;
using backends::Refusal;

class PlainExecutable : public Executable {
 public:
  PlainExecutable(std::shared_ptr<const Seams> seams, const Operator& op, Version version)
      : seams_(std::move(seams)), callers_(op), op_(op), version_(version) {
    last_prepared = op;
  }

  backends::Ending execute(const Bindings& bound) override {
    const Operator& op = in_force();
    model::Execution execution{op, version_, ++executions_};
    if (executions_ == 1) {
      first_inputs_.assign(bound.inputs.begin(), bound.inputs.end());
      for (const std::span<const std::byte> input : bound.inputs)
        first_values_.emplace_back(input.begin(), input.end());
      first_outputs_.assign(bound.outputs.begin(), bound.outputs.end());
    }
    execution.first_inputs = first_inputs_;
    execution.first_values = first_values_;
    execution.first_outputs = first_outputs_;
    execution.has_failed = has_failed_;
    model::bind(bound, *seams_, execution);
    const std::optional<std::string> rule = model::run(*seams_, execution);
    has_failed_ = has_failed_ || rule;
    if (!rule) return backends::Done();
    return Failure{*rule, "an index is out of range"};
  }

 private:
  [[nodiscard]] const Operator& in_force() const {
    if (seams_->descriptor == Seams::Descriptor::kCallers) return callers_;
    if (seams_->descriptor == Seams::Descriptor::kLastPrepared &&
        last_prepared.index() == op_.index())
      return last_prepared;
    return op_;
  }

  static thread_local Operator last_prepared;
  std::shared_ptr<const Seams> seams_;
  const Operator& callers_;
  Operator op_;
  Version version_;
  unsigned executions_ = 0;
  std::vector<std::span<const std::byte>> first_inputs_;
  std::vector<std::vector<std::byte>> first_values_;
  std::vector<std::span<std::byte>> first_outputs_;
  bool has_failed_ = false;
};
thread_local Operator PlainExecutable::last_prepared;

class PlainBackend : public backends::Backend {
 public:
  PlainBackend(std::string name, const SeamsByOperator& seams) : name_(std::move(name)) {
    for (const Seams& one : seams) seams_.push_back(std::make_shared<const Seams>(one));
  }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool names_rules() const override {
    return std::all_of(seams_.begin(), seams_.end(),
                       [](const auto& seams) { return seams->names_rules; });
  }
  [[nodiscard]] bool needs_isolation() const override { return true; }

  Prepared prepare(const Operator& op, Version version) override {
    const std::shared_ptr<const Seams>& seams = seams_[op.index()];
    if (seams->lacks && seams->lacks(op, version))
      return Refusal{Refusal::Kind::kNotOffered, {}, "not offered"};
    const Violations violations = validate(op, version);
    Refusal refusal;
    for (const std::string_view rule : violations.rules()) refusal.rules.emplace_back(rule);
    if (!violations.list().empty()) refusal.message = violations.list().front().message;
    if (refusal.rules.empty() && !violations.empty()) return refusal;  // undecided
    if (seams->judge) seams->judge(op, version, refusal);
    if (refusal.rules.empty()) return std::make_unique<PlainExecutable>(seams, op, version);
    if (!seams->names_rules) refusal.rules.clear();
    return refusal;
  }

 private:
  std::string name_;
  std::vector<std::shared_ptr<const Seams>> seams_;  // in the order of all_operators()
};

}  // namespace

std::unique_ptr<backends::Backend> make_plain(std::string name, const SeamsByOperator& seams) {
  return std::make_unique<PlainBackend>(std::move(name), seams);
}

}  // namespace opconform::planted
