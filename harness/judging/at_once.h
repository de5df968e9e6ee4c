// Executions from several threads at once.
#pragma once

#include <exception>
#include <span>
#include <vector>

#include "harness/backends/backend.h"
#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::judging {

/// What one thread executes, and what comes of it.
struct Lane {
  backends::Executable* plan = nullptr;  ///< null: the thread prepares and releases one of its own
  Operator op;                           ///< of that
  Version version;
  Bindings bindings;       ///< which no other lane may write
  bool must_fail = false;  ///< its executions must fail: for what its inputs hold
  backends::Ending ending{};
  std::exception_ptr thrown{};
};

/// Starts a thread for each lane. Once all are there, each executes at least `rounds` times and
/// goes on until all have: the last execution of each is what is judged, and others must be under
/// way while it is. A lane stops where one ends in another way than it must.
void execute_at_once(backends::Backend& backend, std::span<Lane> lanes, unsigned rounds);

}  // namespace opconform::judging
