// Contents of a case into the bytes of a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/cases/case.h"

namespace opconform::cases {

/// Fills the buffer of one input: its elements where the layout puts them, everything else with
/// bytes from `gap_seed`, or not at all. `index_limit` is indexed_size() for a tensor of indices:
/// patterns then stay below it.
void write_contents(const Contents& contents, const TensorDesc& tensor,
                    std::optional<std::uint64_t> index_limit, StringPool& strings,
                    std::optional<std::uint64_t> gap_seed, std::span<std::byte> buffer);

}  // namespace opconform::cases
