// How cases are run, in this process or in children.
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
  bool isolate = false;                       ///< backends that are not ours are isolated anyway
  std::chrono::milliseconds timeout{10'000};  ///< for one case, where isolated
  /// The command line that shows a result again.
  std::function<std::string(const cases::Case&, const backends::Backend&)> repro;

  /// What an isolated process may allocate: room for the buffers, their copies and the code under
  /// test; a blow-up is an allocation that fails.
  [[nodiscard]] std::uint64_t room_bytes() const;
};

}  // namespace opconform::running
