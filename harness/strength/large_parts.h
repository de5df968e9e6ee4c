// Large cases of operators that cut one tensor along an axis into parts, or make one of parts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/strength/boundary_cases.h"

namespace opconform::strength {

/// Such an operator. A sentence has names in braces for what differs: {count}, {extent}, {axis}.
struct PartTexts {
  std::string_view rule;
  std::string_view parts;  ///< "outputs"
  std::string_view counts_hunt;
  std::string_view starts_hunt;
  std::string_view tensor;       ///< parts of one element, {extent} and three
  std::string_view rows;         ///< {count} of them; parts of one element, {extent} and two
  std::string_view padded_rows;  ///< the same with gaps
  std::string_view table;        ///< {extent} by columns, and two parts by rows, along {axis}
  std::string_view stack;        ///< {extent} column by column, and two packed parts
  std::string_view interleaved;  ///< rows of runs that lie between each other's, whole and parts
  std::string_view counts;       ///< {count} parts of two and one in turn, along {axis}
  std::string_view start;        ///< the second part is at {place} of the whole
  std::string_view columns;      ///< {count} rows of 4 bytes
  std::string_view far_columns;  ///< {count} rows of 4 elements of uint32
  std::string_view middle;       ///< a dimension of {count} elements between two others
  Operator (*make)(TensorDesc whole, std::vector<TensorDesc> parts, std::uint32_t axis);
};

/// The same of the walks over boundaries: sentences with {n}.
struct PartWalks {
  std::string_view rule;
  std::string_view parts;  ///< the quantity: "outputs"
  std::string_view elements;
  std::string_view bytes;
  std::string_view rows;
  std::string_view counts;
  bool are_rows_unwritable;
};
[[nodiscard]] TensorDesc part_of(const TensorDesc& whole, std::uint32_t axis, std::uint64_t size);
/// `Make` makes the operator, as that of the texts does.
template <auto Make>
std::vector<BoundaryWalk> part_walks(const PartWalks& walks);

void add_large_parts(const PartTexts& texts, LargeFiles& files);

template <auto Make>
std::vector<BoundaryWalk> part_walks(const PartWalks& walks) {
  const auto elements = [](std::uint64_t n, DataType type) -> Operator {
    const TensorDesc whole = packed_tensor(type, {n + 2});
    return Make(whole, {part_of(whole, 0, n), part_of(whole, 0, 2)}, 0);
  };
  const auto bytes = [](std::uint64_t n, DataType type) -> Operator {
    if (n <= kMostWalkedOver) {
      const TensorDesc whole = packed_tensor(type, {n});
      return Make(whole, {part_of(whole, 0, 3), part_of(whole, 0, n - 3)}, 0);
    }
    if (n % 2 == 0) {
      const TensorDesc whole = two_rows_apart(n, 6);
      return Make(whole, {part_of(whole, 1, 2), part_of(whole, 1, 4)}, 1);
    }
    const TensorDesc whole = packed_tensor(type, {2, 9});
    return Make(whole, {part_of(whole, 1, 4), two_rows_apart(n, 5)}, 1);
  };
  const auto rows = [](std::uint64_t n, DataType type) -> Operator {
    const TensorDesc whole = packed_tensor(type, {n, 3});
    return Make(whole, {part_of(whole, 1, 1), part_of(whole, 1, 2)}, 1);
  };
  const auto counts = [](std::uint64_t n, DataType type) -> Operator {
    const TensorDesc whole = packed_tensor(type, {n});
    return Make(whole, std::vector<TensorDesc>(n, part_of(whole, 0, 1)), 0);
  };
  // Each part is written out in the file; 1,023 to 1,025 are in another.
  constexpr std::uint64_t kMostParts = 1022;
  return {{"elements", walks.rule, walks.elements, elements, false, 5, kMostWalkedOver},
          {"bytes", walks.rule, walks.bytes, bytes, true},
          {"rows", walks.rule, walks.rows, rows, false, 5, kMostRows, nullptr,
           walks.are_rows_unwritable},
          {walks.parts, walks.rule, walks.counts, counts, true, 5, kMostParts}};
}

}  // namespace opconform::strength
