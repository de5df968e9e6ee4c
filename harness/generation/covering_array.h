// Covering arrays: few complete assignments of a model's factors that hold every feasible
// combination of three.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/generation/factors.h"

namespace opconform::generation {

/// Complete, feasible assignments that, together with those `present`, hold each feasible triple of
/// values, and with it each feasible pair. The same for the same arguments; empty where nothing is
/// missing. `present` must be complete and feasible.
[[nodiscard]] std::vector<Assignment> cover_triples(const FactorModel& model,
                                                    std::span<const Assignment> present,
                                                    std::uint64_t seed);

}  // namespace opconform::generation
