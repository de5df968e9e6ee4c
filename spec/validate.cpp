#include "spec/validate.h"

#include "spec/tensor_rules.h"

namespace opconform {

template <class Op>
Violations validate(const Op& op, Version version) {
  Violations violations;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    for (const Rule<NamedTensor>& rule : tensor_rules()) {
      if (rule.check == nullptr) continue;
      violations.judge(rule.text.name);
      rule.check(tensor, version, violations);
    }
  });
  for (const Rule<Op>& rule : Op::rules()) {
    if (rule.check == nullptr) continue;
    violations.judge(rule.text.name);
    rule.check(op, version, violations);
  }
  return violations;
}

Violations validate(const Operator& op, Version version) {
  return std::visit([&](const auto& o) { return validate(o, version); }, op);
}

#define OPCONFORM_OPERATOR(file, Type, prefix) template Violations validate(const Type&, Version);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform
