// What a target leaves out, because one such input takes as long as thousands of others.
#pragma once

#include "spec/operator.h"

namespace opconform::fuzz {

/// Can it be told quickly which rules the descriptor breaks? Whether an output overlaps may take
/// seconds to decide.
[[nodiscard]] bool is_quick_to_judge(const Operator& op);

/// Is every tensor small enough to be executed?
[[nodiscard]] bool is_small(const Operator& op, Version version);

}  // namespace opconform::fuzz
