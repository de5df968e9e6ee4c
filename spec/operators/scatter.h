#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "spec/erratum.h"
#include "spec/fields.h"
#include "spec/plain.h"
#include "spec/support.h"

namespace opconform {

/// DML_SCATTER: output = input; then output[p with its Axis coordinate replaced by indices[p]] =
/// updates[p], for every coordinate p of updates. Source: DML_SCATTER_OPERATOR_DESC, also named
/// DML_SCATTER_ELEMENTS_OPERATOR_DESC.
struct Scatter {
  static constexpr std::string_view kName = "DML_SCATTER";
  static constexpr std::string_view kAlias = "DML_SCATTER_ELEMENTS";
  static constexpr Dialect kDialect = Dialect::kDirectml;

  TensorDesc input;
  TensorDesc indices;  ///< sizes of input but along axis
  TensorDesc updates;  ///< sizes of indices
  TensorDesc output;   ///< sizes of input
  std::uint32_t axis = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit(TensorField{"InputTensor"}, self.input);
    visit(TensorField{"IndicesTensor", Access::kInput, Content::kIndices}, self.indices);
    visit(TensorField{"UpdatesTensor"}, self.updates);
    visit(TensorField{"OutputTensor", Access::kOutput}, self.output);
    visit(ScalarField{"Axis", ScalarRole::kAxis}, self.axis);
  }
  static std::span<const Rule<Scatter>> rules();
  static void check(const Scatter& op, Version version, Violations& violations);  ///< by rules()
  static SupportTable support();
  static std::span<const Erratum> errata();
  static Scatter plain(const PlainShape& shape);

  /// The size along the axis, which the indices count in; nothing where there is no such axis.
  [[nodiscard]] std::optional<std::uint64_t> indexed_size() const {
    return axis < output.rank() ? std::optional(output.sizes[axis]) : std::nullopt;
  }

  /// The dimension of IndicesTensor along which indices may name one element twice.
  [[nodiscard]] std::size_t index_line_dimension() const { return axis; }

  friend bool operator==(const Scatter&, const Scatter&) = default;
};

}  // namespace opconform
