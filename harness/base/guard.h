// What surrounds the buffers of an execution, and where they start.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opconform::base {

enum class Guard : std::uint8_t {
  kNone,         ///< no zones: for memory that another process writes
  kCanary,       ///< zones of known bytes: finds writes
  kPagesBehind,  ///< an inaccessible page directly behind: finds reads and writes, by a fault
  kPagesBefore,  ///< an inaccessible page directly before
};

/// The least multiple of `unit` that is not below `value`.
constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace opconform::base
