// The reference interpreter: each operator as its document's formula, element by element, to be
// read beside it. Simple on purpose, and sharing no loop or address arithmetic with the optimized
// implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::reference {

using InputBuffers = std::span<const std::span<const std::byte>>;

/// An element of an output that may just as well hold another value than the one that execute()
/// gives it.
struct Alternative {
  std::uint64_t output_element;  ///< row-major, of the operator's only output
  std::size_t input;             ///< position of the input tensor that holds the value
  std::uint64_t input_element;   ///< row-major
  friend bool operator==(const Alternative&, const Alternative&) = default;
};

/// What the document permits besides the result of execute().
struct AlsoPermitted {
  /// No element of any output has a promised value.
  bool outputs_unspecified = false;
  /// All permitted values of the elements that have several, in the order of output_element.
  std::vector<Alternative> alternatives;
  /// The result at this version conforms as well.
  std::optional<Version> also_as;
};

// For each operator, for a valid descriptor:
//
// execute: writes every element of the outputs, moves bits and converts none, leaves gaps alone,
// and touches nothing outside the tensors whatever the indices say.
//
// also_permitted: what else conforms, for these inputs.
#define OPCONFORM_OPERATOR(file, Type, prefix)                               \
  ExecutionResult execute(const Type& op, Version version, const Bindings&); \
  AlsoPermitted also_permitted(const Type& op, Version version, InputBuffers inputs);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

ExecutionResult execute(const Operator& op, Version version, const Bindings& bindings);
AlsoPermitted also_permitted(const Operator& op, Version version, InputBuffers inputs);

}  // namespace opconform::reference
