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
  const std::size_t rank = op.output.rank();
  Coordinates start;
  Coordinates stride;
  for (std::size_t i = 0; i < rank; ++i) {
    start.push_back(mover.window_start(i, window_start(op, i)));
    stride.push_back(static_cast<std::uint64_t>(mover.window_stride(i, op.window_strides[i])));
  }
  Coordinates from(rank);
  for_each_coordinate(op.output.sizes, [&](const Coordinates& at) {
    for (std::size_t i = 0; i < rank; ++i) from[i] = start[i] + at[i] * stride[i];
    mover.put(0, from, 0, at);
    return true;
  });
}

}  // namespace opconform::model
