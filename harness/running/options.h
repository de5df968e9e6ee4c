// How cases are run, in this process or in workers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/judging/check.h"

namespace opconform::running {

struct RunOptions {
  judging::CheckOptions check;
  unsigned jobs = 1;
  bool isolate = false;     ///< in workers what is ours, too; else only what is not
  bool in_process = false;  ///< nothing in workers, whoever made it: a crash ends the run
  bool pictures = false;    ///< failures in workers leave a picture of their evidence
  std::chrono::milliseconds timeout{10'000};  ///< for one case, in a worker
  /// The command line that shows a result again.
  std::function<std::string(const cases::Case&, const judging::CaseResult&)> repro;

  /// What a worker may allocate: room for the buffers, their copies and the code under
  /// test; a blow-up is an allocation that fails.
  [[nodiscard]] std::uint64_t room_bytes() const;
};

}  // namespace opconform::running
