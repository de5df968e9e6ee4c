#include "reports/figures.h"

#include <cstdio>

namespace opconform::reports {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string seconds_text(double seconds, int decimals) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.*f s", decimals, seconds);
  return text;
}

double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

}  // namespace opconform::reports
