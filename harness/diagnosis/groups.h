// All failures of a run, put together by what was broken.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/diagnosis/common_denominator.h"
#include "harness/diagnosis/explain.h"

namespace opconform::diagnosis {

/// A result, and the case that it is of.
struct Judged {
  const cases::Case* tested;
  const judging::CaseResult* result;
};

/// Failures of one backend that one breach explains, or that nothing explains but that look alike.
struct Group {
  std::string backend;
  std::string rule;         ///< that is broken; empty where nothing says which
  std::string says;         ///< what the implementation does; empty where nothing explains it
  std::string explanation;  ///< the name of what explains it; empty where the outcome says it all
  judging::Verdict verdict = judging::Verdict::kMismatch;  ///< of the first
  std::vector<std::size_t> members;                        ///< places in what was judged
  std::size_t contradicted = 0;  ///< cases that passed, though the breach shows in them
  /// Where no rule is named: those that all of its cases show.
  std::vector<std::string> rules_shown{};
  std::size_t example = 0;  ///< the member that tells most: with few elements, but some
  Description common{};     ///< what tells its members from the passes: describe()
};

/// The results of any number of backends: groups by backend, in the order in which these first
/// occur, of each the largest first. Each failure is in one group.
[[nodiscard]] std::vector<Group> group(std::span<const Judged> judged);

/// Finds out what the members of the first groups have in common that most passes have not.
void describe(std::span<const Judged> judged, std::vector<Group>& groups);

/// Names the rule that the explanation breaks, where it explains the failure. A failure that the
/// outcome itself names a rule for keeps that.
void name_rule(std::string_view explanation, const cases::Case& tested,
               judging::CaseResult& result);

}  // namespace opconform::diagnosis
