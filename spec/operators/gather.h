#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "spec/erratum.h"
#include "spec/execution.h"
#include "spec/fields.h"
#include "spec/plain.h"
#include "spec/support.h"

namespace opconform {

/// ONNX_GATHER: output[j..., i..., l...] = data[j..., indices[i...], l...]: the dimensions of
/// indices take the place of data's axis. Source: ONNX Gather, versions 1, 11 and 13.
struct OnnxGather {
  static constexpr std::string_view kName = "ONNX_GATHER";
  static constexpr std::string_view kAlias{};
  static constexpr Dialect kDialect = Dialect::kOnnx;

  /// Opsets below this one run version 1, which leaves negative indices open
  /// (gather.negative-index-v1).
  static constexpr Version kNegativeIndicesSince = Version::opset(11);

  TensorDesc data;                   ///< rank r, at least 1
  TensorDesc indices;                ///< rank q, any; int32 or int64
  TensorDesc output;                 ///< rank q + r - 1
  std::optional<std::int64_t> axis;  ///< in [-r, r - 1]; left out it is 0

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit(TensorField{"data"}, self.data);
    visit(TensorField{"indices", Access::kInput, Content::kIndices}, self.indices);
    visit(TensorField{"output", Access::kOutput}, self.output);
    visit(ScalarField{"axis", ScalarRole::kAxis}, self.axis);
  }
  static std::span<const Rule<OnnxGather>> rules();
  static void check(const OnnxGather& op, Version version, Violations& violations);  ///< by rules()
  static SupportTable support();
  static std::span<const Erratum> errata();
  static OnnxGather plain(const PlainShape& shape);

  /// The axis counted from the front, for a valid operator (gather.axis-default,
  /// gather.axis-negative).
  [[nodiscard]] std::size_t axis_from_front() const {
    const std::int64_t given = axis.value_or(0);
    return static_cast<std::size_t>(given < 0 ? given + static_cast<std::int64_t>(data.rank())
                                              : given);
  }

  /// The size along the axis, which the indices count in; nothing where there is no such axis.
  [[nodiscard]] std::optional<std::uint64_t> indexed_size() const {
    const std::size_t i = axis_from_front();
    return i < data.rank() ? std::optional(data.sizes[i]) : std::nullopt;
  }

  /// gather.index-range: what an execution says of an element of indices, by its number in
  /// row-major order, that means no place on an axis of that size.
  static ExecutionError index_error(const Dims& index_sizes, std::uint64_t element,
                                    std::int64_t index, std::uint64_t axis_size,
                                    bool negative_counts_from_end);

  friend bool operator==(const OnnxGather&, const OnnxGather&) = default;
};

}  // namespace opconform
