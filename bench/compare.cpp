#include "bench/compare.h"

#include <algorithm>

#include "bench/report.h"

namespace opconform::bench {
namespace {

using reports::JsonNode;

double positive(const JsonNode& node, std::string_view key) {
  const double value = node.number(key);
  if (!(value > 0)) node.fail(key, "must be above 0");
  return value;
}

/// Of all samples of the optimized implementation.
double spread(const JsonNode& cell) {
  const JsonNode ours = cell.object("times").object("optimized");
  return positive(ours, "high_ns") / positive(ours, "low_ns");
}

std::vector<JsonNode> cells_of(const JsonNode& run) {
  if (run.text("kind") != "speed") run.fail("kind", "must be \"speed\"");
  return run.objects("cells");
}

const JsonNode* cell_named(const std::vector<JsonNode>& cells, const std::string& name) {
  const auto found = std::find_if(cells.begin(), cells.end(),
                                  [&](const JsonNode& cell) { return cell.text("cell") == name; });
  return found == cells.end() ? nullptr : &*found;
}

void compare_texts(const JsonNode& old_run, const JsonNode& new_run, std::string_view object,
                   std::string_view key, std::vector<std::string>& differences) {
  const std::string before = old_run.object(object).text(key);
  const std::string now = new_run.object(object).text(key);
  if (before != now)
    differences.push_back(std::string(key) + ": " + before + " before, " + now + " now");
}

void compare_loads(const JsonNode& old_run, const JsonNode& new_run,
                   std::vector<std::string>& differences) {
  const double before = old_run.object("machine").number("processors_of_others");
  const double now = new_run.object("machine").number("processors_of_others");
  if (std::max(before, now) > kSpoilingProcessors)
    differences.push_back(
        formatted("warning: others used %.2f processors before and %.2f now, which no ratio here "
                  "leaves out whole",
                  before, now));
}

std::string_view word(Change change) {
  switch (change) {
    case Change::kFaster:
      return "faster";
    case Change::kSlower:
      return "slower";
    case Change::kNone:
      break;
  }
  return "";
}

constexpr const char* kCellFormat = "%-44s %8s %8s %8s %8s %7s  %s\n";

void print_families(std::ostream& out, const std::vector<ComparedCell>& cells) {
  std::vector<std::string> families;
  for (const ComparedCell& cell : cells)
    if (std::find(families.begin(), families.end(), cell.family) == families.end())
      families.push_back(cell.family);
  out << formatted("\n%-44s %8s %8s %8s %7s %7s\n", "family (geometric mean)", "cells", "old/new",
                   "copy", "slower", "faster");
  for (const std::string& family : families) {
    std::vector<double> gains;
    std::vector<double> gains_of_copy;
    std::size_t slower = 0;
    std::size_t faster = 0;
    for (const ComparedCell& cell : cells) {
      if (cell.family != family) continue;
      gains.push_back(cell.gain());
      gains_of_copy.push_back(cell.gain_of_copy());
      if (cell.change() == Change::kSlower) ++slower;
      if (cell.change() == Change::kFaster) ++faster;
    }
    out << formatted("%-44s %8zu %8.2f %8.2f %7zu %7zu\n", family.c_str(), gains.size(),
                     geometric_mean(gains), geometric_mean(gains_of_copy), slower, faster);
  }
}

void print_names(std::ostream& out, const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return;
  out << names.size() << " cells are in the " << what << " run alone:";
  for (const std::string& name : names) out << "\n  " << name;
  out << "\n";
}

}  // namespace

double ComparedCell::noise() const {
  return std::max({kLeastNoise, spread, gain_of_copy(), 1 / gain_of_copy()});
}

Change ComparedCell::change() const {
  const double by_itself = gain() / gain_of_copy();
  if (std::max(gain(), by_itself) * noise() < 1) return Change::kSlower;
  if (std::min(gain(), by_itself) > noise()) return Change::kFaster;
  return Change::kNone;
}

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(),
                    [&](const ComparedCell& cell) { return cell.change() == change; }));
}

Comparison compare_runs(const JsonNode& old_run, const JsonNode& new_run) {
  const std::vector<JsonNode> old_cells = cells_of(old_run);
  const std::vector<JsonNode> new_cells = cells_of(new_run);
  Comparison result;
  for (const JsonNode& now : new_cells) {
    const std::string name = now.text("cell");
    const JsonNode* before = cell_named(old_cells, name);
    if (before == nullptr) {
      result.only_new.push_back(name);
      continue;
    }
    result.cells.push_back({.name = name,
                            .family = now.text("family"),
                            .old_ns = positive(*before, "ns"),
                            .new_ns = positive(now, "ns"),
                            .old_limit_ns = positive(*before, "limit_ns"),
                            .new_limit_ns = positive(now, "limit_ns"),
                            .spread = std::max(spread(*before), spread(now))});
  }
  for (const JsonNode& before : old_cells)
    if (cell_named(new_cells, before.text("cell")) == nullptr)
      result.only_old.push_back(before.text("cell"));
  compare_texts(old_run, new_run, "machine", "cpu", result.surroundings);
  for (const std::string_view key : {"isa", "numbers_of", "compiler"})
    compare_texts(old_run, new_run, "versions", key, result.surroundings);
  compare_loads(old_run, new_run, result.surroundings);
  return result;
}

void print(std::ostream& out, const Comparison& comparison) {
  for (const std::string& difference : comparison.surroundings) out << difference << "\n";
  out << formatted(kCellFormat, "cell", "old", "new", "old/new", "copy", "noise", "");
  for (const ComparedCell& cell : comparison.cells)
    out << formatted(kCellFormat, cell.name.c_str(), time_text(cell.old_ns).c_str(),
                     time_text(cell.new_ns).c_str(), ratio_text(cell.gain()).c_str(),
                     ratio_text(cell.gain_of_copy()).c_str(), ratio_text(cell.noise()).c_str(),
                     std::string(word(cell.change())).c_str());
  print_families(out, comparison.cells);
  out << "\n";
  print_names(out, "old", comparison.only_old);
  print_names(out, "new", comparison.only_new);
  out << comparison.cells.size() << " cells compared: " << comparison.count(Change::kSlower)
      << " slower and " << comparison.count(Change::kFaster) << " faster by more than the noise\n";
}

}  // namespace opconform::bench
