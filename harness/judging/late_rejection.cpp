#include "harness/judging/late_rejection.h"

#include "harness/judging/zero_buffers.h"

namespace opconform::judging {

std::optional<backends::Rejection> late_rejection(backends::Executable& plan, const Operator& op) {
  return plan.rejects_late() ? rejection_of_zeros(plan, op) : std::nullopt;
}

std::optional<backends::Rejection> rejection_of_zeros(backends::Executable& plan,
                                                      const Operator& op) {
  const ZeroBuffers buffers(op);
  backends::Ending ending = plan.execute(buffers.bindings());
  if (auto* rejection = std::get_if<backends::Rejection>(&ending)) return std::move(*rejection);
  // Whoever fails at a descriptor that must be rejected does reject it, in the words it has.
  if (auto* failure = std::get_if<backends::Failure>(&ending)) {
    backends::Rejection rejection{
        backends::Rejection::Kind::kRejected, {}, std::move(failure->message)};
    if (!failure->rule.empty()) rejection.rules.push_back(std::move(failure->rule));
    return rejection;
  }
  return std::nullopt;
}

}  // namespace opconform::judging
