// Support tables: which data types and ranks each tensor of an operator may have, from which
// version on.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "spec/data_type.h"
#include "spec/version.h"

namespace opconform {

struct RankRange {
  std::uint8_t least;
  std::uint8_t most;
  [[nodiscard]] constexpr bool contains(std::size_t rank) const {
    return least <= rank && rank <= most;
  }
};

struct TensorSupport {
  std::string_view role;  ///< the tensor's field name; arrays of tensors have one row
  RankRange ranks;
  DataTypeSet data_types;
  /// The rule that rejects fewer dimensions, where that is no business of the operator's support
  /// rule (ONNX); empty where none does.
  std::string_view least_rank_rule{};
};

/// One row: holds from `since` until the next row's.
struct SupportRow {
  Version since;
  std::span<const TensorSupport> tensors;
};

/// An operator's rows, in ascending order of `since`.
using SupportTable = std::span<const SupportRow>;

/// The row in force; null where the operator does not exist yet.
[[nodiscard]] const SupportRow* row_at(SupportTable table, Version version);
/// Null where the row has no such tensor.
[[nodiscard]] const TensorSupport* find_role(const SupportRow& row, std::string_view role);

// The sets of data types that the DirectML tables are made of.
inline constexpr DataTypeSet kFloat32And16{DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kUpTo32Bits{DataType::kFloat32, DataType::kFloat16, DataType::kInt32,
                                         DataType::kInt16,   DataType::kInt8,    DataType::kUint32,
                                         DataType::kUint16,  DataType::kUint8};
inline constexpr DataTypeSet kAllDirectml =
    kUpTo32Bits.with(DataType::kFloat64).with(DataType::kInt64).with(DataType::kUint64);

}  // namespace opconform
