#include "harness/judging/late_refusal.h"

#include "harness/judging/zero_buffers.h"

namespace opconform::judging {

std::optional<backends::Refusal> late_refusal(backends::Executable& plan, const Operator& op) {
  return plan.refuses_late() ? refusal_of_zeros(plan, op) : std::nullopt;
}

std::optional<backends::Refusal> refusal_of_zeros(backends::Executable& plan, const Operator& op) {
  const ZeroBuffers buffers(op);
  backends::Ending ending = plan.execute(buffers.bindings());
  if (auto* refusal = std::get_if<backends::Refusal>(&ending)) return std::move(*refusal);
  // Whoever fails at a descriptor that must be refused does refuse it, in the words it has.
  if (auto* failure = std::get_if<backends::Failure>(&ending)) {
    backends::Refusal refusal{backends::Refusal::Kind::kRefused, {}, std::move(failure->message)};
    if (!failure->rule.empty()) refusal.rules.push_back(std::move(failure->rule));
    return refusal;
  }
  return std::nullopt;
}

}  // namespace opconform::judging
