// The same cases again and again: a verdict that is not always the same is worth nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/running/runner.h"

namespace opconform::running {

/// A case whose verdict was another the second time.
struct ChangedVerdict {
  std::string case_id;
  std::string backend;
  judging::Verdict first;
  judging::Verdict later;
  judging::CheckOptions check;  ///< of the later one
  unsigned jobs;
};

struct Repetitions {
  std::uint64_t done = 0;
  std::vector<ChangedVerdict> changed;  ///< each case and backend once
  bool interrupted = false;
  bool hangs = false;  ///< as RunOutcome says it
};

/// Runs the cases `count` times more. Each time another seed (of gap bytes, canaries, unwritten
/// outputs and base addresses), another order, and one to four jobs; `first` has the verdicts that
/// must not change. `on_round` is called after each.
[[nodiscard]] Repetitions repeat(std::span<const cases::Case* const> cases,
                                 std::span<const std::unique_ptr<backends::Backend>> backends,
                                 const RunOptions& options, std::uint64_t count,
                                 std::span<const judging::CaseResult> first,
                                 const std::function<void()>& on_round,
                                 const std::atomic<bool>& stop);

}  // namespace opconform::running
