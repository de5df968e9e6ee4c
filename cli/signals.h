// How a command is asked to stop.
#pragma once

#include <atomic>

namespace opconform::cli {

/// SIGINT, SIGTERM and SIGHUP make the result true from now on; a third one ends the process
/// without more ado.
const std::atomic<bool>& stop_on_signals();
/// Has that happened, in a command that has called it?
[[nodiscard]] bool is_asked_to_stop();

}  // namespace opconform::cli
