#include "spec/data_type.h"

#include <algorithm>

namespace opconform {
namespace {

struct DataTypeRow {
  DataType type;
  std::string_view directml_name;
  std::string_view onnx_name;
  std::size_t size_bytes;
  DataTypeKind kind;
};

using enum DataTypeKind;
// DirectML: DML_TENSOR_DATA_TYPE. ONNX: the type constraints of Gather.
constexpr std::array<DataTypeRow, kDataTypeCount> kRows{{
    {DataType::kFloat64, "FLOAT64", "double", 8, kFloat},
    {DataType::kFloat32, "FLOAT32", "float", 4, kFloat},
    {DataType::kFloat16, "FLOAT16", "float16", 2, kFloat},
    {DataType::kInt64, "INT64", "int64", 8, kSigned},
    {DataType::kInt32, "INT32", "int32", 4, kSigned},
    {DataType::kInt16, "INT16", "int16", 2, kSigned},
    {DataType::kInt8, "INT8", "int8", 1, kSigned},
    {DataType::kUint64, "UINT64", "uint64", 8, kUnsigned},
    {DataType::kUint32, "UINT32", "uint32", 4, kUnsigned},
    {DataType::kUint16, "UINT16", "uint16", 2, kUnsigned},
    {DataType::kUint8, "UINT8", "uint8", 1, kUnsigned},
    {DataType::kBfloat16, "", "bfloat16", 2, kFloat},
    {DataType::kBool, "", "bool", 1, DataTypeKind::kBool},
    {DataType::kComplex64, "", "complex64", 8, kComplex},
    {DataType::kComplex128, "", "complex128", 16, kComplex},
    {DataType::kString, "", "string", 16, DataTypeKind::kString},
}};

const DataTypeRow& row(DataType type) { return kRows[static_cast<std::size_t>(type)]; }

std::string_view name_in(const DataTypeRow& row, Dialect dialect) {
  return dialect == Dialect::kDirectml ? row.directml_name : row.onnx_name;
}

}  // namespace

const std::array<DataType, kDataTypeCount>& all_data_types() {
  static constexpr auto types = [] {
    std::array<DataType, kDataTypeCount> result{};
    std::transform(kRows.begin(), kRows.end(), result.begin(),
                   [](const DataTypeRow& r) { return r.type; });
    return result;
  }();
  return types;
}

DataTypeKind kind(DataType type) { return row(type).kind; }
std::size_t element_size_bytes(DataType type) { return row(type).size_bytes; }
std::string_view name(DataType type, Dialect dialect) { return name_in(row(type), dialect); }

std::optional<DataType> parse_data_type(std::string_view name, Dialect dialect) {
  for (const DataTypeRow& r : kRows)
    if (!name.empty() && name_in(r, dialect) == name) return r.type;
  return std::nullopt;
}

}  // namespace opconform
