// What a verdict says by itself of what was broken.
#pragma once

#include <string>
#include <string_view>

#include "harness/cases/case.h"
#include "harness/judging/verdict.h"

namespace opconform::diagnosis {

/// Does the verdict itself say what was broken?
[[nodiscard]] bool says_rule(const judging::CaseResult& result);
/// It tells one bit, and not which values are wrong: a reading that reaches as far may be its
/// cause, where something else shows that reading.
[[nodiscard]] bool is_hint(const judging::CaseResult& result);
[[nodiscard]] bool is_explained_by(const judging::CaseResult& result, std::string_view explanation);
/// Is a rejection missing, or a rule in it or in an error? Otherwise it rejects too much.
[[nodiscard]] bool misses_rule(const judging::CaseResult& result, const cases::Case& tested);
/// What the implementation does, as far as the verdict tells; else empty.
[[nodiscard]] std::string says_of(const judging::CaseResult& result, const cases::Case& tested);

}  // namespace opconform::diagnosis
