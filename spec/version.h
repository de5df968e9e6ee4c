// What a descriptor is judged by: a DirectML feature level, or an ONNX operator set.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spec/data_type.h"

namespace opconform {

/// DML_FEATURE_LEVEL, with the values of the DirectML header.
enum class FeatureLevel : std::uint32_t {
  k1_0 = 0x1000,
  k2_0 = 0x2000,
  k2_1 = 0x2100,
  k3_0 = 0x3000,
  k3_1 = 0x3100,
  k4_0 = 0x4000,
  k4_1 = 0x4100,
  k5_0 = 0x5000,
  k5_1 = 0x5100,
  k5_2 = 0x5200,
  k6_0 = 0x6000,
  k6_1 = 0x6100,
  k6_2 = 0x6200,
  k6_3 = 0x6300,
  k6_4 = 0x6400,
};
inline constexpr std::array kFeatureLevels{
    FeatureLevel::k1_0, FeatureLevel::k2_0, FeatureLevel::k2_1, FeatureLevel::k3_0,
    FeatureLevel::k3_1, FeatureLevel::k4_0, FeatureLevel::k4_1, FeatureLevel::k5_0,
    FeatureLevel::k5_1, FeatureLevel::k5_2, FeatureLevel::k6_0, FeatureLevel::k6_1,
    FeatureLevel::k6_2, FeatureLevel::k6_3, FeatureLevel::k6_4,
};

/// A feature level or an opset, whichever the operator's dialect knows. Versions of one dialect are
/// ordered.
class Version {
 public:
  constexpr Version(
      FeatureLevel level)  // NOLINT(google-explicit-constructor): a level is a version
      : dialect_(Dialect::kDirectml), number_(static_cast<std::uint32_t>(level)) {}
  static constexpr Version opset(std::uint32_t number) { return Version(Dialect::kOnnx, number); }
  /// What holds where a case names none: the highest feature level, opset 13.
  static constexpr Version standard(Dialect dialect) {
    return dialect == Dialect::kDirectml ? Version(kFeatureLevels.back()) : opset(13);
  }
  /// "3_0" of DirectML, "13" of ONNX. Nothing where the dialect has no such version (opset 0, level
  /// 7_0).
  static std::optional<Version> parse(std::string_view text, Dialect dialect);

  [[nodiscard]] constexpr Dialect dialect() const { return dialect_; }
  /// 0x2100 for level 2_1; the opset's number itself.
  [[nodiscard]] constexpr std::uint32_t number() const { return number_; }
  /// "2_1", "13"
  [[nodiscard]] std::string text() const;
  friend constexpr auto operator<=>(Version, Version) = default;

 private:
  constexpr Version(Dialect dialect, std::uint32_t number) : dialect_(dialect), number_(number) {}
  Dialect dialect_;
  std::uint32_t number_;
};

}  // namespace opconform
