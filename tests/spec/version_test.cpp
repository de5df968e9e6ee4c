#include "spec/version.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace opconform {
namespace {

TEST(FeatureLevels, AreThoseOfTheHeaderInAscendingOrder) {
  const std::vector<std::string> names{"1_0", "2_0", "2_1", "3_0", "3_1", "4_0", "4_1", "5_0",
                                       "5_1", "5_2", "6_0", "6_1", "6_2", "6_3", "6_4"};
  std::vector<std::string> found;
  for (const FeatureLevel level : kFeatureLevels) found.push_back(Version(level).text());
  EXPECT_EQ(found, names);
  EXPECT_TRUE(std::is_sorted(kFeatureLevels.begin(), kFeatureLevels.end(), std::less_equal<>{}));
}

TEST(FeatureLevels, HaveTheNumbersOfTheHeader) {
  EXPECT_EQ(Version(FeatureLevel::k1_0).number(), 0x1000U);
  EXPECT_EQ(Version(FeatureLevel::k2_1).number(), 0x2100U);
  EXPECT_EQ(Version(FeatureLevel::k6_4).number(), 0x6400U);
}

TEST(Version, ALevelReadsAsItPrints) {
  for (const FeatureLevel level : kFeatureLevels)
    EXPECT_EQ(Version::parse(Version(level).text(), Dialect::kDirectml), Version(level));
}

TEST(Version, AnOpsetReadsAsItPrints) {
  for (const std::uint32_t number : {1U, 10U, 13U, 22U, 4294967295U}) {
    const Version opset = Version::opset(number);
    EXPECT_EQ(opset.text(), std::to_string(number));
    EXPECT_EQ(opset.number(), number);
    EXPECT_EQ(Version::parse(opset.text(), Dialect::kOnnx), opset);
  }
}

TEST(Version, AnOpsetEndsWhereItsTextEnds) {
  EXPECT_EQ(Version::parse(std::string_view("137").substr(0, 2), Dialect::kOnnx),
            Version::opset(13));
}

TEST(Version, WhatIsNoLevelIsNothing) {
  for (const char* text : {"", "7_0", "1_1", "3_2", "3.0", "3_0 ", " 3_0", "03_0", "3", "13", "_"})
    EXPECT_EQ(Version::parse(text, Dialect::kDirectml), std::nullopt) << text;
}

TEST(Version, WhatIsNoOpsetIsNothing) {
  for (const char* text : {"", "0", "-1", "+1", "13 ", " 13", "13x", "3_0", "4294967296", "1.0"})
    EXPECT_EQ(Version::parse(text, Dialect::kOnnx), std::nullopt) << text;
}

TEST(Version, TheStandardOnesAreTheHighestLevelAndOpset13) {
  EXPECT_EQ(Version::standard(Dialect::kDirectml), Version(FeatureLevel::k6_4));
  EXPECT_EQ(Version::standard(Dialect::kOnnx), Version::opset(13));
}

TEST(Version, KnowsItsDialect) {
  EXPECT_EQ(Version(FeatureLevel::k3_0).dialect(), Dialect::kDirectml);
  EXPECT_EQ(Version::opset(11).dialect(), Dialect::kOnnx);
}

TEST(Version, VersionsOfOneDialectAreOrdered) {
  EXPECT_LT(Version(FeatureLevel::k2_0), Version(FeatureLevel::k2_1));
  EXPECT_LT(Version(FeatureLevel::k2_1), Version(FeatureLevel::k3_0));
  EXPECT_LT(Version::opset(9), Version::opset(11));
  EXPECT_GE(Version::opset(11), Version::opset(11));
}

TEST(Version, ALevelIsNoOpsetOfTheSameNumber) {
  EXPECT_NE(Version(FeatureLevel::k1_0), Version::opset(0x1000));
}

}  // namespace
}  // namespace opconform
