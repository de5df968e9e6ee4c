#include "harness/generation/operators/parts.h"

#include <algorithm>
#include <cassert>

namespace opconform::generation {
namespace {

constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, kPartCountNames.size()> kPartCounts{
    {{1, 1}, {2, 2}, {3, 3}, {4, 5}, {6, 8}, {9, 20}}};

/// In a large case: each is planned by itself, and none of them may be empty.
constexpr std::uint64_t kMostParts = 2048;

}  // namespace

Parts choose_parts(const PartFactors& factors, std::size_t rank, std::size_t axis, SizeTier tier,
                   std::size_t element_size_bytes, Draws& draws) {
  const std::uint64_t count = choose_number(
      kPartCounts[factors.count], factors.count + 1 == kPartCounts.size(), tier, kMostParts, draws);
  const Room room = choose_room(rank, tier, element_size_bytes, draws);
  // The longest dimension beside the axis, then the parts along it, then what room is left for
  // others.
  const std::uint64_t beside =
      rank == 1
          ? 1
          : std::min(choose_size(factors.size_beside, tier, room.most_elements / count, draws),
                     room.most_elements / count);
  const std::uint64_t longest_part =
      factors.partition == kOnes
          ? 1
          : std::clamp<std::uint64_t>(room.most_elements / (beside * count), 1, room.longest);
  const auto part = [&] {
    return tier == SizeTier::kSmall ? draws.between(1, longest_part)
                                    : choose_large(longest_part, draws);
  };
  const std::uint64_t equal_part = part();
  Parts parts{Dims(rank, 1), {}};
  std::uint64_t axis_size = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    parts.along_axis.push_back(factors.partition == kUneven ? part() : equal_part);
    axis_size += parts.along_axis.back();
  }
  parts.sizes[axis] = axis_size;
  if (rank > 1) parts.sizes[(axis + 1 + draws.below(rank - 1)) % rank] = beside;
  assert(axis_size > 0);  // each part is at least 1 long
  std::uint64_t left = room.most_elements / 2 / (axis_size * beside);
  for (std::size_t i = 0; i < rank && left > 1; ++i) {
    if (parts.sizes[i] != 1 || i == axis) continue;
    parts.sizes[i] = choose_other_size(left, room, draws);
    left /= parts.sizes[i];
  }
  return parts;
}

}  // namespace opconform::generation
