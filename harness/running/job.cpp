#include "harness/running/job.h"

#include <chrono>

#include "harness/base/bad_input.h"

namespace opconform::running {

JobOutcome run_here(const Job& job, const judging::CheckOptions& options,
                    diagnosis::Explainer& explainer) {
  try {
    const auto start = std::chrono::steady_clock::now();
    judging::CaseResult result = judging::check_case(*job.tested, *job.backend, options);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.explained_by = explainer.explanations(*job.tested, result);
    return {std::move(result), ""};
  } catch (const base::BadInput& error) {
    return {std::nullopt, error.what()};
  } catch (const std::exception& error) {
    // Not of the backend's doing: check_case() turns its exceptions into verdicts.
    return {std::nullopt,
            job.tested->file + ": " + job.tested->id + ": cannot be run: " + error.what()};
  }
}

}  // namespace opconform::running
