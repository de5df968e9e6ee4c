// The cache lines that an operator cannot help touching.
#pragma once

#include <cstdint>

#include "bench/buffers.h"
#include "spec/operator.h"

namespace opconform::bench {

inline constexpr std::uint64_t kLineBytes = 64;

/// Bytes of the lines that hold an element which is read (indices included), or is written; each
/// line counts once, however often it is met.
struct Traffic {
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  [[nodiscard]] std::uint64_t bytes() const { return read_bytes + written_bytes; }
};

/// Looks at the indices, and at where the buffers lie.
[[nodiscard]] Traffic traffic(const Operator& op, const Buffers& buffers);

}  // namespace opconform::bench
