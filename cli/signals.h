// How a command is asked to stop.
#pragma once

#include <atomic>

namespace opconform::cli {

/// SIGINT, SIGTERM and SIGHUP make the result true from now on; a third one ends the process, for
/// a case that runs in it cannot be stopped otherwise.
const std::atomic<bool>& stop_on_signals();

}  // namespace opconform::cli
