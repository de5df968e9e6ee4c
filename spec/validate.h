// Legality before meaning: reference and kernels assume an operator that passed here.
#pragma once

#include "spec/operator.h"

namespace opconform {

/// Every rule that the descriptor breaks at that version, each with field path and both values. A
/// rule is judged only where what it leans on holds, so that one mistake breaks one rule. Looks at
/// no tensor contents and needs no memory for them.
template <class Op>
[[nodiscard]] Violations validate(const Op& op, Version version);

[[nodiscard]] Violations validate(const Operator& op, Version version);

/// Does it break no rule, and is none undecided? Writes no messages.
[[nodiscard]] bool is_valid(const Operator& op, Version version);

#define OPCONFORM_OPERATOR(file, Type, prefix) \
  extern template Violations validate(const Type&, Version);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform
