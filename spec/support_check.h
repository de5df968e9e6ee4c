// The check behind every operator's support rule: its table, judged tensor by tensor.
#pragma once

#include "spec/fields.h"
#include "spec/support.h"

namespace opconform {

/// What a table speaks of: DirectML's of types and ranks, ONNX's of types alone.
enum class SupportScope : std::uint8_t { kTypesAndRanks, kTypes };

void judge_support(const SupportRow& row, SupportScope scope, const NamedTensor& tensor,
                   Version version, Violations& violations);
void add_not_introduced(std::string_view operator_name, SupportTable table, Version version,
                        Violations& violations);

template <class Op, SupportScope scope = SupportScope::kTypesAndRanks>
void check_support(const Op& op, Version version, Violations& violations) {
  const SupportRow* row = row_at(Op::support(), version);
  if (row == nullptr) return add_not_introduced(Op::kName, Op::support(), version, violations);
  const auto alike = [](const TensorDesc& a, const TensorDesc& b) {
    return a.data_type == b.data_type && a.rank() == b.rank();
  };
  judge_tensors(op, violations, alike, [&](const NamedTensor& tensor) {
    judge_support(*row, scope, tensor, version, violations);
  });
}

}  // namespace opconform
