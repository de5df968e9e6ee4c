// Columns of text for a terminal.
#pragma once

#include <algorithm>
#include <string>

namespace opconform::reports {

inline std::string left(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}
inline std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

}  // namespace opconform::reports
