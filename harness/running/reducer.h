// Shrinks a failing case to one that still fails the same way and cannot be made smaller by any of
// these steps.
#pragma once

#include <functional>
#include <string>

#include "harness/cases/case.h"
#include "harness/judging/verdict.h"

namespace opconform::running {

/// Runs one case on the backend at hand. Isolated, where the failure may end the process.
using CheckOne = std::function<judging::CaseResult(const cases::Case&)>;

struct Reduction {
  cases::Case smallest;
  judging::CaseResult result;  ///< of the smallest case
  std::size_t checks = 0;      ///< how often a case was run
  bool reproduced = true;  ///< false: the case does not fail, or not when the reference judges it,
                           ///< and is given back as it was
};

/// In this order, again and again until nothing changes: smaller totals, fewer dimensions, smaller
/// sizes, fewer outputs, packed layouts, a simpler type, smaller indices, plainer values. A step is
/// kept if the same rules are broken by the descriptor as before and the check comes to the same
/// verdict for the same rule. What conforms is what the reference says. Large inputs become
/// patterns first. `check_once`, if there is one, executes once, and is asked where the first
/// execution fails.
Reduction reduce(const cases::Case& failing, const CheckOne& check,
                 const CheckOne& check_once = {});
/// Have its inputs too many values to be copied at each step? Such a case is given back as it was
/// where it does not fail with patterns.
[[nodiscard]] bool is_too_large_to_reduce(const cases::Case& one);

}  // namespace opconform::running
