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

/// DML_JOIN: the output holds the inputs end to end along the axis, in the order of the array.
/// Source: DML_JOIN_OPERATOR_DESC.
struct DmlJoin {
  static constexpr std::string_view kName = "DML_JOIN";
  static constexpr std::string_view kAlias{};
  static constexpr Dialect kDialect = Dialect::kDirectml;

  std::vector<TensorDesc>
      inputs;  ///< sizes of output but along axis, where they add up to its size
  TensorDesc output;
  std::uint32_t axis = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit(CountField{"InputCount", {"InputTensors"}});
    visit(TensorField{"InputTensors"}, self.inputs);
    visit(TensorField{"OutputTensor", Access::kOutput}, self.output);
    visit(ScalarField{"Axis", ScalarRole::kAxis}, self.axis);
  }
  static std::span<const Rule<DmlJoin>> rules();
  static void check(const DmlJoin& op, Version version, Violations& violations);  ///< by rules()
  static SupportTable support();
  static std::span<const Erratum> errata();
  static DmlJoin plain(const PlainShape& shape);

  friend bool operator==(const DmlJoin&, const DmlJoin&) = default;
};

}  // namespace opconform
