// What the reference says of a case that leaves `expect` out.
#pragma once

#include <span>

#include "harness/cases/case.h"

namespace opconform::judging {

/// For a valid operator: runs the reference on these inputs and adds what the documents permit
/// besides.
cases::Expectation reference_expectation(const Operator& op, Version version,
                                         const cases::TensorList& tensors,
                                         std::span<const std::span<const std::byte>> inputs);

}  // namespace opconform::judging
