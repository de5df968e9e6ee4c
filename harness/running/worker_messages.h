// What a worker and its parent tell each other: through the channel, and by the code that the
// worker exits with.
#pragma once

#include <cstdint>

#include "harness/running/worker_channel.h"

namespace opconform::running {

/// A range to be done; those of other lives are ignored.
struct RangeOrder {
  std::uint64_t life;
  NumberRange range;
};

/// What a worker says. A channel that code under test has written into does not have these marks
/// where they should be.
struct MessageHead {
  std::uint64_t mark;
  std::uint64_t number;  // of what is done, the first that is not
  std::uint64_t size_bytes;
};
inline constexpr std::uint64_t kWord = 0x64726F77'6D726F66;
inline constexpr std::uint64_t kDone = 0x656E6F64'6D726F66;

/// The worker's exit code where it cannot be heard any more.
inline constexpr int kMute = 96;
/// That of a worker which another one is to follow.
inline constexpr int kRetired = 97;
/// That of a worker which lost what it spoke to.
inline constexpr int kExitOfLost = 98;

}  // namespace opconform::running
