// The data types of the documents: DirectML's eleven, ONNX's sixteen. Where both name one type
// (FLOAT32 and float), it is one type here, with two names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opconform {

/// Whose words a descriptor is written in: they differ in names, in strides and in what a size may
/// be.
enum class Dialect : std::uint8_t { kDirectml, kOnnx };

enum class DataType : std::uint8_t {
  kFloat64,
  kFloat32,
  kFloat16,
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kUint64,
  kUint32,
  kUint16,
  kUint8,
  kBfloat16,
  kBool,
  kComplex64,
  kComplex128,
  kString,
};
inline constexpr std::size_t kDataTypeCount = 16;

/// Every data type, in the order of the enumeration.
const std::array<DataType, kDataTypeCount>& all_data_types();

enum class DataTypeKind : std::uint8_t { kFloat, kSigned, kUnsigned, kBool, kComplex, kString };

namespace detail {

struct DataTypeRow {
  DataType type;
  std::string_view directml_name;
  std::string_view onnx_name;
  std::size_t size_bytes;
  DataTypeKind kind;
};

// DirectML: DML_TENSOR_DATA_TYPE. ONNX: the type constraints of its operators.
inline constexpr std::array<DataTypeRow, kDataTypeCount> kRows{{
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
}};

inline const DataTypeRow& row(DataType type) { return kRows[static_cast<std::size_t>(type)]; }

}  // namespace detail

[[nodiscard]] inline DataTypeKind kind(DataType type) { return detail::row(type).kind; }
/// Bytes of one element: 1, 2, 4, 8 or 16. A string counts as its 16-byte view (StringElement).
[[nodiscard]] inline std::size_t element_size_bytes(DataType type) {
  return detail::row(type).size_bytes;
}
/// The name that the dialect's documents use ("FLOAT32", "float"); empty where that dialect lacks
/// the type.
[[nodiscard]] std::string_view name(DataType type, Dialect dialect);
[[nodiscard]] std::optional<DataType> parse_data_type(std::string_view name, Dialect dialect);
[[nodiscard]] std::vector<std::string> type_names(std::span<const DataType> types, Dialect dialect);

/// A set of data types, for support tables.
class DataTypeSet {
 public:
  constexpr DataTypeSet() = default;
  constexpr DataTypeSet(std::initializer_list<DataType> types) {
    for (const DataType type : types) bits_ |= bit(type);
  }
  [[nodiscard]] constexpr bool contains(DataType type) const { return (bits_ & bit(type)) != 0; }
  [[nodiscard]] constexpr DataTypeSet with(DataType type) const {
    DataTypeSet result = *this;
    result.bits_ |= bit(type);
    return result;
  }
  /// Those in the set, in the order of all_data_types().
  [[nodiscard]] std::vector<DataType> types() const;
  friend constexpr bool operator==(DataTypeSet, DataTypeSet) = default;

 private:
  static constexpr std::uint32_t bit(DataType type) {
    return std::uint32_t{1} << static_cast<unsigned>(type);
  }
  std::uint32_t bits_ = 0;
};

/// One element of a tensor of strings: a view of bytes that outlive the execution. Elements move as
/// views.
struct StringElement {
  const char* bytes;
  std::uint64_t size_bytes;
};
static_assert(sizeof(StringElement) == 16);

}  // namespace opconform
