// What is measured: one operator, by name, with the marks it is held to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/operator.h"

namespace opconform::bench {

/// What the time should be, measured against peers and memory; 0 where nothing is asked.
struct Marks {
  double gain = 0;        ///< time of the best peer / our time, at least
  double over_limit = 0;  ///< our time / time of the limit, at most
};

struct Cell {
  std::string name;
  std::string_view family;
  Operator op;
  Marks marks;
};

[[nodiscard]] inline Version version_of(const Operator& op) {
  return Version::standard(describe(op).dialect);
}

// Families of several operators.
inline constexpr std::string_view kRowCopies = "crops, long runs, row copies";
inline constexpr std::string_view kOverhead = "overhead of one call";

[[nodiscard]] std::vector<Cell> all_cells();
/// A few small ones of each family, to show that everything works.
[[nodiscard]] std::vector<Cell> short_cells();

/// "u8", "f32": short names of types, for names of cells.
[[nodiscard]] std::string_view short_name(DataType type);

}  // namespace opconform::bench
