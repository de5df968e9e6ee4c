#include "harness/coverage/roles.h"

namespace opconform::coverage {

std::optional<Axis> axis_of(const Operator& op) {
  std::optional<Axis> axis;
  const auto visit = [&](const auto& field, const auto&... value) {
    if constexpr (std::is_same_v<decltype(field), const ScalarField&>) {
      if (field.role != ScalarRole::kAxis) return;
      const auto take = [&](const auto& number) {
        if constexpr (requires { number.has_value(); })
          axis = Axis{!number       ? generation::AxisForm::kLeftOut
                      : *number < 0 ? generation::AxisForm::kFromBack
                                    : generation::AxisForm::kFromFront,
                      number.value_or(0)};
        else
          axis = Axis{generation::AxisForm::kFromFront, static_cast<std::int64_t>(number)};
      };
      (take(value), ...);
    }
  };
  std::visit([&](const auto& o) { o.visit_fields(o, visit); }, op);
  return axis;
}

Windows windows_of(const Operator& op) {
  Windows windows;
  const auto visit = [&](const auto& field, const auto&... value) {
    if constexpr (std::is_same_v<decltype(field), const ArrayField&>) {
      const auto take = [&](const auto& numbers) {
        if constexpr (std::is_same_v<decltype(numbers), const IntArray&>) {
          if (field.role == ArrayRole::kStride) windows.strides.push_back({field.name, &numbers});
        } else {
          if (field.role == ArrayRole::kOffset) windows.offsets = {field.name, &numbers};
          if (field.role == ArrayRole::kWindow) windows.sizes = {field.name, &numbers};
        }
      };
      (take(value), ...);
    }
  };
  std::visit([&](const auto& o) { o.visit_fields(o, visit); }, op);
  return windows;
}

std::optional<std::size_t> line_dimension(const Operator& op) {
  return std::visit(
      []<class Op>(const Op& o) -> std::optional<std::size_t> {
        if constexpr (requires { o.index_line_dimension(); }) {
          return o.index_line_dimension();
        } else {
          return std::nullopt;
        }
      },
      op);
}

const TensorDesc* first_tensor(const Operator& op) {
  const TensorDesc* first = nullptr;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (first == nullptr) first = &tensor.desc;
  });
  return first;
}

const TensorDesc* first_output(const Operator& op) {
  const TensorDesc* first = nullptr;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (first == nullptr && tensor.field.access == Access::kOutput) first = &tensor.desc;
  });
  return first;
}

}  // namespace opconform::coverage
