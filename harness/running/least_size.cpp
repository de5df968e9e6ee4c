#include "harness/running/least_size.h"

namespace opconform::running {
namespace {

/// Larger ones cost so much that only one of an octave is tried while it passes.
constexpr std::uint64_t kSmall = std::uint64_t{1} << 22;

}  // namespace

std::uint64_t least_failing_size(std::uint64_t failing,
                                 const std::function<Tried(std::uint64_t)>& attempt) {
  std::uint64_t passing = 0;
  // False where there is no use in going on.
  const auto narrows = [&](std::uint64_t size) {
    if (size <= passing || size >= failing) return true;
    const Tried tried = attempt(size);
    if (tried != Tried::kTooLarge) (tried == Tried::kFails ? failing : passing) = size;
    return tried != Tried::kTooLarge;
  };
  for (std::uint64_t power = 1; power <= failing && power != 0; power *= 2) {
    if (power <= kSmall && !(narrows(power - 1) && narrows(power))) return failing;
    if (!narrows(power + 1)) return failing;
    // Of what is larger, 2^k + 1 comes before its neighbours.
    if (failing <= power + 1 && !(narrows(power) && narrows(power - 1))) return failing;
  }
  while (failing - passing > 1)
    if (!narrows(passing + (failing - passing) / 2)) return failing;
  return failing;
}

}  // namespace opconform::running
