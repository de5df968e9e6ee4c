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
  Bindings bindings;  ///< which no other lane may write
  backends::Ending ending{};
  std::exception_ptr thrown{};
};

/// Starts a thread for each lane. Once all are there, each executes `rounds` times, and stops
/// early where an execution has no result.
void execute_at_once(backends::Backend& backend, std::span<Lane> lanes, unsigned rounds);

}  // namespace opconform::judging
