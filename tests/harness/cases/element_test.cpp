#include "harness/cases/element.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "harness/base/bad_input.h"

namespace opconform::cases {
namespace {

std::uint64_t bits_of(const std::string& json, DataType type) {
  StringPool strings;
  std::vector<std::byte> bytes;
  append_element(base::parse_json(json, "test"), type, strings, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

/// The value of a half, by its definition.
double half_value(std::uint64_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto mantissa = static_cast<double>(bits & 1023);
  return sign *
         (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

std::string decimal(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.40g", value);
  if (std::string(text).find_first_of(".e") == std::string::npos) return std::string(text) + ".0";
  return text;
}

TEST(Element, EveryFiniteHalfIsReadAndWrittenExactly) {
  for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
    const std::uint16_t half = static_cast<std::uint16_t>(bits);
    std::byte element[2];
    std::memcpy(element, &half, 2);
    const std::string json = element_to_json(DataType::kFloat16, element).dump();
    EXPECT_EQ(bits_of(json, DataType::kFloat16), bits) << json;
    if ((bits & 0x7C00) == 0x7C00) continue;
    EXPECT_EQ(bits_of(decimal(half_value(bits)), DataType::kFloat16), bits);
  }
}

TEST(Element, BetweenTwoHalvesTheNearestIsTakenAndTiesGoToEven) {
  for (std::uint64_t bits = 0; bits + 1 < 0x7C00; ++bits) {
    const double middle = (half_value(bits) + half_value(bits + 1)) / 2;
    EXPECT_EQ(bits_of(decimal(middle), DataType::kFloat16), bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(bits_of(decimal(std::nextafter(middle, 0.0)), DataType::kFloat16), bits);
    EXPECT_EQ(bits_of(decimal(std::nextafter(middle, 1e9)), DataType::kFloat16), bits + 1);
  }
}

TEST(Element, IsRoundedOnceFromTheDecimal) {
  // Just above the middle of two halves, by less than a double can tell from the middle itself.
  EXPECT_EQ(bits_of("1.00048828125", DataType::kFloat16), 0x3C00U);
  EXPECT_EQ(bits_of("1.00048828125000000000000000000000001", DataType::kFloat16), 0x3C01U);
  // Just below the middle of an odd one and the even one above it.
  EXPECT_EQ(bits_of("1.00146484375", DataType::kFloat16), 0x3C02U);
  EXPECT_EQ(bits_of("1.00146484374999999999999999999999999", DataType::kFloat16), 0x3C01U);
  EXPECT_EQ(bits_of("1.000000059604644775390625", DataType::kFloat32), 0x3F800000U);
  EXPECT_EQ(bits_of("1.0000000596046447753906250000000000000001", DataType::kFloat32), 0x3F800001U);
  EXPECT_EQ(bits_of("1.00390625", DataType::kBfloat16), 0x3F80U);
  EXPECT_EQ(bits_of("1.0039062500000000000000000000001", DataType::kBfloat16), 0x3F81U);
  EXPECT_EQ(bits_of("16777217", DataType::kFloat32), 0x4B800000U);
  EXPECT_EQ(bits_of("18446744073709551615", DataType::kFloat64),
            std::bit_cast<std::uint64_t>(0x1p64));
}

TEST(Element, FloatsMatchTheCompilersOwn) {
  for (const char* literal :
       {"0.1", "1e-45", "3.4028234663852886e38", "1.17549435e-38", "-2.5e-40", "123456789"})
    EXPECT_EQ(bits_of(literal, DataType::kFloat32),
              std::bit_cast<std::uint32_t>(std::strtof(literal, nullptr)))
        << literal;
}

TEST(Element, SpecialValues) {
  EXPECT_EQ(bits_of("\"NaN\"", DataType::kFloat32), 0x7FC00000U);
  EXPECT_EQ(bits_of("\"NaN\"", DataType::kFloat16), 0x7E00U);
  EXPECT_EQ(bits_of("\"NaN\"", DataType::kBfloat16), 0x7FC0U);
  EXPECT_EQ(bits_of("\"NaN\"", DataType::kFloat64), 0x7FF8000000000000U);
  EXPECT_EQ(bits_of("\"-Infinity\"", DataType::kFloat32), 0xFF800000U);
  for (const char* zero : {"\"-0.0\"", "-0.0", "-0", "-0e5", "-1e-300"})
    EXPECT_EQ(bits_of(zero, DataType::kFloat32), 0x80000000U) << zero;
  EXPECT_EQ(bits_of("0", DataType::kFloat32), 0U);
  EXPECT_EQ(bits_of("\"0x7fC00001\"", DataType::kFloat32), 0x7FC00001U);
  EXPECT_EQ(bits_of("\"0x02\"", DataType::kBool), 2U);
  EXPECT_EQ(bits_of("true", DataType::kBool), 1U);
  EXPECT_EQ(bits_of("[-1, \"0x7f800001\"]", DataType::kComplex64), 0x7F800001BF800000U);
  EXPECT_EQ(bits_of("-9223372036854775808", DataType::kInt64), 0x8000000000000000U);
  EXPECT_EQ(bits_of("9007199254740993", DataType::kInt64), 9007199254740993U);
  EXPECT_EQ(bits_of("-0", DataType::kInt8), 0U);
}

TEST(Element, RejectsWhatIsNoneOfTheType) {
  const auto rejects = [](const std::string& json, DataType type) {
    EXPECT_THROW(bits_of(json, type), ElementError) << json << " as " << name(type, Dialect::kOnnx);
  };
  rejects("65520", DataType::kFloat16);
  rejects("-65520.0", DataType::kFloat16);
  rejects("3.4028236e38", DataType::kFloat32);
  rejects("3.0", DataType::kInt32);
  rejects("1e2", DataType::kInt32);
  rejects("128", DataType::kInt8);
  rejects("-129", DataType::kInt8);
  rejects("-1", DataType::kUint64);
  rejects("18446744073709551616", DataType::kUint64);
  rejects("9223372036854775808", DataType::kInt64);
  rejects("1", DataType::kBool);
  rejects("true", DataType::kInt8);
  rejects("true", DataType::kFloat32);
  rejects("null", DataType::kFloat32);
  rejects("\"0x123\"", DataType::kFloat16);
  rejects("\"0x123456789\"", DataType::kFloat32);
  rejects("\"0x-001\"", DataType::kUint16);
  rejects("\"0xzz\"", DataType::kUint8);
  rejects("\"nan\"", DataType::kFloat32);
  rejects("\"0x1g\"", DataType::kUint8);
  rejects("\"xx7f\"", DataType::kInt8);
  rejects("\"xx01\"", DataType::kBool);
  rejects("{\"re\": 1, \"im\": 2}", DataType::kComplex64);
  rejects("[1]", DataType::kComplex64);
  rejects("1", DataType::kComplex64);
  rejects("1", DataType::kString);
  EXPECT_NO_THROW(bits_of("65519", DataType::kFloat16));
}

base::Json written(DataType type, auto value) {
  std::byte element[sizeof value];
  std::memcpy(element, &value, sizeof value);
  return element_to_json(type, element);
}

base::Json written_short(DataType type, auto value) {
  std::byte element[sizeof value];
  std::memcpy(element, &value, sizeof value);
  return short_element_to_json(type, element);
}

TEST(Element, DoublesAreWrittenExactly) {
  for (const double value : {0.1, -2.5, 5e-324, 1.7976931348623157e308, 4503599627370497.5})
    EXPECT_EQ(written(DataType::kFloat64, value).get<double>(), value);
  // Whole numbers as integers, as long as nothing is lost.
  EXPECT_TRUE(written(DataType::kFloat64, 999999999999999.0).is_number_integer());
  EXPECT_TRUE(written(DataType::kFloat64, -7.0).is_number_integer());
  EXPECT_TRUE(written(DataType::kFloat64, 1e15).is_number_float());
  EXPECT_TRUE(written(DataType::kFloat64, 1e300).is_number_float());
  EXPECT_TRUE(written(DataType::kFloat64, 0.5).is_number_float());
}

TEST(Element, BoolsAreWrittenAsSuchOrAsTheirBits) {
  EXPECT_EQ(written(DataType::kBool, std::uint8_t{0}), base::Json(false));
  EXPECT_EQ(written(DataType::kBool, std::uint8_t{1}), base::Json(true));
  EXPECT_EQ(written(DataType::kBool, std::uint8_t{2}), base::Json("0x02"));
}

TEST(Element, BitsAreWrittenWithAllTheirDigits) {
  constexpr std::byte kZero[4]{};
  EXPECT_EQ(element_text(DataType::kFloat32, kZero), "0 (0x00000000)");
  EXPECT_EQ(written(DataType::kFloat64, std::uint64_t{0x7ff0000000000001}),
            base::Json("0x7ff0000000000001"));
  EXPECT_EQ(written(DataType::kFloat32, std::uint32_t{0x7f800001}), base::Json("0x7f800001"));
}

TEST(Element, AComplexNumberIsWrittenAsItsParts) {
  using Single = std::array<float, 2>;
  using Double = std::array<double, 2>;
  EXPECT_EQ(written(DataType::kComplex64, Single{1.5F, -2.0F}), base::Json::array({1.5, -2}));
  EXPECT_EQ(written(DataType::kComplex128, Double{0.1, 3.0}), base::Json::array({0.1, 3}));
  EXPECT_EQ(written_short(DataType::kComplex64, Single{0.5F, 0.1F}),
            base::Json::array({0.5, "0x3dcccccd"}));
  EXPECT_EQ(written_short(DataType::kComplex128, Double{0.25, 7.0}), base::Json::array({0.25, 7}));
}

TEST(Element, TheShorterOfDecimalAndBitsIsWritten) {
  const auto shorter = [](float value) { return written_short(DataType::kFloat32, value); };
  EXPECT_EQ(shorter(0.1F), base::Json("0x3dcccccd"));
  EXPECT_EQ(shorter(0.0009765625F), base::Json(0.0009765625)) << "as long as 0x3a800000 in quotes";
  EXPECT_EQ(shorter(0.25F), base::Json(0.25));
  EXPECT_EQ(shorter(16777216.0F), base::Json(16777216));
}

TEST(Element, InACellOfATableItIsShort) {
  const auto cell = [](DataType type, const auto& value) {
    std::byte bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    return short_element_text(type, bytes);
  };
  EXPECT_EQ(cell(DataType::kInt8, std::int8_t{-3}), "-3");
  EXPECT_EQ(cell(DataType::kFloat32, 0.1F), "0.1");
  EXPECT_EQ(cell(DataType::kFloat32, 2.0F), "2");
  EXPECT_EQ(cell(DataType::kFloat32, 1.17549435e-38F), "0x00800000");
  EXPECT_EQ(cell(DataType::kFloat32, 1.2345678e10F), "12345677824") << "a whole number";
  EXPECT_EQ(cell(DataType::kFloat64, 0.1), "0.1");
  EXPECT_EQ(cell(DataType::kFloat64, 1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(cell(DataType::kFloat64, -1.2345678901234567e-100), "0xab31482fe620c5d2");
  EXPECT_EQ(cell(DataType::kFloat32, std::uint32_t{0x7fc00000}), "NaN");
  EXPECT_EQ(cell(DataType::kComplex64, std::array<float, 2>{1.5F, -2.0F}), "[1.5,-2]");
  EXPECT_EQ(cell(DataType::kComplex128, std::array<double, 2>{0.25, 7.0}), "[0.25,7]");
  const std::string text = "0123456789abcdefghij";
  EXPECT_EQ(cell(DataType::kString, StringElement{text.data(), 16}), "\"0123456789abcdef\"");
  EXPECT_THAT(cell(DataType::kString, StringElement{text.data(), 20}),
              testing::StartsWith("\"0123456789abcdef"));
  EXPECT_EQ(cell(DataType::kString, StringElement{text.data(), 20}).find('g'), std::string::npos);
}

TEST(Element, AComplexNumberIsAnArrayThatHoldsNone) {
  const auto is_element = [](const std::string& json, DataType type) {
    return is_element_form(base::parse_json(json, "test"), type);
  };
  EXPECT_TRUE(is_element("1", DataType::kInt8));
  EXPECT_FALSE(is_element("[1]", DataType::kInt8));
  EXPECT_TRUE(is_element("\"0x0\"", DataType::kComplex64));
  EXPECT_TRUE(is_element("[1, 2]", DataType::kComplex64));
  EXPECT_FALSE(is_element("[]", DataType::kComplex64));
  EXPECT_FALSE(is_element("[[1, 2], 3]", DataType::kComplex64));
}

TEST(Element, StringsAreTheSameByTheirContent) {
  const auto same = [](StringElement a, StringElement b) {
    std::byte first[sizeof a];
    std::byte second[sizeof b];
    std::memcpy(first, &a, sizeof a);
    std::memcpy(second, &b, sizeof b);
    return same_element(DataType::kString, first, second);
  };
  const std::string text = "xyx";
  EXPECT_TRUE(same({text.data(), 1}, {text.data() + 2, 1}));
  EXPECT_FALSE(same({text.data(), 1}, {text.data() + 1, 1}));
  EXPECT_FALSE(same({text.data(), 1}, {text.data(), 2}));
  EXPECT_TRUE(same({nullptr, 0}, {text.data(), 0}));
}

}  // namespace
}  // namespace opconform::cases
