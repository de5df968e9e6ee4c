// What the generators of all operators share: sizes, layouts, and factors that come from support
// tables.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generation/generator.h"

namespace opconform::generation {

template <std::size_t N>
std::vector<std::string> names(const std::array<std::string_view, N>& values) {
  return {values.begin(), values.end()};
}

// Levels and types, in the order of their tables.
std::vector<std::string> level_names();
std::vector<std::string> number_names(std::size_t least, std::size_t most);

inline constexpr std::array kDirectmlTypes{
    DataType::kFloat64, DataType::kFloat32, DataType::kFloat16, DataType::kInt64,
    DataType::kInt32,   DataType::kInt16,   DataType::kInt8,    DataType::kUint64,
    DataType::kUint32,  DataType::kUint16,  DataType::kUint8};
inline constexpr std::size_t kMostRank = 8;

/// Forbids what the table does not list: levels and types, or levels and ranks (value 0 is rank 1),
/// of one tensor.
void constrain_type(FactorModel& model, std::size_t level, std::size_t type,
                    std::span<const DataType> types, SupportTable table, std::string_view role,
                    std::string_view rule);
void constrain_rank(FactorModel& model, std::size_t level, std::size_t rank, SupportTable table,
                    std::string_view role, std::string_view rule);

/// The elements of that many bytes that a tensor of a tier may have.
std::uint64_t most_elements(SizeTier tier, std::size_t element_size_bytes);
/// A number of anything, for the tiers above the smallest: at a power of two, next to one, odd, or
/// the most, because that is where vectors, blocks and narrow counters end.
std::uint64_t choose_large(std::uint64_t most, Draws& draws);
/// A number between two, which are a class of numbers; where the class is open and the tier not the
/// smallest, a large one.
std::uint64_t choose_number(std::pair<std::uint64_t, std::uint64_t> bounds, bool is_open,
                            SizeTier tier, std::uint64_t most, Draws& draws);

/// How large a case may become.
struct Room {
  std::uint64_t most_elements;
  std::uint64_t longest;  ///< dimension beside the main one
  SizeTier tier;
};
/// `element_size_bytes` is that of the widest elements of the case.
Room choose_room(std::size_t rank, SizeTier tier, std::size_t element_size_bytes, Draws& draws);
/// A dimension of the class; `most` elements are permitted in a large one.
std::uint64_t choose_size(std::size_t size_class, SizeTier tier, std::uint64_t most, Draws& draws);
/// A dimension beside the main one.
std::uint64_t choose_other_size(std::uint64_t most, const Room& room, Draws& draws);

/// Sizes of that rank; the dimension `main` has `main_size`, and all together at most as many
/// elements as there is room for.
Dims choose_sizes(std::size_t rank, std::size_t main, std::uint64_t main_size, Room room,
                  Draws& draws);

/// All dimensions in any order.
Dims shuffled_dimensions(std::size_t rank, Draws& draws);

/// Adds the layout of a tensor as a factor; for an output the values that only inputs can have are
/// forbidden.
std::size_t add_layout(FactorModel& model, std::string_view name, Access access);
/// Gives the tensor strides and a total of at least what it needs.
void choose_layout(LayoutClass layout, std::size_t slack, Draws& draws, TensorDesc& tensor);

/// Bytes behind the least total: none, 4, or more.
inline constexpr std::array<std::string_view, 3> kSlackNames{"none", "4", "8-64"};

/// Strides and total anew, for sizes or a type that were changed: packed, and no more than needed.
void pack_again(TensorDesc& tensor);
/// Another type of the set than the one that is there; false where there is none.
bool choose_other_type(DataTypeSet types, Draws& draws, DataType& type);
/// A DirectML type that the set lacks; false where it has all.
bool choose_unlisted_type(DataTypeSet types, Draws& draws, DataType& type);
/// A dimension other than `axis`; false where the rank is 1.
bool choose_beside(std::size_t axis, std::size_t rank, Draws& draws, std::size_t& dimension);
/// Makes a size larger or smaller by a little, never 0, and packs the tensor again.
void change_size(std::size_t dimension, Draws& draws, TensorDesc& tensor);
/// Another rank that the row lists as well: a leading 1 more, or a size of 1 less. False where
/// there is none.
bool change_rank(RankRange ranks, Draws& draws, TensorDesc& tensor);
/// A rank just outside the range, by leading 1s or by leaving dimensions out.
void leave_rank_range(RankRange ranks, Draws& draws, Dims& sizes);
/// An axis that no tensor of that rank has.
std::uint32_t choose_bad_axis(std::size_t rank, Draws& draws);
/// The feature level just below the operator's first row, or one further down; false where there is
/// none.
bool choose_level_before(SupportTable table, Draws& draws, Version& version);

void remove_dimension(std::size_t dimension, TensorDesc& tensor);
/// Proposes smaller ones instead of this size: `change(op, size)` makes `op` one that has another,
/// or says false.
template <class Op, class Change>
void propose_sizes(const std::shared_ptr<const Op>& op, std::uint64_t size, Change change,
                   std::vector<Proposal>& proposals) {
  if (size < 2) return;
  Proposal proposal;
  proposal.size = size;
  proposal.resized = [op, change](std::uint64_t wanted) -> std::optional<Operator> {
    Op next = *op;
    if (!change(next, wanted)) return std::nullopt;
    return next;
  };
  proposals.push_back(std::move(proposal));
}

inline constexpr std::array<std::string_view, 4> kAlignmentNames{"element", "16", "32", "64"};
inline constexpr std::array<std::size_t, 4> kAlignments{1, 16, 32, 64};

}  // namespace opconform::generation
