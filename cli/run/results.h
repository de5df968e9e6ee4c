// The file of results that `opconform run` writes, when it is done and while it goes on.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/arguments.h"
#include "harness/running/expected_failures.h"
#include "harness/running/repeat.h"
#include "harness/running/result_json.h"
#include "harness/running/runner.h"

namespace opconform::cli {

/// What came of a run besides the verdicts.
struct Besides {
  std::vector<diagnosis::Group> groups{};  ///< of failures; members are places in the results
  running::Smallest smallest{};
  running::Repetitions repetitions{};
  std::vector<std::string> stale{};  ///< lines of --expect that are due for removal
  base::Json promises{};             ///< of the backends, as promises_json() gives them
};

base::Json results_json(const running::RunOutcome& outcome,
                        const std::vector<const cases::Case*>& cases, const Besides& besides,
                        const RunArguments& arguments);

/// Keeps the file of results up to date while the run goes on, so that a run that is killed leaves
/// what it had, marked as interrupted. Only a file that can be replaced as a whole.
class PartialResults {
 public:
  PartialResults(const RunArguments& arguments, const base::Json& promises,
                 const std::vector<const cases::Case*>& cases,
                 std::optional<running::ExpectedFailures> expected_failures);
  void add(const judging::CaseResult& result);
  void write();

 private:
  const RunArguments& arguments_;
  const base::Json& promises_;
  const std::vector<const cases::Case*>& cases_;
  /// A copy: what it has met is not told.
  std::optional<running::ExpectedFailures> expected_failures_;
  bool is_used_;
  std::map<std::string_view, std::size_t> place_of_;
  running::RunOutcome so_far_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace opconform::cli
