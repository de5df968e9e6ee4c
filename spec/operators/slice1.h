#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "spec/erratum.h"
#include "spec/fields.h"
#include "spec/plain.h"
#include "spec/support.h"

namespace opconform {

/// DML_SLICE1: output[c] = input[start + c * stride], where start[i] is the window's first element,
/// or its last where stride[i] is negative. Source: DML_SLICE1_OPERATOR_DESC, description and
/// examples.
struct Slice1 {
  static constexpr std::string_view kName = "DML_SLICE1";
  static constexpr std::string_view kAlias{};
  static constexpr Dialect kDialect = Dialect::kDirectml;

  TensorDesc input;
  TensorDesc output;
  UintArray window_offsets;  ///< elements, one a dimension
  UintArray window_sizes;    ///< elements, at least 1
  IntArray window_strides;   ///< elements, never 0; INT_MIN is a stride like others

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit(TensorField{"InputTensor"}, self.input);
    visit(TensorField{"OutputTensor", Access::kOutput}, self.output);
    visit(CountField{"DimensionCount",
                     {"InputWindowOffsets", "InputWindowSizes", "InputWindowStrides"}});
    visit(ArrayField{"InputWindowOffsets", ArrayRole::kOffset}, self.window_offsets);
    visit(ArrayField{"InputWindowSizes", ArrayRole::kWindow}, self.window_sizes);
    visit(ArrayField{"InputWindowStrides", ArrayRole::kStride}, self.window_strides);
  }
  static std::span<const Rule<Slice1>> rules();
  static void check(const Slice1& op, Version version, Violations& violations);  ///< by rules()
  static SupportTable support();
  static std::span<const Erratum> errata();
  static Slice1 plain(const PlainShape& shape);

  friend bool operator==(const Slice1&, const Slice1&) = default;
};

}  // namespace opconform
