#include "harness/diagnosis/verdicts.h"

#include <algorithm>

#include "spec/validate.h"

namespace opconform::diagnosis {

using judging::Verdict;

bool says_rule(const judging::CaseResult& result) {
  switch (result.verdict) {
    case Verdict::kMismatch:
    case Verdict::kMissedError:
    case Verdict::kWrongError:
      return false;
    default:
      return true;
  }
}

bool is_hint(const judging::CaseResult& result) {
  return (result.verdict == Verdict::kMemoryFault || result.verdict == Verdict::kCrash) &&
         !result.explained_by.empty();
}

bool is_explained_by(const judging::CaseResult& result, std::string_view explanation) {
  const auto& names = result.explained_by;
  return std::find(names.begin(), names.end(), explanation) != names.end();
}

bool misses_rule(const judging::CaseResult& result, const cases::Case& tested) {
  if (result.verdict == Verdict::kMissedRejection) return true;
  const Violations violations = validate(tested.op, tested.version);
  if (result.verdict == Verdict::kOtherRule && violations.empty()) return true;
  const auto rules = violations.rules();
  return std::find(rules.begin(), rules.end(), result.rule) != rules.end();
}

std::string says_of(const judging::CaseResult& result, const cases::Case& tested) {
  if (result.plans > 0) return "fails only where several plans are there at once";
  if (result.threads > 0) return "fails only where several threads execute at once";
  switch (result.verdict) {
    case Verdict::kMissedRejection:
    case Verdict::kWrongRejection:
    case Verdict::kOtherRule:
      if (result.rule.empty()) return "rejects what breaks no rule";
      return misses_rule(result, tested) ? "does not see what breaks the rule"
                                         : "rejects what does not break the rule";
    case Verdict::kCrash:
      return "ends the process";
    case Verdict::kTimeout:
      return "does not come back in time";
    case Verdict::kMissedError:
      return "gives no error";
    case Verdict::kMemoryFault:
      return result.rule == "tensor.input-intact" ? "writes into an input"
                                                  : "touches memory outside its buffers";
    case Verdict::kWrongError:
      return "fails where it must give a result";
    case Verdict::kFlaky:
      return "gives another result where other cases ran before";
    default:
      return "";
  }
}

}  // namespace opconform::diagnosis
