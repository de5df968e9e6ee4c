// Parts become a tensor.

#include "harness/model/operators.h"

namespace opconform::model {
namespace {

/// The coordinate along the axis with which input `k` begins in the output.
std::uint64_t run_start(const DmlJoin& op, std::size_t k) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < k; ++i) start += op.inputs[i].sizes[op.axis];
  return start;
}

}  // namespace

void move_all(const DmlJoin& op, Mover& mover) {
  const std::size_t axis = mover.axis(op.axis);
  for (std::size_t k = 0; k < op.inputs.size(); ++k) {
    const std::uint64_t start = mover.run_start(k, run_start(op, k));
    Coordinates to;
    for_each_coordinate(op.inputs[k].sizes, [&](const Coordinates& at) {
      to = at;
      to[axis] += start;
      mover.put(k, at, 0, to);
      return true;
    });
  }
}

}  // namespace opconform::model
