// Results as a table for people and as JSON for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "bench/measure.h"

namespace opconform::bench {

void print_head(std::ostream& out);
void print_row(std::ostream& out, const Result& result);
/// A line a family: the geometric means, and the worst cell.
void print_families(std::ostream& out, const std::vector<Result>& results);

/// The machine, and the versions of this project and its compiler.
[[nodiscard]] nlohmann::ordered_json surroundings();
/// An array, an entry a cell.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Result>& results);

}  // namespace opconform::bench
