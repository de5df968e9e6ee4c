// What can become of a process in which foreign code runs, and whom it concerns.
#pragma once

#include <optional>
#include <string>

namespace opconform::backends {

/// The code under test says that what follows in this process may be wrong: another one must go on.
void spoil_process();
[[nodiscard]] bool is_process_spoiled();

/// Thrown where the process that a backend speaks to is gone, or spoke nonsense: the case at hand
/// cannot come to an end here. On purpose no std::exception: this is no answer of the backend.
struct Lost {
  std::string message;
  std::optional<int> status{};  ///< as waitpid() gives it, where the process ended by itself
};

}  // namespace opconform::backends
