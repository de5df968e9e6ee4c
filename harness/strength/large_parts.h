// Large cases of operators that cut one tensor along an axis into parts, or make one of parts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/strength/large_cases.h"

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
  std::string_view middle;       ///< a dimension of {count} elements between two others
  Operator (*make)(TensorDesc whole, std::vector<TensorDesc> parts, std::uint32_t axis);
};

void add_large_parts(const PartTexts& texts, LargeFiles& files);

}  // namespace opconform::strength
