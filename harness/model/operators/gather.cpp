// Elements taken along an axis.

#include "harness/model/operators.h"

namespace opconform::model {

void move_all(const OnnxGather& op, Mover& mover) {
  constexpr std::string_view kRule = "gather.index-range";
  const std::size_t axis = mover.axis(op.axis_from_front());
  const std::uint64_t size = op.data.sizes[axis];
  if (mover.seams().checks_indices_first) {
    std::uint64_t number = 0;
    for_each_coordinate(op.indices.sizes, [&](const Coordinates& at) {
      return mover.resolve_at(at, number++, size) || mover.fail(kRule);
    });
  }
  if (mover.has_failed()) return;
  const auto skipped = static_cast<std::ptrdiff_t>(axis);
  const auto index_rank = static_cast<std::ptrdiff_t>(op.indices.rank());
  Coordinates from;
  for_each_coordinate(op.output.sizes, [&](const Coordinates& to) {
    const auto* const begin = to.begin() + skipped;
    const Coordinates at(begin, begin + index_rank);
    const auto k = mover.resolve_at(at, element_number(at, op.indices.sizes), size);
    if (!k) return mover.fail(kRule);
    from.assign(to.begin(), begin);
    from.push_back(*k);
    for (const auto* j = begin + index_rank; j != to.end(); ++j) from.push_back(*j);
    mover.put(0, from, 0, to);
    return true;
  });
}

}  // namespace opconform::model
