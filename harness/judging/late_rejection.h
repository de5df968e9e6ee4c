// Backends that see what is wrong with a descriptor only when they are to execute it.
#pragma once

#include <optional>

#include "harness/backends/backend.h"

namespace opconform::judging {

/// What the execution of a plan says of a descriptor that breaks a rule, where the plan is one that
/// rejects late. Nothing where it executes it, or is not asked.
[[nodiscard]] std::optional<backends::Rejection> late_rejection(backends::Executable& plan,
                                                                const Operator& op);

/// What the execution of any plan says, with buffers of zeros, or with empty ones where they would
/// be too large. An error counts as a rejection. Nothing where it executes it.
[[nodiscard]] std::optional<backends::Rejection> rejection_of_zeros(backends::Executable& plan,
                                                                    const Operator& op);

}  // namespace opconform::judging
