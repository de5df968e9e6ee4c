// A question to code that may do anything, asked in a process of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

namespace opconform::backends {

/// An implementation from outside ends, hangs or breaks its interface before it has taken a case;
/// what() says how.
class DoesNotStart : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How long an implementation from outside may take to start; OPCONFORM_START_SECONDS changes it.
[[nodiscard]] std::chrono::milliseconds limit_of_start();

/// What `question` returned there. `when` begins what() where it did not: "while it was opened".
/// Must be called while this process has one thread. Throws DoesNotStart, also where `question`
/// does, and soon after `stop`, which may be null, becomes true.
[[nodiscard]] std::string ask_apart(const std::string& when,
                                    const std::function<std::string()>& question,
                                    std::chrono::milliseconds timeout,
                                    const std::atomic<bool>* stop = nullptr);

}  // namespace opconform::backends
