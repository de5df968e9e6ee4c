// What the process ends with.
#pragma once

#include <algorithm>

namespace opconform::cli {

/// Where several apply, the highest.
enum ExitCode : int {
  kAllAsExpected = 0,
  kNonconformance = 1,  ///< a vacuous case or a stale expectation included
  kBadInput = 2,        ///< bad usage, or a file that could not be used
  kHarnessFailed = 3,
};

inline void raise_to(int& exit_code, ExitCode code) { exit_code = std::max<int>(exit_code, code); }

}  // namespace opconform::cli
