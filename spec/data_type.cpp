#include "spec/data_type.h"

#include <algorithm>

namespace opconform {
namespace {

std::string_view name_in(const detail::DataTypeRow& row, Dialect dialect) {
  return dialect == Dialect::kDirectml ? row.directml_name : row.onnx_name;
}

}  // namespace

const std::array<DataType, kDataTypeCount>& all_data_types() {
  static constexpr auto types = [] {
    std::array<DataType, kDataTypeCount> result{};
    std::transform(detail::kRows.begin(), detail::kRows.end(), result.begin(),
                   [](const detail::DataTypeRow& r) { return r.type; });
    return result;
  }();
  return types;
}

std::string_view name(DataType type, Dialect dialect) {
  return name_in(detail::row(type), dialect);
}

std::optional<DataType> parse_data_type(std::string_view name, Dialect dialect) {
  for (const detail::DataTypeRow& r : detail::kRows)
    if (!name.empty() && name_in(r, dialect) == name) return r.type;
  return std::nullopt;
}

std::vector<std::string> type_names(std::span<const DataType> types, Dialect dialect) {
  std::vector<std::string> names;
  for (const DataType type : types) names.emplace_back(name(type, dialect));
  return names;
}

std::vector<DataType> DataTypeSet::types() const {
  std::vector<DataType> types;
  for (const DataType type : all_data_types())
    if (contains(type)) types.push_back(type);
  return types;
}

}  // namespace opconform
