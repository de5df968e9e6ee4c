#include "spec/rule.h"

#include <algorithm>

namespace opconform {

std::string_view name(RuleKind kind) {
  switch (kind) {
    case RuleKind::kSemantics:
      return "semantics";
    case RuleKind::kConstraint:
      return "constraint";
    case RuleKind::kSupport:
      return "support";
    case RuleKind::kFreedom:
      return "freedom";
    case RuleKind::kMemory:
      return "memory";
  }
  return "";
}

std::string FieldPath::text() const {
  std::string result(name);
  if (index != kNoIndex) result += '[' + std::to_string(index) + ']';
  return result;
}

std::ostream& operator<<(std::ostream& out, const FieldPath& path) { return out << path.text(); }

std::string Violations::first_text() const {
  const Violation& first = (list_.empty() ? undecided_ : list_).front();
  return std::string(first.rule) + ": " + first.message;
}

bool Violations::breaks(std::string_view rule) const {
  return std::any_of(list_.begin(), list_.end(),
                     [&](const Violation& v) { return v.rule == rule; });
}

std::vector<std::string_view> Violations::rules() const {
  std::vector<std::string_view> names;
  for (const Violation& violation : list_) names.push_back(violation.rule);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace opconform
