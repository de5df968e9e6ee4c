// A copy, then its updates.

#include "harness/model/operators.h"

namespace opconform::model {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kUpdates = 2;

}  // namespace

void move_all(const Scatter& op, Mover& mover) {
  const std::size_t axis = mover.axis(op.axis);
  for_each_coordinate(op.output.sizes, [&](const Coordinates& at) {
    mover.put(kInput, at, 0, at);
    return true;
  });
  mover.expect_overlaps(kUpdates);
  std::uint64_t number = 0;
  Coordinates to;
  for_each_coordinate(op.indices.sizes, [&](const Coordinates& at) {
    const auto target = mover.resolve_at(at, number++, op.output.sizes[axis]);
    if (!target && mover.seams().fails_outside) return mover.fail("scatter.index-range");
    if (!target) return true;
    to = at;
    to[axis] = *target;
    mover.put(kUpdates, at, 0, to);
    return true;
  });
}

}  // namespace opconform::model
