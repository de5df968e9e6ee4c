// Strict JSON: each fault with its place.

#include "harness/base/json_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opconform::base {
namespace {

using ::testing::HasSubstr;

std::string fault_of(std::string_view text) {
  try {
    parse_json(text, "file.json");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonDocument, KeepsIntegersWholeAndDecimalsAsWritten) {
  const Json json =
      parse_json(R"([18446744073709551615, -9223372036854775808, 1.50, -0, 1e400])", "file.json");
  EXPECT_EQ(json[0].get<std::uint64_t>(), 18446744073709551615U);
  EXPECT_EQ(json[1].get<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(decimal_literal(json[2]), "1.50");
  EXPECT_EQ(decimal_literal(json[3]), "-0");
  EXPECT_EQ(decimal_literal(json[4]), "1e400");
}

TEST(JsonDocument, NamesThePlaceOfEachFault) {
  EXPECT_THAT(fault_of(R"({"a": [1, {"b": 1, "b": 2}]})"),
              HasSubstr("file.json: /a/1/b: duplicate key \"b\""));
  EXPECT_THAT(fault_of(R"({"a": [1, 2)"),
              HasSubstr("no valid JSON at byte 12: line 1, column 12: unexpected end of input; "));
  EXPECT_EQ(fault_of(""), "file.json: is empty");
  EXPECT_EQ(fault_of(" \n"), "file.json: is empty");
  EXPECT_THAT(fault_of(std::string(1000, '[')), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(fault_of(std::string_view("[1]\0", 4)), HasSubstr("byte 4: a NUL byte"));
  EXPECT_THAT(fault_of("\xEF\xBB\xBF[1]"), HasSubstr("byte order mark"));
  EXPECT_THAT(fault_of("[\"\xFF\"]"), HasSubstr("no valid JSON"));
  EXPECT_THAT(fault_of("[1] [2]"), HasSubstr("no valid JSON"));
  EXPECT_EQ(fault_of("[1]"), "none");
}

TEST(JsonDocument, MessagesAreShortAndHarmless) {
  EXPECT_EQ(excerpt(Json(std::string(1000, 'x'))), "\"" + std::string(60, 'x') + "...\"");
  EXPECT_EQ(printable("a\033b\x7f\xC2\x9B\xFF\xE2\x80\xAE\"ü"),
            "a\\u001bb\\u007f\\u009b\\xff\\u202e\"ü");
  EXPECT_EQ(cut("aü", 2), "a...");
}

TEST(ObjectReader, TellsUnknownAndMissingKeys) {
  const Json json = parse_json(R"({"a/b": 1, "c": "text"})", "file.json");
  const Pointer root;
  const std::string file = "file.json";
  ObjectReader reader(json, root, file);
  EXPECT_EQ(reader.find_string("c"), "text");
  EXPECT_EQ(reader.find("absent"), nullptr);
  EXPECT_THROW(reader.require("absent"), BadInput);
  try {
    reader.expect_no_others();
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_STREQ(error.what(), "file.json: /a~1b: unknown key");
  }
}

}  // namespace
}  // namespace opconform::base
