// Names of the documents, as people write them.

#include "harness/base/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spec/operator.h"

namespace opconform::base {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string_view operator_meant_by(std::string_view name) {
  const auto found = find_operator(name);
  return found ? all_operators()[*found].name : "none";
}

/// "DML_SCATTER, DML_SPLIT and DML_JOIN".
std::string operators_in_words() {
  const std::vector<OperatorText> operators = all_operators();
  std::string words(operators.front().name);
  for (std::size_t i = 1; i < operators.size(); ++i)
    words += (i + 1 < operators.size() ? ", " : " and ") + std::string(operators[i].name);
  return words;
}

TEST(Names, AnOperatorIsFoundByItsNameItsAliasAndWithoutPrefix) {
  for (const char* name : {"DML_SLICE1", "dml_slice1", "slice1", "Slice1", "SLICE1", "DML_Slice1"})
    EXPECT_EQ(operator_meant_by(name), "DML_SLICE1") << name;
  for (const char* name :
       {"DML_SCATTER_ELEMENTS", "scatter_elements", "ScatterElements", "scatter"})
    EXPECT_EQ(operator_meant_by(name), "DML_SCATTER") << name;
  EXPECT_EQ(operator_meant_by("gather"), "ONNX_GATHER");
  for (const char* name : {"", "slice", "slice11", "DML_", "DML_GATHER"})
    EXPECT_EQ(operator_meant_by(name), "none") << name;
}

TEST(Names, ADataTypeIsFoundByItsNameInEitherDialect) {
  for (const char* name : {"FLOAT32", "float32", "Float32", "float", "FLOAT"})
    EXPECT_EQ(find_data_type(name), DataType::kFloat32) << name;
  EXPECT_EQ(find_data_type("double"), DataType::kFloat64);
  EXPECT_EQ(find_data_type("bool"), DataType::kBool);
  for (const char* name : {"", "float33", "-", "f32"})
    EXPECT_EQ(find_data_type(name), std::nullopt) << name;
}

TEST(Names, AnUnknownOneIsNamedWithWhatWasMeantAndWhatThereIs) {
  const std::string all = operators_in_words();
  EXPECT_EQ(no_such_operator("Slice1"),
            "no such operator: \"Slice1\"; did you mean DML_SLICE1? There are " + all);
  EXPECT_EQ(no_such_operator("nope"), "no such operator: \"nope\"; there are " + all);
  EXPECT_THAT(no_such_operator("DML_SCATTER_ELEMENT"), HasSubstr("mean DML_SCATTER?"));
  EXPECT_THAT(no_such_operator("slice2"), HasSubstr("\"slice2\"; did you mean DML_SLICE1? "));
  EXPECT_THAT(no_such_rule("slice1.copystart"), HasSubstr("mean slice1.copy-start?"));
  EXPECT_THAT(no_such_erratum("letter-I"), HasSubstr("mean strides.letter-I?"));
  EXPECT_EQ(no_such_rule("nope"), "no such rule: \"nope\"");
}

TEST(Names, ATypeOfTheOtherDialectIsMeantAsItsOwn) {
  const auto of = [](std::string_view name, Dialect dialect) {
    return no_such_data_type(name, dialect);
  };
  EXPECT_THAT(of("float32", Dialect::kDirectml),
              HasSubstr("did you mean FLOAT32? There are FLOAT"));
  EXPECT_THAT(of("float", Dialect::kDirectml), HasSubstr("did you mean FLOAT32?"));
  EXPECT_THAT(of("double", Dialect::kDirectml), HasSubstr("did you mean FLOAT64?"));
  EXPECT_THAT(of("FLOAT32", Dialect::kOnnx), HasSubstr("did you mean float?"));
  EXPECT_THAT(of("FLOAT32", Dialect::kOnnx), HasSubstr("no such data type of ONNX"));
  EXPECT_THAT(of("string", Dialect::kDirectml), Not(HasSubstr("did you mean")));
  EXPECT_THAT(no_such_data_type("flaot32"), HasSubstr("did you mean FLOAT32?"));
}

TEST(Names, ALevelIsMeantByItsDigits) {
  EXPECT_THAT(no_such_feature_level("6.4"), HasSubstr("did you mean 6_4? There are 1_0, "));
  EXPECT_THAT(no_such_feature_level("6_5"), HasSubstr("\"6_5\"; there are 1_0, "));
  EXPECT_THAT(no_such_feature_level(""), HasSubstr("\"\"; there are 1_0, "));
}

TEST(Names, TextOfOthersIsEscapedAndCut) {
  for (const std::string& text :
       {no_such_operator("\x1b[31m"), no_such_rule("\x1b[31m"), no_such_data_type("\x1b[31m"),
        no_such_erratum("\x1b[31m"), no_such_feature_level("\x1b[31m")})
    EXPECT_THAT(text, HasSubstr("\"\\u001b[31m\""));
  EXPECT_LT(no_such_rule(std::string(100'000, 'x')).size(), 200U);
}

}  // namespace
}  // namespace opconform::base
