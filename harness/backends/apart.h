// A question to code that may do anything, asked in a process of its own.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

namespace opconform::backends {

/// The process ended, or hung, before it had answered; what() says how.
class DoesNotStart : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What `question` returned there. `when` begins what() where it did not: "while it was opened".
/// Must be called while this process has one thread. Throws DoesNotStart.
[[nodiscard]] std::string ask_apart(const std::string& when,
                                    const std::function<std::string()>& question,
                                    std::chrono::milliseconds timeout);

}  // namespace opconform::backends
