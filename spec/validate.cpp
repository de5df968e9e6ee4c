#include "spec/validate.h"

#include "spec/tensor_rules.h"

namespace opconform {
namespace {

template <class Subject, class Rules>
void check(const Rules& rules, const Subject& subject, Version version, Violations& violations) {
  for (const Rule<Subject>& rule : rules) {
    if (rule.check == nullptr) continue;
    violations.judge(rule.text.name);
    rule.check(subject, version, violations);
  }
}

template <class Op>
void check_all(const Op& op, Version version, Violations& violations) {
  for_each_tensor(
      op, [&](const NamedTensor& tensor) { check(tensor_rules(), tensor, version, violations); });
  check(Op::rules(), op, version, violations);
}

}  // namespace

template <class Op>
Violations validate(const Op& op, Version version) {
  Violations violations;
  check_all(op, version, violations);
  return violations;
}

Violations validate(const Operator& op, Version version) {
  return std::visit([&](const auto& o) { return validate(o, version); }, op);
}

bool is_valid(const Operator& op, Version version) {
  Violations violations = Violations::without_messages();
  std::visit([&](const auto& o) { check_all(o, version, violations); }, op);
  return violations.empty();
}

#define OPCONFORM_OPERATOR(file, Type, prefix) template Violations validate(const Type&, Version);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform
