// Tensors of a case file: descriptors, contents of inputs, expected outputs.
#pragma once

#include "harness/base/json_document.h"
#include "harness/cases/case.h"

namespace opconform::cases {

/// What reading a tensor needs to know of its case.
struct TensorContext {
  Dialect dialect;
  const std::string& file;
  StringPool& strings;
  std::uint64_t& pattern_elements_left;  ///< of the file: kMostPatternElements at its start
};

/// A descriptor; for an input also its contents. Throws BadInput.
TensorDesc read_tensor(const base::Json& value, const base::Pointer& at,
                       const TensorContext& context, Access access, Contents* contents);

/// DATA of an expectation: logical elements, nested or flat, with patterns, {"one_of": […]} and
/// {"any": true}.
ExpectedOutput read_expected_output(const base::Json& value, const TensorDesc& tensor,
                                    const base::Pointer& at, const TensorContext& context);

/// An array of UINT, INT or INT64 numbers, or one number.
template <class Integer>
Integer read_integer(const base::Json& value, const base::Pointer& at, const std::string& file);

}  // namespace opconform::cases
