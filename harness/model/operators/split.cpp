// Parts of a tensor.

#include "harness/model/operators.h"

namespace opconform::model {
namespace {

/// The coordinate along the axis with which output `k` begins.
std::uint64_t run_start(const Split& op, std::size_t k) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < k; ++i) start += op.outputs[i].sizes[op.axis];
  return start;
}

}  // namespace

void move_all(const Split& op, Mover& mover) {
  const std::size_t axis = mover.axis(op.axis);
  for (std::size_t k = 0; k < op.outputs.size(); ++k) {
    const std::uint64_t start = mover.run_start(k, run_start(op, k));
    Coordinates from;
    for_each_coordinate(op.outputs[k].sizes, [&](const Coordinates& at) {
      from = at;
      from[axis] += start;
      mover.put(0, from, k, at);
      return true;
    });
  }
}

}  // namespace opconform::model
