// What surrounds the buffers of an execution, and where they start.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opconform::base {

enum class Guard : std::uint8_t {
  kNone,    ///< no zones: for memory that another process writes
  kCanary,  ///< zones of known bytes: finds writes
  kPages,   ///< inaccessible pages, directly behind in one execution and directly before in
            ///< another, and zones of known bytes besides: finds reads, too
};

/// The least multiple of `unit` that is not below `value`.
constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace opconform::base
