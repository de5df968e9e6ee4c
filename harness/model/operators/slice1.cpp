// Windows.

#include "harness/model/operators.h"

namespace opconform::model {
namespace {

/// The first element in dimension `i`.
std::uint64_t window_start(const Slice1& op, std::size_t i) {
  const std::uint64_t to_last = op.window_strides[i] < 0 ? op.window_sizes[i] - 1 : 0;
  return op.window_offsets[i] + to_last;
}

}  // namespace

void move_all(const Slice1& op, Mover& mover) {
  for_each_coordinate(op.output.sizes, [&](const Coordinates& at) {
    Move move{0, at, 0, at};
    for (std::size_t i = 0; i < at.size(); ++i)
      move.from[i] =
          mover.window_start(i, window_start(op, i)) +
          at[i] * static_cast<std::uint64_t>(mover.window_stride(i, op.window_strides[i]));
    mover.put(std::move(move));
    return true;
  });
}

}  // namespace opconform::model
