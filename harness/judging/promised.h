// What conforms to the promise of an implementation: the oracle follows its word.
#pragma once

#include <span>

#include "harness/backends/promise.h"
#include "harness/cases/case.h"

namespace opconform::judging {

/// Does the promise say what is due with these inputs? Otherwise the document does. Of a valid
/// operator.
[[nodiscard]] bool is_promised(const backends::Promise& promise, const Operator& op,
                               Version version, std::span<const std::span<const std::byte>> inputs);

/// What the promise makes of what conforms to the documents. Of a valid operator.
[[nodiscard]] cases::Expectation promised_expectation(
    const backends::Promise& promise, cases::Expectation documented, const Operator& op,
    Version version, const cases::TensorList& tensors,
    std::span<const std::span<const std::byte>> inputs);

/// What may stand in place of a value.
[[nodiscard]] cases::Leeway leeway_of(const backends::Promise& promise);

}  // namespace opconform::judging
