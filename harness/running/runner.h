// Many cases on many backends: in this process, or in workers that may be killed.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/running/options.h"
#include "harness/running/selection.h"

namespace opconform::running {

struct RunOutcome {
  std::vector<judging::CaseResult>
      results;                         ///< in the order of cases, then backends, whatever the jobs
  std::vector<std::string> bad_input;  ///< cases that could not be run
  bool interrupted = false;
  /// A case did not come to an end in this process and still runs: what it uses must stay, and
  /// this process must end by std::_Exit().
  bool hangs = false;
};

/// Runs every case on every backend: in workers what is not ours, unless the options say otherwise.
/// `on_result` is called once a result, from one thread at a time, in the order in which they
/// finish. Stops soon after `stop` becomes true and returns what it has.
RunOutcome run(std::span<const cases::Case* const> cases,
               std::span<const std::unique_ptr<backends::Backend>> backends,
               const RunOptions& options,
               const std::function<void(const judging::CaseResult&)>& on_result,
               const std::atomic<bool>& stop);

}  // namespace opconform::running
