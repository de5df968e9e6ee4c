// What operators have in common that cut one tensor along an axis into parts, or make one of parts.
#pragma once

#include <string_view>
#include <vector>

#include "harness/generation/operators/common.h"

namespace opconform::generation {

/// Which of its tensors the parts are, and what the factors that exclude each other break.
struct PartModel {
  Access parts_access;
  std::string_view whole_field;
  std::string_view support_rule;
  std::string_view axis_rule;
  std::string_view other_sizes_rule;
};

/// The fields of such an operator, to be changed: the whole tensor, and its parts in the order of
/// their array.
struct MutableParts {
  TensorDesc& whole;
  std::vector<TensorDesc>& parts;
  std::uint32_t& axis;
  SupportTable table;
};

FactorModel make_part_model(const PartModel& of, SupportTable table);
void realise_parts(const Assignment& assignment, Draws& draws, const PartModel& model,
                   const MutableParts& op, Version& version, ContentPlan& contents);

TensorDesc& any_part(Draws& draws, const MutableParts& op);
/// Elements of a slice of the tensor across the axis.
std::uint64_t count_beside_axis(const TensorDesc& tensor, std::size_t axis);

/// Ways to break a rule, as of a Breaker.
namespace parts {

bool break_count(Draws& draws, const MutableParts& op, Version version);
bool break_sizes_sum(Draws& draws, const MutableParts& op, Version version);
bool break_other_sizes(Draws& draws, const MutableParts& op, Version version);
bool break_axis_range(Draws& draws, const MutableParts& op, Version version);
bool break_same_rank(Draws& draws, const MutableParts& op, Version version);
bool break_same_data_type(Draws& draws, const MutableParts& op, Version version);
bool break_support_of_types(Draws& draws, const MutableParts& op, Version version);
bool break_support_of_ranks(Draws& draws, const MutableParts& op, Version version);

}  // namespace parts

/// Makes parts longer whose slices across the axis are single elements, so that their sizes add up
/// only if 32 bits wrap. False where there is but one part.
bool wrap_sizes_sum(const MutableParts& op);

/// `fields` are those of an operator.
template <class Op>
void propose_smaller_parts(const Op& op, MutableParts (*fields)(Op&), Access parts_access,
                           std::vector<Proposal>& proposals) {
  const bool parts_are_inputs = parts_access == Access::kInput;
  const auto shared = std::make_shared<const Op>(op);
  Op copy = op;
  const auto& [whole, parts, axis, table] = fields(copy);
  const std::size_t rank = whole.rank();
  if (axis >= rank) return;
  for (const TensorDesc& part : parts)
    if (part.rank() != rank) return;
  for (std::size_t i = 0; i < rank && rank > 1; ++i) {
    if (i == axis) continue;
    Op next = op;
    const MutableParts smaller = fields(next);
    remove_dimension(i, smaller.whole);
    for (TensorDesc& part : smaller.parts) remove_dimension(i, part);
    if (i < axis) --smaller.axis;
    proposals.push_back({next, std::vector<std::size_t>(parts_are_inputs ? parts.size() : 1, i)});
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (i == axis) continue;
    const auto change = [fields, i](Op& next, std::uint64_t size) {
      const MutableParts smaller = fields(next);
      smaller.whole.sizes[i] = size;
      for (TensorDesc& part : smaller.parts) part.sizes[i] = size;
      return true;
    };
    propose_sizes(shared, whole.sizes[i], change, proposals);
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::uint64_t part = parts[k].sizes[axis];
    const auto change = [fields, k, axis = axis, part](Op& next, std::uint64_t size) {
      const MutableParts smaller = fields(next);
      // Where the parts do not add up, the whole may be smaller than one of them.
      if (smaller.whole.sizes[axis] <= part - size) return false;
      smaller.parts[k].sizes[axis] = size;
      smaller.whole.sizes[axis] -= part - size;
      return true;
    };
    propose_sizes(shared, part, change, proposals);
    if (parts.size() < 2 || whole.sizes[axis] <= part) continue;
    Op next = op;
    const MutableParts smaller = fields(next);
    smaller.parts.erase(smaller.parts.begin() + static_cast<std::ptrdiff_t>(k));
    smaller.whole.sizes[axis] -= part;
    proposals.push_back({next, {}, parts_are_inputs ? k : kNoTensor});
  }
}

}  // namespace opconform::generation
