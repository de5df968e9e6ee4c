#include "harness/running/differential.h"

#include <algorithm>
#include <cstring>

#include "harness/base/text.h"
#include "harness/judging/judge.h"
#include "harness/judging/late_rejection.h"
#include "harness/judging/oracle.h"
#include "harness/judging/promised.h"
#include "harness/judging/siblings.h"
#include "harness/judging/zero_buffers.h"
#include "reference/reference.h"

namespace opconform::running {
namespace {

constexpr std::uint64_t kExecutedTwice = 8;    // one of so many plans
constexpr std::uint64_t kBesideSibling = 128;  // likewise, of those that are not

bool is_beside_sibling(const backends::Backend& tested, const generation::Generated& generated) {
  return generated.contents.seed % kBesideSibling == 1 && tested.has_many_plans() &&
         tested.promise().second_plan == backends::SecondPlan::kWanted;
}

/// A plan of a descriptor that differs in one field alone.
class SiblingPlan {
 public:
  /// Prepared now, where there is a sibling that differs in that way.
  SiblingPlan(backends::Backend& tested, const generation::Generated& generated, std::size_t way)
      : sibling_(judging::sibling(generated.op, generated.version, way)) {
    if (sibling_) prepared_ = tested.prepare(sibling_->op, sibling_->version);
  }
  void execute() const {
    const auto* const plan = std::get_if<std::unique_ptr<backends::Executable>>(&prepared_);
    if (plan == nullptr || !*plan) return;
    const judging::ZeroBuffers buffers(sibling_->op);
    if (buffers.are_made()) (void)(*plan)->execute(buffers.bindings());
  }

 private:
  std::optional<judging::Sibling> sibling_;
  backends::Prepared prepared_;
};

}  // namespace

bool Differential::agrees_on_valid(const generation::Generated& generated) {
  pristine_.make(generated);
  expected_.copy_from(pristine_);
  const ExecutionResult error =
      reference::execute(generated.op, generated.version, expected_.bindings());
  reference_error_ = error ? error->rule : std::string_view();

  rejection_.reset();
  failure_.reset();
  exception_.reset();
  try {
    std::optional<SiblingPlan> sibling;
    if (is_beside_sibling(tested_, generated))
      sibling.emplace(
          tested_, generated,
          generated.contents.seed / kBesideSibling % judging::sibling_count(generated.op));
    backends::Prepared prepared = tested_.prepare(generated.op, generated.version);
    if (auto* rejection = std::get_if<backends::Rejection>(&prepared)) {
      rejection_ = std::move(*rejection);
      return false;
    }
    backends::Executable& executable = *std::get<std::unique_ptr<backends::Executable>>(prepared);
    const auto agrees = [&] {
      found_.copy_from(pristine_);
      found_.surround();
      backends::Ending ending = executable.execute(found_.bindings());
      if (auto* late = std::get_if<backends::Rejection>(&ending)) rejection_ = std::move(*late);
      auto* const failure = std::get_if<backends::Failure>(&ending);
      failure_ = failure == nullptr ? std::nullopt : std::optional(std::move(*failure));
      return !rejection_ &&
             (error ? failure_ && is_right(failure_->rule, error->rule) : !failure_) &&
             std::memcmp(expected_.all().data(), found_.all().data(), found_.all().size()) == 0 &&
             found_.is_surrounded();
    };
    if (!agrees()) return false;
    // What the reference does may still be other than what was promised.
    if (judging::is_promised(tested_.promise(), generated.op, generated.version,
                             pristine_.bindings().inputs))
      return false;
    const bool is_twice = generated.contents.seed % kExecutedTwice == 0 || sibling;
    if (!is_twice || !executes_again()) return true;
    if (sibling) sibling->execute();
    sibling.reset();
    return agrees();
  } catch (const std::exception& thrown) {
    exception_ = thrown.what();
    return false;
  }
}

bool Differential::is_right(std::string_view named, std::string_view rule) const {
  return named == rule || (named.empty() && !tested_.names_rules());
}

bool Differential::rejects(const generation::Generated& generated, std::string_view rule) {
  rejection_.reset();
  exception_.reset();
  try {
    std::optional<SiblingPlan> sibling;
    if (is_beside_sibling(tested_, generated))
      sibling.emplace(tested_, generated, judging::kVersionWay);
    backends::Prepared prepared = tested_.prepare(generated.op, generated.version);
    if (auto* rejection = std::get_if<backends::Rejection>(&prepared))
      rejection_ = std::move(*rejection);
    else
      rejection_ = judging::late_rejection(
          *std::get<std::unique_ptr<backends::Executable>>(prepared), generated.op);
  } catch (const std::exception& thrown) {
    exception_ = thrown.what();
  }
  if (!rejection_ || rejection_->kind != backends::Rejection::Kind::kRejected) return false;
  if (rejection_->rules.size() > 1) return false;
  return is_right(rejection_->rules.empty() ? "" : rejection_->rules.front(), rule);
}

std::optional<judging::CaseResult> Differential::judge_rejection_or_crash(
    const cases::Expectation& expected) const {
  judging::CaseResult result;
  result.backend = tested_.name();
  result.verdict = judging::Verdict::kPass;
  if (exception_) {
    result.verdict = judging::Verdict::kCrash;
    result.message = "ended by an exception: " + base::words_of_others(*exception_);
  } else if (!rejection_) {
    return std::nullopt;
  } else {
    judging::take(judging::judge_rejection(expected, *rejection_, tested_.names_rules()), result);
  }
  return result;
}

judging::CaseResult Differential::judge_valid(const generation::Generated& generated) const {
  const cases::TensorList tensors(generated.op);
  const Bindings before = pristine_.bindings();
  const cases::Expectation expected = judging::promised_expectation(
      tested_.promise(),
      judging::reference_expectation(generated.op, generated.version, tensors, before.inputs),
      generated.op, generated.version, tensors, before.inputs);
  if (auto result = judge_rejection_or_crash(expected)) return *std::move(result);

  judging::CaseResult result;
  result.backend = tested_.name();
  result.verdict = judging::Verdict::kPass;
  const Bindings after = found_.bindings();
  std::vector<judging::ObservedInput> inputs;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
    inputs.push_back({tensors.inputs[i], before.inputs[i], after.inputs[i]});
  std::vector<judging::ObservedOutput> outputs;
  for (std::size_t i = 0; i < tensors.outputs.size(); ++i)
    outputs.push_back({tensors.outputs[i], before.outputs[i], after.outputs[i]});

  if (std::string outside = pristine_.difference_outside(found_); !outside.empty())
    judging::take({judging::Verdict::kMemoryFault, "tensor.outside-intact", std::move(outside)},
                  result);
  judging::take(judging::judge_inputs(inputs), result);
  judging::take(failure_
                    ? judging::judge_failure(expected, *failure_, tested_.names_rules(), outputs)
                    : judging::judge_outputs(expected, inputs, outputs, false),
                result);
  if (result.verdict == judging::Verdict::kPass)
    result.choices = judging::choices_made(generated.op, generated.version, inputs, outputs,
                                           failure_.has_value());
  return result;
}

judging::CaseResult Differential::judge_broken(std::string_view rule) const {
  cases::Expectation expected;
  expected.kind = cases::Expectation::Kind::kRejected;
  expected.rules.emplace_back(rule);
  if (auto result = judge_rejection_or_crash(expected)) return *std::move(result);
  judging::CaseResult result;
  result.backend = tested_.name();
  result.verdict = judging::Verdict::kPass;
  judging::take(judging::judge_acceptance(expected), result);
  return result;
}

}  // namespace opconform::running
