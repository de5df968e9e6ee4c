// Backends that see what is wrong with a descriptor only when they are to execute it.
#pragma once

#include <optional>

#include "harness/backends/backend.h"

namespace opconform::judging {

/// What the execution of a plan says of a descriptor that breaks a rule, where the plan is one that
/// refuses late. Nothing where it executes it, or is not asked.
[[nodiscard]] std::optional<backends::Refusal> late_refusal(backends::Executable& plan,
                                                            const Operator& op);

}  // namespace opconform::judging
