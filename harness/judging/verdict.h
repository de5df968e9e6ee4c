// The closed list of what a case can come to, and the result that carries it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judging/evidence.h"
#include "harness/judging/freedom.h"

namespace opconform::judging {

enum class Verdict : std::uint8_t {
  kPass,
  kExpectedFailure,  ///< failed as the list of expected failures says
  kMismatch,         ///< a value that no rule permits
  kMissedRejection,  ///< accepted what must be rejected
  kWrongRejection,   ///< rejected what must be accepted
  kOtherRule,        ///< right to reject or to fail, but for other rules
  kMissedError,      ///< executed where an error is due
  kWrongError,       ///< failed where it must give a result
  kMemoryFault,      ///< wrote outside, read outside, or changed an input
  kCrash,
  kTimeout,
  kFlaky,         ///< fails or not, depending on what ran before it in the same process
  kUnsupported,   ///< the backend says that it does not offer this
  kRanElsewhere,  ///< the backend says that something else ran it
  kVacuous,       ///< nothing at all was checked
};
inline constexpr std::array kVerdicts{
    Verdict::kPass,           Verdict::kExpectedFailure,
    Verdict::kMismatch,       Verdict::kMissedRejection,
    Verdict::kWrongRejection, Verdict::kOtherRule,
    Verdict::kMissedError,    Verdict::kWrongError,
    Verdict::kMemoryFault,    Verdict::kCrash,
    Verdict::kTimeout,        Verdict::kFlaky,
    Verdict::kUnsupported,    Verdict::kRanElsewhere,
    Verdict::kVacuous,
};

/// "pass", "xfail", "missed-rejection" …
[[nodiscard]] std::string_view name(Verdict verdict);
/// Nothing where no verdict has that name.
[[nodiscard]] std::optional<Verdict> parse_verdict(std::string_view text);
/// Neither a pass, nor an expected failure, nor what was not judged.
[[nodiscard]] bool is_nonconformance(Verdict verdict);
/// Was what is to be judged there at all? Not where it is unsupported or ran elsewhere.
[[nodiscard]] bool was_judged(Verdict verdict);

struct CaseResult {
  std::string case_id;
  std::string backend;
  Verdict verdict = Verdict::kVacuous;
  std::string rule;     ///< that the verdict is about; empty for a pass
  std::string message;  ///< coordinate, expected, found, where the wrong element came from
  std::string repro;    ///< a command line that shows it again
  bool weak = false;    ///< passed, but the contents could not have shown a wrong index
  bool unnamed_rule =
      false;  ///< right rejection or error, but the backend does not say for which rule
  /// The execution of the plan that failed: 1, 2, or 3 with other inputs than the case's; 0 where
  /// none did.
  unsigned failed_execution = 0;
  unsigned threads = 0;           ///< that executed at once where that failed; 0 where it was one
  unsigned plans = 0;             ///< that were there at once where that failed; 0 where few were
  double seconds = 0;             ///< that the judgement took; 0 where nobody looked at a clock
  std::vector<Choice> choices{};  ///< of a pass: what was made of what the documents leave open
  /// Of an execution that failed, unless it was too large to keep.
  std::shared_ptr<const Evidence> evidence{};
  /// Of an execution in another process, where its evidence stayed: as of
  /// harness/diagnosis/packed_picture.h.
  std::string picture{};
  /// Of a failure in another process: the end of what the code under test printed, made printable.
  std::string printed{};
  /// The readings of harness/diagnosis that give exactly what was found, by name.
  std::vector<std::string> explained_by{};
};

/// Does it fail only where several threads execute at once, or several plans are there?
[[nodiscard]] inline bool needs_others(const CaseResult& result) {
  return result.threads > 0 || result.plans > 0;
}

}  // namespace opconform::judging
