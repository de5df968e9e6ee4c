#include "harness/judging/verdict.h"

namespace opconform::judging {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kExpectedFailure:
      return "xfail";
    case Verdict::kMismatch:
      return "mismatch";
    case Verdict::kMissedRejection:
      return "missed-rejection";
    case Verdict::kWrongRejection:
      return "wrong-rejection";
    case Verdict::kOtherRule:
      return "other-rule";
    case Verdict::kMissedError:
      return "missed-error";
    case Verdict::kWrongError:
      return "wrong-error";
    case Verdict::kMemoryFault:
      return "memory-fault";
    case Verdict::kCrash:
      return "crash";
    case Verdict::kTimeout:
      return "timeout";
    case Verdict::kFlaky:
      return "flaky";
    case Verdict::kUnsupported:
      return "unsupported";
    case Verdict::kRanElsewhere:
      return "ran-elsewhere";
    case Verdict::kVacuous:
      return "vacuous";
  }
  return "";
}

bool is_nonconformance(Verdict verdict) {
  return verdict != Verdict::kPass && verdict != Verdict::kExpectedFailure && was_judged(verdict);
}

bool was_judged(Verdict verdict) {
  return verdict != Verdict::kUnsupported && verdict != Verdict::kRanElsewhere;
}

std::optional<Verdict> parse_verdict(std::string_view text) {
  for (const Verdict verdict : kVerdicts)
    if (name(verdict) == text) return verdict;
  return std::nullopt;
}

}  // namespace opconform::judging
