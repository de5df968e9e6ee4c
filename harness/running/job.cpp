#include "harness/running/job.h"

#include "harness/base/bad_input.h"
#include "harness/diagnosis/explain.h"

namespace opconform::running {

JobOutcome run_here(const Job& job, const judging::CheckOptions& options) {
  try {
    judging::CaseResult result = judging::check_case(*job.tested, *job.backend, options);
    result.explained_by = diagnosis::explanations(*job.tested, result);
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
