// Many plans at once: descriptors that differ in one field alone, prepared together, executed in
// every order, and released in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/backends/backend.h"
#include "harness/cases/case.h"
#include "harness/judging/check.h"
#include "harness/judging/judge.h"

namespace opconform::judging {

/// Beyond rings of 8, 16 and 32 plans.
inline constexpr unsigned kManyPlans = 33;
/// So many are executed in every order.
inline constexpr unsigned kFewPlans = 4;
/// Of these cases, one has few plans, and one many.
inline constexpr std::uint64_t kSampledFewPlans = 64;
inline constexpr std::uint64_t kSampledManyPlans = 256;
/// Cases of more than this have no more plans than their own: each has buffers.
inline constexpr std::uint64_t kMostManyPlansBytes = std::uint64_t{1} << 16;
inline constexpr std::size_t kMostManyPlansTensors = 40;
[[nodiscard]] bool may_have_many_plans(const Operator& op, Version version);

/// How many plans of this case are to be there at once: as the options say, else by the hash of its
/// id; 0 where it has its own alone.
[[nodiscard]] unsigned plan_count(const CheckOptions& options, std::uint64_t hash);

/// Prepares `count` plans, of the case and of its siblings, each with inputs of its own; executes
/// and judges them, releases some in between, and prepares others in their place. Up to kFewPlans
/// are executed in every order, more in orders by chance of `hash`, and from several threads where
/// the backend offers that and `threads` is more than 1. Of a valid case that passes alone. Nothing
/// where all pass; what a sibling does wrong when it is there alone is not said, for that is judged
/// where it is the case.
[[nodiscard]] std::optional<Judgement> judge_many_plans(const cases::Case& tested,
                                                        backends::Backend& backend,
                                                        const CheckOptions& options,
                                                        std::uint64_t hash, unsigned count,
                                                        unsigned threads);

}  // namespace opconform::judging
