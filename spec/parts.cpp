#include "spec/parts.h"

#include <algorithm>

namespace opconform {
namespace {

bool ranks_agree(const PartFields& op) {
  return std::all_of(op.parts.begin(), op.parts.end(),
                     [&](const TensorDesc& part) { return part.rank() == op.whole.rank(); });
}
bool axis_in_range(const PartFields& op) { return op.axis < op.whole.rank(); }

}  // namespace

void check_part_count(const PartFields& op, Version /*version*/, Violations& violations) {
  if (op.parts.empty())
    violations.add(printed(op.count_name), op.count_name, " is 0, but must be at least 1");
}

void check_sizes_sum(const PartFields& op, Version /*version*/, Violations& violations) {
  if (op.parts.empty() || !ranks_agree(op) || !axis_in_range(op)) return;
  const std::uint64_t whole_size = op.whole.sizes[op.axis];
  bool any_empty = whole_size == 0;
  std::uint64_t sum = 0;  // sizes are UINTs: 64 bits cannot wrap
  for (const TensorDesc& part : op.parts) {
    sum += part.sizes[op.axis];
    any_empty |= part.sizes[op.axis] == 0;
  }
  // A size of 0 is tensor.sizes-positive's business.
  if (any_empty || sum == whole_size) return;
  violations.add(printed(op.parts_name), "the sizes of ", op.parts_name, " along Axis ", op.axis,
                 " add up to ", sum, ", but ", op.whole_name, ".Sizes[", op.axis, "] is ",
                 whole_size);
}

void check_other_sizes(const PartFields& op, Version /*version*/, Violations& violations) {
  if (!ranks_agree(op) || !axis_in_range(op)) return;
  for (std::size_t k = 0; k < op.parts.size(); ++k) {
    const Dims& sizes = op.parts[k].sizes;
    // Most parts are alike: then the one before speaks for this one.
    if (k > 0 && violations.empty() && sizes == op.parts[k - 1].sizes) continue;
    for (std::size_t i = 0; i < op.whole.rank(); ++i) {
      const std::uint64_t size = sizes[i];
      const std::uint64_t whole_size = op.whole.sizes[i];
      if (i == op.axis || size == whole_size || size == 0 || whole_size == 0) continue;
      const FieldPath path{op.parts_name, k};
      violations.add(printed(path, ".Sizes[", i, "]"), path, ".Sizes[", i, "] is ", size, ", but ",
                     op.whole_name, ".Sizes[", i, "] is ", whole_size);
    }
  }
}

void check_axis_range(const PartFields& op, Version /*version*/, Violations& violations) {
  if (!ranks_agree(op) || op.whole.rank() == 0 || axis_in_range(op)) return;
  violations.add("Axis", "Axis is ", op.axis, ", but ", op.whole_name, " has rank ",
                 op.whole.rank());
}

void check_same_rank(const PartFields& op, Version /*version*/, Violations& violations) {
  for (std::size_t k = 0; k < op.parts.size(); ++k) {
    if (op.parts[k].rank() == op.whole.rank()) continue;
    const FieldPath path{op.parts_name, k};
    violations.add(printed(path, ".Sizes"), path, " has rank ", op.parts[k].rank(), ", but ",
                   op.whole_name, " has rank ", op.whole.rank());
  }
}

void check_same_data_type(const PartFields& op, Version version, Violations& violations) {
  for (std::size_t k = 0; k < op.parts.size(); ++k) {
    if (op.parts[k].data_type == op.whole.data_type) continue;
    const FieldPath path{op.parts_name, k};
    violations.add(printed(path, ".DataType"), path, ".DataType is ",
                   name(op.parts[k].data_type, version.dialect()), ", but ", op.whole_name,
                   ".DataType is ", name(op.whole.data_type, version.dialect()));
  }
}

}  // namespace opconform
