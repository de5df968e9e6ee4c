#include "spec/version.h"

#include <charconv>

namespace opconform {

std::string Version::text() const {
  if (dialect_ == Dialect::kOnnx) return std::to_string(number_);
  return std::to_string(number_ >> 12) + "_" + std::to_string((number_ >> 8) & 0xF);
}

std::optional<Version> Version::parse(std::string_view text, Dialect dialect) {
  if (dialect == Dialect::kDirectml) {
    for (const FeatureLevel level : kFeatureLevels)
      if (Version(level).text() == text) return Version(level);
    return std::nullopt;
  }
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0) return std::nullopt;
  return opset(number);
}

}  // namespace opconform
