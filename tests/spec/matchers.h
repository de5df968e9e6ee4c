// What tests say of the findings of validate(): which rules are broken, and what is reported.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/validate.h"

namespace opconform {

/// At the version that holds where nothing else is said.
template <class Op>
[[nodiscard]] Violations validate(const Op& op) {
  return validate(op, Version::standard(Op::kDialect));
}

// GoogleTest finds these by their name.
inline void PrintTo(const Violation& violation, std::ostream* out) {
  *out << violation.rule << " at " << violation.field << ": " << violation.message;
}
inline void PrintTo(const Violations& violations, std::ostream* out) {
  if (violations.empty()) *out << "valid";
  for (const Violation& violation : violations.list()) {
    *out << "\n  ";
    PrintTo(violation, out);
  }
  for (const Violation& violation : violations.undecided()) {
    *out << "\n  undecided: ";
    PrintTo(violation, out);
  }
}

MATCHER_P(BreaksRules, sorted_rules, "breaks exactly " + testing::PrintToString(sorted_rules)) {
  *result_listener << "breaks " << testing::PrintToString(arg.rules());
  return arg.rules() == sorted_rules && arg.undecided().empty();
}
/// These rules, and no other.
inline auto BreaksExactly(std::vector<std::string_view> rules) {
  std::sort(rules.begin(), rules.end());
  return BreaksRules(rules);
}
inline auto BreaksOnly(std::string_view rule) { return BreaksExactly({rule}); }
inline auto IsValid() { return BreaksExactly({}); }

MATCHER_P2(ReportsParts, field, parts,
           "reports once " + testing::PrintToString(field) + " with " +
               testing::PrintToString(parts)) {
  const auto& list = arg.list();
  const auto is_there = [&](const Violation& violation) { return violation.field == field; };
  if (std::count_if(list.begin(), list.end(), is_there) != 1) return false;
  const Violation& found = *std::find_if(list.begin(), list.end(), is_there);
  return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return found.message.find(part) != std::string::npos;
  });
}
/// One finding at that field, whose message has all these parts: paths and values.
inline auto Reports(std::string field, std::vector<std::string> parts) {
  return ReportsParts(std::move(field), std::move(parts));
}

}  // namespace opconform
