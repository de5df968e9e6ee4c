// The boundary that a failure needs, in one size.
#pragma once

#include <cstdint>
#include <functional>

namespace opconform::running {

enum class Tried : std::uint8_t {
  kPasses,
  kFails,
  kTooLarge,  ///< not tried, nor is what is larger
};

/// A size that fails where the next smaller one that was tried passes, or `failing`, which fails.
/// Climbs from below, because small sizes cost little: powers of two and their neighbours, of which
/// large ones are tried where 2^k + 1 fails. Then bisects between the largest that passes and the
/// least that fails.
std::uint64_t least_failing_size(std::uint64_t failing,
                                 const std::function<Tried(std::uint64_t)>& attempt);

}  // namespace opconform::running
