#include "harness/running/options.h"

#include <algorithm>

namespace opconform::running {

std::uint64_t RunOptions::room_bytes() const {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
  return (std::uint64_t{1} << 30) + 4 * std::min(check.memory_limit_bytes, kMostBytes);
}

}  // namespace opconform::running
