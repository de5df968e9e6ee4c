// What the model asks of an operator's fields and of its support table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "spec/operator.h"

namespace opconform::coverage {

/// The fields of an operator, as far as they have groups, and what its rules ask of it.
struct Fields {
  std::vector<TensorField> tensors;
  std::vector<bool> are_arrays;  ///< of these
  bool has_axis = false;
  bool may_leave_axis_out = false;
  std::vector<std::string_view> strides;
  std::vector<std::string_view> asking_rules;  ///< by place; empty where a rule asks for nothing
};

template <class Op>
Fields fields_of() {
  Fields fields;
  const Op op{};
  Op::visit_fields(op, [&](const auto& field, const auto&... value) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, TensorField>) {
      fields.tensors.push_back(field);
      fields.are_arrays.push_back(
          !(std::is_same_v<std::decay_t<decltype(value)>, TensorDesc> && ...));
    } else if constexpr (std::is_same_v<Field, ScalarField>) {
      if (field.role != ScalarRole::kAxis) return;
      fields.has_axis = true;
      fields.may_leave_axis_out =
          (std::is_same_v<std::decay_t<decltype(value)>, std::optional<std::int64_t>> || ...);
    } else if constexpr (std::is_same_v<Field, ArrayField>) {
      const bool is_signed = (std::is_same_v<std::decay_t<decltype(value)>, IntArray> || ...);
      if (field.role == ArrayRole::kStride && is_signed) fields.strides.push_back(field.name);
    }
  });
  for (const Rule<Op>& rule : Op::rules())
    fields.asking_rules.push_back(rule.shows == nullptr ? std::string_view() : rule.text.name);
  return fields;
}

/// That any version lists for the tensors of that role.
inline std::vector<DataType> types_of(SupportTable table, std::string_view role) {
  std::vector<DataType> types;
  for (const DataType type : all_data_types())
    if (std::any_of(table.begin(), table.end(), [&](const SupportRow& row) {
          return find_role(row, role)->data_types.contains(type);
        }))
      types.push_back(type);
  return types;
}

/// Over all versions.
inline RankRange ranks_of(SupportTable table, std::string_view role) {
  RankRange ranks = find_role(table.front(), role)->ranks;
  for (const SupportRow& row : table) {
    ranks.least = std::min(ranks.least, find_role(row, role)->ranks.least);
    ranks.most = std::max(ranks.most, find_role(row, role)->ranks.most);
  }
  return ranks;
}

}  // namespace opconform::coverage
