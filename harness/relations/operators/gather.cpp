// How a gather goes along when dimensions change: its tensors have not the same ones.

#include "harness/generation/operators/common.h"
#include "harness/relations/operator_relations.h"

namespace opconform::relations {

std::span<const Relation> relations(std::type_identity<OnnxGather> /*op*/) { return {}; }

bool lead_with_one(generation::Draws& draws, OnnxGather& op) {
  if (draws.one_in(2)) {
    op.output.sizes.insert(op.axis_from_front(), 1);
    op.indices.sizes.insert(0, 1);
  } else {
    op.output.sizes.insert(0, 1);
    op.data.sizes.insert(0, 1);
    if (op.axis.value_or(0) >= 0) op.axis = op.axis.value_or(0) + 1;
  }
  return true;
}
Permutation permute(generation::Draws& draws, OnnxGather& op) {
  const std::size_t axis = op.axis_from_front();
  const Dims order = generation::shuffled_dimensions(op.data.rank(), draws);
  const Dims index_order = generation::shuffled_dimensions(op.indices.rank(), draws);
  Dims output_order;
  for (const std::uint64_t dimension : order) {
    if (dimension < axis) output_order.push_back(dimension);
    if (dimension > axis) output_order.push_back(dimension + op.indices.rank() - 1);
    if (dimension != axis) continue;
    for (const std::uint64_t i : index_order) output_order.push_back(axis + i);
  }
  op.axis = static_cast<std::int64_t>(inverse(order)[axis]);
  if (draws.one_in(2)) *op.axis -= static_cast<std::int64_t>(op.data.rank());
  op.data.sizes = permuted(op.data.sizes, order);
  op.indices.sizes = permuted(op.indices.sizes, index_order);
  op.output.sizes = permuted(op.output.sizes, output_order);
  return {{order, index_order}, output_order};
}
std::vector<bool> open_elements(const OnnxGather& /*op*/, std::span<const Values> /*inputs*/) {
  return {};
}

}  // namespace opconform::relations
