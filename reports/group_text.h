// A group of failures for a person: what is wrong, where, and one smallest case that shows it.
#pragma once

#include <string>

#include "harness/diagnosis/groups.h"
#include "harness/running/reducer.h"
#include "reports/terminal.h"

namespace opconform::reports {

/// "mismatch in 1,435 cases [optimized]", what is done instead of which rule, what the failing
/// cases have in common, the smallest case as JSON, and the line that shows the example again.
/// `tested` and `example` are the group's example and its result; `smallest` is null where it was
/// not shrunk.
std::string group_text(const diagnosis::Group& group, const cases::Case& tested,
                       const judging::CaseResult& example, const running::Reduction* smallest,
                       const Style& style);

/// Of that, what is done instead of which rule.
std::string breach_lines(const diagnosis::Group& group);
/// Of that, what the failing cases have in common; empty where that is nothing.
std::string common_line(const diagnosis::Group& group);

/// The same in one line.
std::string group_line(const diagnosis::Group& group, const judging::CaseResult& example,
                       const Style& style);

}  // namespace opconform::reports
