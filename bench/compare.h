// Two runs of the benchmarks, cell by cell: what a change made faster or slower.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "reports/json_node.h"

namespace opconform::bench {

/// No two runs lie closer together than this: pages and tables fall elsewhere in each.
inline constexpr double kLeastNoise = 1.05;

enum class Change : unsigned char { kNone, kFaster, kSlower };

struct ComparedCell {
  std::string name;
  std::string family;
  double old_ns;
  double new_ns;
  double old_limit_ns;
  double new_limit_ns;
  /// How far the quartiles of either run lie apart.
  double spread;

  /// Above 1 where the new run is faster.
  [[nodiscard]] double gain() const { return old_ns / new_ns; }
  /// The same of plain copies, which the change cannot have touched: what the machine did.
  [[nodiscard]] double gain_of_copy() const { return old_limit_ns / new_limit_ns; }
  /// The spread and what the machine did, whichever is more; at least kLeastNoise.
  [[nodiscard]] double noise() const;
  /// By more than the noise, with and without what the machine did.
  [[nodiscard]] Change change() const;
};

struct Comparison {
  std::vector<ComparedCell> cells;        ///< in the order of the new run
  std::vector<std::string> only_old;      ///< cells that the new run lacks
  std::vector<std::string> only_new;      ///< and the other way
  std::vector<std::string> surroundings;  ///< what else differs: a line each
  [[nodiscard]] std::size_t count(Change change) const;
};

/// Of two files that opconform_bench wrote. Throws base::BadInput.
[[nodiscard]] Comparison compare_runs(const reports::JsonNode& old_run,
                                      const reports::JsonNode& new_run);

/// A row a cell, a row a family, and how many cells changed by more than the noise.
void print(std::ostream& out, const Comparison& comparison);

}  // namespace opconform::bench
