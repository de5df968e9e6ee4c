#include "spec/validate.h"

#include <functional>

#include "spec/tensor_rules.h"

namespace opconform {
namespace {

template <class Op>
void check_all(const Op& op, Version version, Violations& violations) {
  judge_tensors(op, violations, std::equal_to<>{},
                [&](const NamedTensor& tensor) { check_tensor(tensor, version, violations); });
  Op::check(op, version, violations);
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
