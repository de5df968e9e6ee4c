// What a case's inputs hold, and what conforms for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.h"

namespace opconform::coverage {

using Buffers = std::vector<std::vector<std::byte>>;

/// The buffers of a valid case's inputs; none where the case lacks contents or all its buffers
/// together are larger than the limit.
[[nodiscard]] Buffers input_buffers(const cases::Case& one, const cases::TensorList& tensors,
                                    std::uint64_t limit_bytes);

/// What conforms for a valid case of these inputs: what it says, or the reference where it leaves
/// that open and there are inputs.
[[nodiscard]] cases::Expectation expectation_of(const cases::Case& one,
                                                const cases::TensorList& tensors,
                                                std::span<const std::span<const std::byte>> inputs);

/// The rule of an error that the expectation demands or permits; empty where there is none.
[[nodiscard]] std::string failure_of(const cases::Expectation& expected);

}  // namespace opconform::coverage
