#include "harness/generation/operators/common.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

namespace opconform::generation {

std::vector<std::string> level_names() {
  std::vector<std::string> result;
  result.reserve(std::size(kFeatureLevels));
  for (const FeatureLevel level : kFeatureLevels) result.push_back(Version(level).text());
  return result;
}

std::vector<std::string> number_names(std::size_t least, std::size_t most) {
  std::vector<std::string> result;
  for (std::size_t number = least; number <= most; ++number)
    result.push_back(std::to_string(number));
  return result;
}

void constrain_type(FactorModel& model, std::size_t level, std::size_t type,
                    std::span<const DataType> types, SupportTable table, std::string_view role,
                    std::string_view rule) {
  model.constrain(level, type, rule, [&](std::size_t l, std::size_t t) {
    const SupportRow* row = row_at(table, kFeatureLevels[l]);
    return row != nullptr && find_role(*row, role)->data_types.contains(types[t]);
  });
}

void constrain_rank(FactorModel& model, std::size_t level, std::size_t rank, SupportTable table,
                    std::string_view role, std::string_view rule) {
  model.constrain(level, rank, rule, [&](std::size_t l, std::size_t r) {
    const SupportRow* row = row_at(table, kFeatureLevels[l]);
    return row != nullptr && find_role(*row, role)->ranks.contains(r + 1);
  });
}

std::uint64_t most_elements(SizeTier tier, std::size_t element_size_bytes) {
  return kMostBytesOfTier[static_cast<std::size_t>(tier)] / element_size_bytes;
}

std::uint64_t choose_large(std::uint64_t most, Draws& draws) {
  if (most <= 1) return 1;
  // The larger of two: most cases are to come near the bound of their tier.
  const auto widths = static_cast<std::uint64_t>(std::bit_width(most));
  const std::uint64_t power = std::uint64_t{1}
                              << std::max(draws.below(widths), draws.below(widths));
  std::uint64_t number = most;
  switch (draws.below(5)) {
    case 0:
      number = power - 1;
      break;
    case 1:
      number = power;
      break;
    case 2:
      number = power + 1;
      break;
    case 3:
      number = draws.between(power, 2 * power - 1) | 1;
      break;
    default:
      break;
  }
  return std::clamp<std::uint64_t>(number, 1, most);
}

std::uint64_t choose_number(std::pair<std::uint64_t, std::uint64_t> bounds, bool is_open,
                            SizeTier tier, std::uint64_t most, Draws& draws) {
  if (tier != SizeTier::kSmall && is_open) return std::max(bounds.first, choose_large(most, draws));
  return draws.between(bounds.first, bounds.second);
}

std::uint64_t choose_size(std::size_t size_class, SizeTier tier, std::uint64_t most, Draws& draws) {
  const auto bounds = kSizeClasses[size_class];
  if (bounds.first == bounds.second) return bounds.first;
  return choose_number(bounds, size_class + 1 == kSizeClasses.size(), tier, most, draws);
}

Room choose_room(std::size_t rank, SizeTier tier, std::size_t element_size_bytes, Draws& draws) {
  constexpr std::uint64_t kLongest = 64;
  if (tier != SizeTier::kSmall) {
    const std::uint64_t most = most_elements(tier, element_size_bytes);
    return {most, most, tier};
  }
  if (draws.one_in(kOneInIsLarge)) return {kMostElementsOfLarge, kLongest, tier};
  return {kMostGeneratedElements, rank <= 3 ? 9U : 4U, tier};
}

std::uint64_t choose_other_size(std::uint64_t most, const Room& room, Draws& draws) {
  if (room.tier != SizeTier::kSmall) return choose_large(most, draws);
  return draws.between(1, std::min(most, room.longest));
}

Dims choose_sizes(std::size_t rank, std::size_t main, std::uint64_t main_size, Room room,
                  Draws& draws) {
  Dims sizes(rank, 1);
  sizes[main] = main_size;
  std::uint64_t left = room.most_elements / std::max<std::uint64_t>(main_size, 1);
  // From a place that varies, so that no dimension is always the one that found no room.
  const std::size_t first = draws.below(rank);
  for (std::size_t i = 0; i < rank && left > 1; ++i) {
    const std::size_t dimension = (first + i) % rank;
    if (dimension == main) continue;
    sizes[dimension] = choose_other_size(left, room, draws);
    left /= sizes[dimension];
  }
  return sizes;
}

Dims shuffled_dimensions(std::size_t rank, Draws& draws) {
  Dims order;
  for (std::size_t i = 0; i < rank; ++i) order.push_back(i);
  for (std::size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
  return order;
}

std::size_t add_layout(FactorModel& model, std::string_view name, Access access) {
  const std::size_t factor = model.add(name, names(kLayoutNames));
  if (access == Access::kOutput)
    for (const LayoutClass input_only : kInputOnlyLayouts)
      model.forbid(factor, static_cast<std::size_t>(input_only), "tensor.output-no-overlap");
  return factor;
}

namespace {

/// Packed strides in another order: order[0] is the outermost dimension.
Dims strides_in_order(const Dims& sizes, const Dims& order) {
  Dims strides(sizes.size());
  std::uint64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0; stride *= sizes[order[i]]) strides[order[i]] = stride;
  return strides;
}

Dims padded_strides(const Dims& sizes, Draws& draws) {
  Dims strides(sizes.size());
  std::uint64_t stride = draws.one_in(2) ? draws.between(2, 3) : 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    // A pad here and there: one at every dimension would make the gaps larger than the tensor.
    stride = stride * sizes[i] + (draws.one_in(3) ? draws.between(1, 3) : 0);
  }
  return strides;
}

/// Of nested strides, some that do not nest: the steps of a short dimension lie between those of
/// the outermost. Modulo the outermost stride all elements stay where they were, so none of them
/// meet.
void interleave(const Dims& sizes, Draws& draws, Dims& strides) {
  constexpr std::uint64_t kShort = 3;  // a longer one would make the gaps larger than the tensor
  std::size_t outermost = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (sizes[i] > 1 && (sizes[outermost] == 1 || strides[i] > strides[outermost])) outermost = i;
  Dims inner;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (i != outermost && sizes[i] > 1 && sizes[i] <= kShort) inner.push_back(i);
  if (!inner.empty()) strides[inner[draws.below(inner.size())]] += strides[outermost];
}

void make_absurd(const Dims& sizes, Draws& draws, Dims& strides) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 1) strides[i] = draws.one_in(3) ? kMost : draws.below(kMost);
}

/// A stride of 0 along at least one dimension that repeats, packed along the others.
Dims broadcast_strides(const Dims& sizes, Draws& draws) {
  Dims distinct = sizes;
  bool any = false;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] > 1 && draws.one_in(3)) {
      distinct[i] = 1;
      any = true;
    }
  for (std::size_t i = 0; i < sizes.size() && !any; ++i)
    if (sizes[i] > 1) {
      distinct[i] = 1;
      any = true;
    }
  Dims strides = packed_strides(distinct);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (distinct[i] != sizes[i]) strides[i] = 0;
  return strides;
}

}  // namespace

void choose_layout(LayoutClass layout, std::size_t slack, Draws& draws, TensorDesc& tensor) {
  switch (layout) {
    case LayoutClass::kPacked:
      tensor.strides.reset();
      break;
    case LayoutClass::kExplicit:
      tensor.strides = packed_strides(tensor.sizes);
      break;
    case LayoutClass::kPermuted:
      tensor.strides = strides_in_order(tensor.sizes, shuffled_dimensions(tensor.rank(), draws));
      break;
    case LayoutClass::kPadded:
      tensor.strides = padded_strides(tensor.sizes, draws);
      if (draws.one_in(4)) interleave(tensor.sizes, draws, *tensor.strides);
      break;
    case LayoutClass::kAbsurd:
      tensor.strides = packed_strides(tensor.sizes);
      make_absurd(tensor.sizes, draws, *tensor.strides);
      break;
    case LayoutClass::kBroadcast:
      tensor.strides = broadcast_strides(tensor.sizes, draws);
      break;
    case LayoutClass::kOverlapping: {
      Dims strides = packed_strides(tensor.sizes);
      for (std::uint64_t& stride : strides) stride = draws.between(1, stride);
      tensor.strides = strides;
      break;
    }
  }
  tensor.total_tensor_size_bytes = *buffer_tensor_size(tensor);
  if (slack == 1) tensor.total_tensor_size_bytes += 4;
  if (slack == 2) tensor.total_tensor_size_bytes += 4 * draws.between(2, 16);
}

void pack_again(TensorDesc& tensor) {
  tensor.strides.reset();
  tensor.total_tensor_size_bytes = buffer_tensor_size(tensor).value_or(0);
}

namespace {

bool choose_type(DataTypeSet wanted, bool listed, Draws& draws, DataType& type) {
  InlineVector<DataType, kDataTypeCount> others;
  for (const DataType other : kDirectmlTypes)
    if (wanted.contains(other) == listed && other != type) others.push_back(other);
  if (others.empty()) return false;
  type = others[draws.below(others.size())];
  return true;
}

}  // namespace

bool choose_other_type(DataTypeSet types, Draws& draws, DataType& type) {
  return choose_type(types, true, draws, type);
}
bool choose_unlisted_type(DataTypeSet types, Draws& draws, DataType& type) {
  return choose_type(types, false, draws, type);
}

bool choose_beside(std::size_t axis, std::size_t rank, Draws& draws, std::size_t& dimension) {
  if (rank < 2) return false;
  dimension = (axis + 1 + draws.below(rank - 1)) % rank;
  return true;
}

void change_size(std::size_t dimension, Draws& draws, TensorDesc& tensor) {
  std::uint64_t& size = tensor.sizes[dimension];
  const std::uint64_t step = draws.between(1, 3);
  if (size > step && draws.one_in(2))
    size -= step;
  else
    size += step;
  pack_again(tensor);
}

bool change_rank(RankRange ranks, Draws& draws, TensorDesc& tensor) {
  const bool can_grow = ranks.contains(tensor.rank() + 1);
  const bool can_shrink = ranks.contains(tensor.rank() - 1);
  if (can_grow && (draws.one_in(2) || !can_shrink)) {
    tensor.sizes.insert(0, 1);
  } else if (can_shrink) {
    tensor.sizes.pop_back();
  } else {
    return false;
  }
  pack_again(tensor);
  return true;
}

void leave_rank_range(RankRange ranks, Draws& draws, Dims& sizes) {
  const bool above = ranks.least == 0 || draws.one_in(2);
  const std::size_t rank = above ? ranks.most + draws.between(1, 2) : ranks.least - std::size_t{1};
  while (sizes.size() < rank) sizes.insert(0, 1);
  while (sizes.size() > rank) sizes.erase(0);
}

std::uint32_t choose_bad_axis(std::size_t rank, Draws& draws) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t beyond = draws.one_in(2) ? rank : draws.between(rank, kMost);
  return draws.one_in(4) ? kMost : static_cast<std::uint32_t>(beyond);
}

bool choose_level_before(SupportTable table, Draws& draws, Version& version) {
  InlineVector<std::size_t, kFeatureLevels.size()> before;
  for (std::size_t i = 0; i < kFeatureLevels.size(); ++i)
    if (row_at(table, kFeatureLevels[i]) == nullptr) before.push_back(i);
  if (before.empty()) return false;
  version = kFeatureLevels[before[draws.below(before.size())]];
  return true;
}

void remove_dimension(std::size_t dimension, TensorDesc& tensor) {
  tensor.sizes.erase(dimension);
  // Of a descriptor that breaks tensor.stride-count there may be fewer.
  if (tensor.strides && dimension < tensor.strides->size()) tensor.strides->erase(dimension);
}

}  // namespace opconform::generation
