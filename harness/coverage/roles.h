// What an operator's fields hold, asked for by the role that they have to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/generation/classes.h"
#include "spec/operator.h"

namespace opconform::coverage {

/// The axis of an operator that has one.
struct Axis {
  generation::AxisForm form;
  std::int64_t given;  ///< 0 where it is left out

  /// Counted from the front of that many dimensions.
  [[nodiscard]] std::int64_t from_front(std::size_t rank) const {
    return given < 0 ? given + static_cast<std::int64_t>(rank) : given;
  }
};
[[nodiscard]] std::optional<Axis> axis_of(const Operator& op);

/// A field with a number for each dimension.
template <class Numbers>
struct NumbersField {
  std::string_view name{};
  const Numbers* numbers = nullptr;
};

/// The windows of an operator that has signed strides. Refers into the operator.
struct Windows {
  NumbersField<UintArray> offsets{};
  NumbersField<UintArray> sizes{};
  InlineVector<NumbersField<IntArray>, 4> strides{};
};
[[nodiscard]] Windows windows_of(const Operator& op);

/// The dimension in which two indices may differ and yet name one element; nothing where the
/// operator has no such dimension.
[[nodiscard]] std::optional<std::size_t> line_dimension(const Operator& op);

/// Null where the operator has none, which no valid one lacks.
[[nodiscard]] const TensorDesc* first_tensor(const Operator& op);
[[nodiscard]] const TensorDesc* first_output(const Operator& op);

}  // namespace opconform::coverage
