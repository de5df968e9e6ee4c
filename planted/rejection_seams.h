// What a wrong judge of descriptors does: miss a rule that is broken, or find one that is not.
#pragma once

#include <algorithm>
#include <string_view>

#include "planted/registry.h"
#include "spec/validate.h"

namespace opconform::planted {

using backends::Rejection;

/// Does not see that `rule` is broken where `forgives` says so.
template <class Op, class Forgives>
void miss(Seams& seams, std::string_view rule, Forgives forgives) {
  seams.judge = [rule, forgives](const Operator& op, Version version, Rejection& rejection) {
    const auto place = std::find(rejection.rules.begin(), rejection.rules.end(), rule);
    if (place != rejection.rules.end() && std::holds_alternative<Op>(op) &&
        forgives(std::get<Op>(op), version))
      rejection.rules.erase(place);
  };
}
/// Takes the descriptor for what `amend` makes of it, as far as `rule` goes.
template <class Op, class Amend>
void miss_if_amended(Seams& seams, std::string_view rule, Amend amend) {
  miss<Op>(seams, rule, [rule, amend](Op op, Version version) {
    amend(op, version);
    return !validate(op, version).breaks(rule);
  });
}
/// Rejects valid descriptors for which `objects` returns true.
template <class Op, class Objects>
void reject(Seams& seams, std::string_view rule, Objects objects) {
  seams.judge = [rule, objects](const Operator& op, Version version, Rejection& rejection) {
    if (rejection.rules.empty() && std::holds_alternative<Op>(op) &&
        objects(std::get<Op>(op), version))
      rejection.rules = {std::string(rule)};
  };
}
/// The same of any tensor, and of outputs alone.
template <class Objects>
void reject_tensor(Seams& seams, std::string_view rule, Objects objects) {
  seams.judge = [rule, objects](const Operator& op, Version version, Rejection& rejection) {
    if (!rejection.rules.empty() || version.dialect() != Dialect::kDirectml) return;
    for (const NamedTensor& tensor : tensors_of(op))
      if (objects(tensor)) rejection.rules = {std::string(rule)};
  };
}
/// Does not see that tensors break `rule`, where `forgives` says so of each tensor.
template <class Forgives>
void miss_in_tensors(Seams& seams, std::string_view rule, Forgives forgives) {
  seams.judge = [rule, forgives](const Operator& op, Version, Rejection& rejection) {
    const auto place = std::find(rejection.rules.begin(), rejection.rules.end(), rule);
    if (place == rejection.rules.end()) return;
    for (const NamedTensor& tensor : tensors_of(op))
      if (!stride_count_matches(tensor.desc) || !forgives(tensor)) return;
    rejection.rules.erase(place);
  };
}

}  // namespace opconform::planted
