#include "spec/data_type.h"

#include <gmock/gmock.h>

#include <set>

namespace opconform {
namespace {

struct Expectation {
  DataType type;
  std::string_view directml_name;
  std::string_view onnx_name;
  std::size_t size_bytes;
  DataTypeKind kind;
};

constexpr Expectation kExpectations[] = {
    {DataType::kFloat64, "FLOAT64", "double", 8, DataTypeKind::kFloat},
    {DataType::kFloat32, "FLOAT32", "float", 4, DataTypeKind::kFloat},
    {DataType::kFloat16, "FLOAT16", "float16", 2, DataTypeKind::kFloat},
    {DataType::kInt64, "INT64", "int64", 8, DataTypeKind::kSigned},
    {DataType::kInt32, "INT32", "int32", 4, DataTypeKind::kSigned},
    {DataType::kInt16, "INT16", "int16", 2, DataTypeKind::kSigned},
    {DataType::kInt8, "INT8", "int8", 1, DataTypeKind::kSigned},
    {DataType::kUint64, "UINT64", "uint64", 8, DataTypeKind::kUnsigned},
    {DataType::kUint32, "UINT32", "uint32", 4, DataTypeKind::kUnsigned},
    {DataType::kUint16, "UINT16", "uint16", 2, DataTypeKind::kUnsigned},
    {DataType::kUint8, "UINT8", "uint8", 1, DataTypeKind::kUnsigned},
    {DataType::kBfloat16, "", "bfloat16", 2, DataTypeKind::kFloat},
    {DataType::kBool, "", "bool", 1, DataTypeKind::kBool},
    {DataType::kComplex64, "", "complex64", 8, DataTypeKind::kComplex},
    {DataType::kComplex128, "", "complex128", 16, DataTypeKind::kComplex},
    {DataType::kString, "", "string", 16, DataTypeKind::kString},
};

TEST(DataType, EachHasItsSizeAndKind) {
  for (const Expectation& expected : kExpectations) {
    SCOPED_TRACE(expected.onnx_name);
    EXPECT_EQ(element_size_bytes(expected.type), expected.size_bytes);
    EXPECT_EQ(kind(expected.type), expected.kind);
  }
}

TEST(DataType, EachHasTheNamesOfBothDialects) {
  for (const Expectation& expected : kExpectations) {
    EXPECT_EQ(name(expected.type, Dialect::kDirectml), expected.directml_name);
    EXPECT_EQ(name(expected.type, Dialect::kOnnx), expected.onnx_name);
  }
}

TEST(DataType, ANameIsReadInItsOwnDialectOnly) {
  for (const Expectation& expected : kExpectations) {
    SCOPED_TRACE(expected.onnx_name);
    EXPECT_EQ(parse_data_type(expected.onnx_name, Dialect::kOnnx), expected.type);
    EXPECT_EQ(parse_data_type(expected.onnx_name, Dialect::kDirectml), std::nullopt);
    EXPECT_EQ(parse_data_type(expected.directml_name, Dialect::kOnnx), std::nullopt);
    if (expected.directml_name.empty()) continue;
    EXPECT_EQ(parse_data_type(expected.directml_name, Dialect::kDirectml), expected.type);
  }
}

TEST(DataType, NoTypeHasAnEmptyOrForeignName) {
  for (const Dialect dialect : {Dialect::kDirectml, Dialect::kOnnx})
    for (const std::string_view text : {"", " ", "FLOAT", "Float32", "tensor(float)", "FLOAT32 "})
      EXPECT_EQ(parse_data_type(text, dialect), std::nullopt) << text;
}

TEST(DataType, AllAreListedOnce) {
  const std::set<DataType> listed(all_data_types().begin(), all_data_types().end());
  EXPECT_EQ(listed.size(), kDataTypeCount);
  EXPECT_EQ(std::size(kExpectations), kDataTypeCount);
}

TEST(DataTypeSet, HoldsWhatItWasGiven) {
  constexpr DataTypeSet set{DataType::kFloat64, DataType::kString};
  for (const DataType type : all_data_types())
    EXPECT_EQ(set.contains(type), type == DataType::kFloat64 || type == DataType::kString);
}

TEST(DataTypeSet, WithAddsOneAndLeavesTheOriginal) {
  constexpr DataTypeSet set{DataType::kInt8};
  constexpr DataTypeSet larger = set.with(DataType::kBool);
  EXPECT_TRUE(larger.contains(DataType::kInt8));
  EXPECT_TRUE(larger.contains(DataType::kBool));
  EXPECT_FALSE(set.contains(DataType::kBool));
  EXPECT_EQ(larger, (DataTypeSet{DataType::kBool, DataType::kInt8}));
  EXPECT_EQ(larger.with(DataType::kBool), larger);
}

TEST(DataTypeSet, IsEmptyAtFirst) {
  for (const DataType type : all_data_types()) EXPECT_FALSE(DataTypeSet{}.contains(type));
}

}  // namespace
}  // namespace opconform
