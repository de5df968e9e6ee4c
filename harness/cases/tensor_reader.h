// Tensors of a case file: descriptors, contents of inputs, expected outputs.
#pragma once

#include "harness/cases/case.h"
#include "harness/cases/element_lists.h"

namespace opconform::cases {

/// A descriptor; for an input also its contents. Throws BadInput.
TensorDesc read_tensor(const base::Json& value, const base::Pointer& at,
                       const TensorContext& context, Access access, Contents* contents);

/// DATA of an expectation: logical elements, nested or flat, with patterns, {"one_of": […]} and
/// {"any": true}.
ExpectedOutput read_expected_output(const base::Json& value, const TensorDesc& tensor,
                                    const base::Pointer& at, const TensorContext& context);

}  // namespace opconform::cases
