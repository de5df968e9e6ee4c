// Finds out what an implementation did instead of what a document says: from what a failed
// execution left behind, by trying readings until one gives exactly that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cases/case.h"
#include "harness/diagnosis/reading.h"
#include "harness/judging/verdict.h"

namespace opconform::diagnosis {

// What explains a failure beside readings, and what harness/diagnosis/failed_outputs.h sees.
inline constexpr std::string_view kNotAsPromised = "not-as-promised";  ///< but as documented
inline constexpr std::string_view kAsDocumented = "as-documented";
inline constexpr std::string_view kEarlierInputs = "earlier-inputs";
inline constexpr std::string_view kOtherDescriptor = "other-descriptor";

/// Explains failures of many implementations by the same cases: remembers what the reference and
/// each reading make of an execution.
class Explainer {
 public:
  /// The names of what explains the failure: of readings, then of outcomes, those first that
  /// say most. Empty for a pass, and where nothing explains it or there is no evidence.
  /// `tested` must outlive this.
  [[nodiscard]] std::vector<std::string> explanations(const cases::Case& tested,
                                                      const judging::CaseResult& result);

 private:
  /// A case and the digest of what its operator is given.
  using Given = std::pair<const cases::Case*, std::uint64_t>;

  bool is_case_wrong(const cases::Case& tested, const judging::CaseResult& result);

  std::map<const cases::Case*, bool> fails_reference_;
  /// Of what each reading gives; nothing where that may be anything.
  std::map<Given, std::vector<std::optional<std::uint64_t>>> digests_;
};

/// The same for a single failure.
[[nodiscard]] inline std::vector<std::string> explanations(const cases::Case& tested,
                                                           const judging::CaseResult& result) {
  return Explainer().explanations(tested, result);
}

/// What an explanation says of that operator.
struct Breach {
  std::string rule;  ///< that is broken; empty where it is none of a document's
  std::string says;  ///< what the implementation does: "takes the innermost stride for 1"
};
/// Nothing where no explanation has that name.
[[nodiscard]] std::optional<Breach> breach(std::string_view explanation, const Operator& op);

/// Would a reading change what the case's execution gives? Then an implementation that has it
/// cannot pass. False where the case is not executed.
[[nodiscard]] bool contradicts(std::string_view explanation, const cases::Case& tested);

}  // namespace opconform::diagnosis
