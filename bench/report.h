// Results as a table for people and as JSON for programs.
#pragma once

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace opconform::bench {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::string text(256, '\0');
  const int length = std::snprintf(text.data(), text.size(), format, values...);
  text.resize(std::min<std::size_t>(static_cast<std::size_t>(length), text.size() - 1));
  return text;
}
/// Three digits, with the unit that fits.
[[nodiscard]] std::string time_text(double ns);
/// Nothing where there is nothing to say.
[[nodiscard]] std::string ratio_text(double ratio);

void print_head(std::ostream& out);
void print_row(std::ostream& out, const Result& result);
/// A line a family: the geometric means, and the worst cell.
void print_families(std::ostream& out, const std::vector<Result>& results);
/// How much others used of the machine, and a warning where that spoils the figures.
void print_load(std::ostream& out, double processors_of_others);

/// The machine, and the versions of this project and its compiler.
[[nodiscard]] nlohmann::ordered_json surroundings();
/// An array, an entry a cell.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Result>& results);

}  // namespace opconform::bench
