// Cases of the label `large` in which size is a factor like any other: what goes well with small
// tensors and in the plain layout alone is moved in blocks, strips and by threads here, together
// with each type, rank, layout, axis and class of indices.
#pragma once

#include <array>
#include <cstddef>

#include "harness/generation/classes.h"
#include "harness/generation/factors.h"
#include "harness/strength/large_cases.h"

namespace opconform::strength {

inline constexpr std::array kCombinedTiers{generation::SizeTier::kFirstCache,
                                           generation::SizeTier::kSecondCache};
/// As many as let each value occur, and pairs of values besides.
inline constexpr std::size_t kCombinationsPerTier = 20;

/// The operator's factors, as far as patterns can hold what they ask for: values are random bits.
/// All indices are in range, for one that is not says nothing of sizes.
[[nodiscard]] generation::FactorModel large_factors(std::size_t operator_index);

/// For each tier, cases that together hold each feasible value of each of those factors. The
/// largest tensor of a case has at least a quarter of the tier's bytes. The last factor of a case
/// is its tier.
[[nodiscard]] LargeFile large_combinations(std::size_t operator_index);

}  // namespace opconform::strength
