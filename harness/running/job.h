// The unit of a run: one case on one backend.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/diagnosis/explain.h"
#include "harness/judging/check.h"

namespace opconform::running {

/// One case on one backend, with its place in the order of results.
struct Job {
  std::size_t number;
  const cases::Case* tested;
  backends::Backend* backend;
};

/// A result, or why the case could not be run.
struct JobOutcome {
  std::optional<judging::CaseResult> result;
  std::string bad_input;
};

/// Runs the job in this process; what cannot be run is told, not thrown. Throws backends::Lost.
JobOutcome run_here(const Job& job, const judging::CheckOptions& options,
                    diagnosis::Explainer& explainer);
inline JobOutcome run_here(const Job& job, const judging::CheckOptions& options) {
  diagnosis::Explainer explainer;
  return run_here(job, options, explainer);
}

}  // namespace opconform::running
