// One case on one backend, in this process.
#pragma once

#include <vector>

#include "harness/backends/backend.h"
#include "harness/cases/case.h"
#include "harness/judging/guarded_buffer.h"
#include "harness/judging/verdict.h"

namespace opconform::judging {

inline constexpr std::uint64_t kDefaultMemoryLimitBytes = std::uint64_t{1} << 30;
inline constexpr unsigned kUsualThreads = 3;
inline constexpr std::uint64_t kSampledAtOnce = 8;  ///< threads take as long as the case itself
/// Of these, one in eight is executed by many threads as well: more than one machine's usual pool.
inline constexpr unsigned kManyThreads = 8;
inline constexpr std::uint64_t kSampledByMany = 8 * kSampledAtOnce;

struct CheckOptions {
  base::Guard guard = base::Guard::kPages;
  bool strict_gaps = false;
  std::uint64_t seed = 1;  ///< of gap bytes, canaries and base addresses: no verdict depends on it
  std::uint64_t memory_limit_bytes =
      kDefaultMemoryLimitBytes;  ///< of all buffers of one case together; at most 2 GiB
  /// Cases of more than this are executed once, and what they chose is not looked at.
  std::uint64_t most_executed_again_bytes = std::uint64_t{64} << 20;
  /// So many threads execute at once, one count after another, as far as the backend offers that; 1
  /// is none. Empty: three, for one case of kSampledAtOnce, then eight, for one of kSampledByMany.
  std::vector<unsigned> threads{};
  /// So many plans of the case and its siblings are there at once; 1: the usual few. 0: as
  /// many_plans.h says, for some cases.
  unsigned plans = 0;
  /// Failed executions of more than this leave no evidence; 0 keeps none.
  std::uint64_t most_evidence_bytes = std::uint64_t{1} << 20;
};

/// What is accepted is executed three times, with fresh buffers and outputs: directly before
/// inaccessible pages, directly behind such, then at bases that are aligned to the element alone
/// and with other inputs, of which the reference says what is due. Plans of descriptors that differ
/// in one field alone are prepared before it, released before it is executed, and executed in
/// between; the descriptor is overwritten, and another prepared. Then several threads execute at
/// once, and for some cases many plans are there at once (many_plans.h). All executions of the case
/// must conform. Throws BadInput where the case cannot be run: too large, contents missing, a
/// layout that cannot be decided. The result has no repro line yet: the runner knows how it was
/// called.
CaseResult check_case(const cases::Case& tested, backends::Backend& backend,
                      const CheckOptions& options);

/// The case with the inputs of its third execution, of which the reference says what is due.
[[nodiscard]] cases::Case with_other_inputs(
    const cases::Case& tested, const backends::Promise& promise = backends::document_promise());

}  // namespace opconform::judging
