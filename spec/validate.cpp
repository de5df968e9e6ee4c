#include "spec/validate.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "spec/tensor_rules.h"

namespace opconform {
namespace {

/// Those that a descriptor can break.
template <class Subject>
std::vector<Rule<Subject>> checked(std::span<const Rule<Subject>> rules) {
  std::vector<Rule<Subject>> result;
  std::ranges::copy_if(rules, std::back_inserter(result),
                       [](const Rule<Subject>& rule) { return rule.check != nullptr; });
  return result;
}

template <class Subject>
void check(const std::vector<Rule<Subject>>& rules, const Subject& subject, Version version,
           Violations& violations) {
  for (const Rule<Subject>& rule : rules) {
    violations.judge(rule.text.name);
    rule.check(subject, version, violations);
  }
}

template <class Op>
void check_all(const Op& op, Version version, Violations& violations) {
  static const std::vector<Rule<NamedTensor>> of_tensors = checked(tensor_rules());
  static const std::vector<Rule<Op>> of_op = checked(Op::rules());
  judge_tensors(op, violations,
                [&](const NamedTensor& tensor) { check(of_tensors, tensor, version, violations); });
  check(of_op, op, version, violations);
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
