// What surrounds the buffers of an execution.
#pragma once

#include <cstdint>

namespace opconform::base {

enum class Guard : std::uint8_t {
  kNone,         ///< no zones: for memory that another process writes
  kCanary,       ///< zones of known bytes: finds writes
  kPagesBehind,  ///< an inaccessible page directly behind: finds reads and writes, by a fault
  kPagesBefore,  ///< an inaccessible page directly before
};

}  // namespace opconform::base
