// The rules that operators have in common which cut one tensor along an axis into parts, or make
// one of parts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spec/rule.h"
#include "spec/tensor.h"

namespace opconform {

/// The fields of such an operator: the whole tensor, and its parts in the order of their array.
struct PartFields {
  std::string_view whole_name;
  const TensorDesc& whole;
  std::string_view parts_name;
  const std::vector<TensorDesc>& parts;
  std::string_view count_name;
  std::uint32_t axis;
};

void check_part_count(const PartFields& op, Version version, Violations& violations);
void check_sizes_sum(const PartFields& op, Version version, Violations& violations);
void check_other_sizes(const PartFields& op, Version version, Violations& violations);
void check_axis_range(const PartFields& op, Version version, Violations& violations);
void check_same_rank(const PartFields& op, Version version, Violations& violations);
void check_same_data_type(const PartFields& op, Version version, Violations& violations);

}  // namespace opconform
