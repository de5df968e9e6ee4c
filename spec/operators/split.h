#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "spec/erratum.h"
#include "spec/fields.h"
#include "spec/plain.h"
#include "spec/support.h"

namespace opconform {

/// DML_SPLIT: output i holds the input's elements whose Axis coordinate lies in the i-th run, runs
/// laid end to end in the order of the outputs. Source: DML_SPLIT_OPERATOR_DESC.
struct Split {
  static constexpr std::string_view kName = "DML_SPLIT";
  static constexpr std::string_view kAlias{};
  static constexpr Dialect kDialect = Dialect::kDirectml;

  TensorDesc input;
  std::vector<TensorDesc>
      outputs;  ///< sizes of input but along axis, where they add up to its size
  std::uint32_t axis = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit(TensorField{"InputTensor"}, self.input);
    visit(CountField{"OutputCount", {"OutputTensors"}});
    visit(TensorField{"OutputTensors", Access::kOutput}, self.outputs);
    visit(ScalarField{"Axis", ScalarRole::kAxis}, self.axis);
  }
  static std::span<const Rule<Split>> rules();
  static void check(const Split& op, Version version, Violations& violations);  ///< by rules()
  static SupportTable support();
  static std::span<const Erratum> errata();
  static Split plain(const PlainShape& shape);

  friend bool operator==(const Split&, const Split&) = default;
};

}  // namespace opconform
