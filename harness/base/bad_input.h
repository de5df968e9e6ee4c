// What is wrong with a file or a value that somebody gave us: never a verdict, always exit code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace opconform::base {

/// Thrown by readers. The message names the value; file and JSON pointer say where it stands.
class BadInput : public std::runtime_error {
 public:
  BadInput(const std::string& file, const std::string& pointer, const std::string& message)
      : std::runtime_error(file + (pointer.empty() ? "" : ": " + pointer) + ": " + message) {}
};

}  // namespace opconform::base
