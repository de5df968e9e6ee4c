#include "reports/coverage_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "harness/generation/generator.h"
#include "harness/running/runner.h"
#include "reports/columns.h"

namespace opconform::reports {

using base::Json;
using coverage::CollectedCoverage;
using coverage::CoverageBin;
using coverage::CoverageGroup;

namespace {

/// What is due for a case, in the order of coverage::Due.
constexpr std::array<std::string_view, coverage::kDueNames.size()> kDueWords{
    "with a result", "to be rejected", "to end in an error"};

std::span<const std::uint64_t> counters_of(const CollectedCoverage& coverage,
                                           const CoverageGroup& group, std::size_t bin) {
  return std::span(coverage.counters).subspan(group.counter(bin), group.counters_per_bin);
}

bool is_reached(const CollectedCoverage& coverage, const CoverageGroup& group, std::size_t bin) {
  const auto counters = counters_of(coverage, group, bin);
  return std::any_of(counters.begin(), counters.end(), [](std::uint64_t n) { return n != 0; });
}

GroupFigures figures_of(const CollectedCoverage& coverage, const CoverageGroup& group) {
  GroupFigures figures{.group = &group, .share = {}};
  for (std::size_t i = 0; i < group.bins.size(); ++i) {
    if (!group.bins[i].forbidden_by.empty()) {
      ++figures.impossible;
      continue;
    }
    ++figures.share.reachable;
    figures.share.reached += is_reached(coverage, group, i) ? 1U : 0U;
    if (!group.is_by_origin()) continue;
    const auto counters = counters_of(coverage, group, i);
    for (std::size_t k = 0; k < counters.size(); ++k)
      figures.reached_by[k] += counters[k] != 0 ? 1U : 0U;
  }
  return figures;
}

/// To one decimal and never upwards: 100.0 is all.
std::string percent_text(const Share& share) {
  char text[16];
  (void)std::snprintf(text, sizeof text, "%.1f", std::floor(share.percent() * 10) / 10);
  return text;
}
std::string number(std::uint64_t value, std::size_t width) {
  return right(std::to_string(value), width);
}

std::string row(const std::string& name, std::size_t width, const std::string& reached,
                const std::string& reachable, const std::string& percent,
                const std::string& impossible) {
  return left(name, width) + right(reached, 9) + right(reachable, 11) + right(percent, 9) +
         right(impossible, 12) + "\n";
}

std::string origins_text(const CoverageFigures& figures, std::size_t width) {
  std::string text;
  for (const GroupFigures& group : figures.groups) {
    if (!group.group->is_by_origin()) continue;
    text += group.group->name + std::string(width - group.group->name.size(), ' ');
    for (const std::uint64_t reached : group.reached_by) text += number(reached, 12);
    text += "\n";
  }
  if (text.empty()) return text;
  std::string header = "\nreached by cases" + std::string(width - 15, ' ');
  header.pop_back();
  for (const std::string_view origin : coverage::kOriginNames)
    header += right(std::string(origin), 12);
  return header + "\n" + text;
}

std::string cases_text(const CollectedCoverage& coverage) {
  std::string text;
  for (std::size_t i = 0; i < coverage::kOriginNames.size(); ++i) {
    std::uint64_t all = 0;
    std::string due;
    for (std::size_t k = 0; k < kDueWords.size(); ++k) {
      const std::uint64_t count = coverage.counters[coverage::CoverageModel::case_counter(
          static_cast<coverage::Origin>(i), static_cast<coverage::Due>(k))];
      all += count;
      due += (k == 0 ? "" : ", ") + std::to_string(count) + " " + std::string(kDueWords[k]);
    }
    if (all > 0)
      text += std::to_string(all) + " " + std::string(coverage::kOriginNames[i]) +
              " cases: " + due + "\n";
  }
  return text.empty() ? "no cases\n" : text;
}

/// Calls `f(group, bin)` for the bins that cannot be reached, or for those that were not.
template <class F>
void for_each_bin(const CollectedCoverage& coverage, const CoverageFigures& figures,
                  bool impossible, F&& f) {
  for (const GroupFigures& group : figures.groups)
    for (std::size_t i = 0; i < group.group->bins.size(); ++i) {
      const CoverageBin& bin = group.group->bins[i];
      if (impossible ? !bin.forbidden_by.empty()
                     : bin.forbidden_by.empty() && !is_reached(coverage, *group.group, i))
        f(*group.group, bin);
    }
}

std::string missing_text(const CollectedCoverage& coverage, const CoverageFigures& figures,
                         bool all) {
  std::string text;
  std::uint64_t left_out = 0;
  std::size_t named = 0;
  const auto add = [&](const std::string& group, const std::string& what) {
    if (all || named < kMostMissingNamed) {
      ++named;
      text += "not reached: " + group + ": " + what + "\n";
    } else {
      ++left_out;
    }
  };
  for_each_bin(coverage, figures, false, [&](const CoverageGroup& group, const CoverageBin& bin) {
    add(group.name, bin.name);
  });
  for (const CombinationFigures& one : figures.combinations) {
    for (const std::string& missing : one.missing) add(one.name, missing);
    left_out += one.count.feasible - one.count.covered - one.missing.size();
  }
  if (text.empty()) return "nothing is missing\n\n";
  if (left_out > 0) text += "and " + std::to_string(left_out) + " more\n";
  return text + "\n";
}

std::string impossible_text(const CollectedCoverage& coverage, const CoverageFigures& figures) {
  std::string text = "\n";
  for_each_bin(coverage, figures, true, [&](const CoverageGroup& group, const CoverageBin& bin) {
    text += "impossible: " + group.name + ": " + bin.name + ": " + std::string(bin.forbidden_by) +
            " forbids it\n";
  });
  for (const CombinationFigures& one : figures.combinations)
    for (const auto& [rule, number] : one.count.infeasible)
      text += "impossible: " + one.name + ": " + std::to_string(number) + ": " + std::string(rule) +
              " forbids them\n";
  return text;
}

/// "data type INT32, rank 4, layout packed"
std::string combination_text(const generation::FactorModel& model,
                             const generation::Assignment& combination) {
  std::string text;
  for (std::size_t i = 0; i < model.factors().size(); ++i) {
    if (!combination.has(i)) continue;
    const generation::Factor& factor = model.factors()[i];
    text +=
        (text.empty() ? "" : ", ") + std::string(factor.name) + " " + factor.values[combination[i]];
  }
  return text;
}

}  // namespace

double Share::percent() const {
  return reachable == 0 ? 100 : static_cast<double>(reached) * 100 / static_cast<double>(reachable);
}

double rounded_percent(const Share& share) { return std::floor(share.percent() * 10) / 10; }

Share& Share::operator+=(const Share& other) {
  reached += other.reached;
  reachable += other.reachable;
  return *this;
}

std::uint64_t CombinationFigures::impossible() const {
  std::uint64_t number = 0;
  for (const auto& [rule, infeasible] : count.infeasible) number += infeasible;
  return number;
}

CoverageFigures coverage_figures(const CollectedCoverage& coverage, const std::string& glob) {
  CoverageFigures figures;
  for (const CoverageGroup& group : coverage::coverage_model().groups()) {
    if (!running::matches_glob(glob, group.name)) continue;
    figures.groups.push_back(figures_of(coverage, group));
    figures.total += figures.groups.back().share;
  }
  for (const auto& [key, words] : coverage.combinations) {
    CombinationFigures one{
        "combinations/" + key.operator_name + "/" + std::to_string(key.strength), {}, {}};
    if (!running::matches_glob(glob, one.name)) continue;
    const generation::FactorModel& model =
        generation::factor_model(make_operator(key.operator_name)->index());
    const generation::CombinationSpace space(model, key.strength);
    one.count = space.count(words);
    if (one.count.covered < one.count.feasible)
      space.for_each_missing(words, [&](const generation::Assignment& combination) {
        if (one.missing.size() < kMostMissingNamed)
          one.missing.push_back(combination_text(model, combination));
      });
    if (figures.groups.empty()) figures.total += one.share();
    figures.combinations.push_back(std::move(one));
  }
  return figures;
}

namespace {

std::string total_row(const CoverageFigures& figures, std::size_t width) {
  std::uint64_t impossible = 0;
  for (const GroupFigures& group : figures.groups) impossible += group.impossible;
  if (figures.groups.empty())
    for (const CombinationFigures& one : figures.combinations) impossible += one.impossible();
  return row("total", width, std::to_string(figures.total.reached),
             std::to_string(figures.total.reachable), percent_text(figures.total),
             std::to_string(impossible));
}

}  // namespace

std::string coverage_summary_text(const CoverageFigures& figures) {
  constexpr std::size_t kWidth = 16;
  return row("group", kWidth, "reached", "reachable", "percent", "impossible") +
         total_row(figures, kWidth);
}

std::string coverage_text(const CollectedCoverage& coverage, const CoverageFigures& figures,
                          bool all) {
  std::size_t width = 16;
  for (const GroupFigures& group : figures.groups)
    width = std::max(width, group.group->name.size());
  for (const CombinationFigures& one : figures.combinations)
    width = std::max(width, one.name.size());

  std::string text = missing_text(coverage, figures, all);
  text += row("group", width, "reached", "reachable", "percent", "impossible");
  for (const GroupFigures& group : figures.groups)
    text += row(group.group->name, width, std::to_string(group.share.reached),
                std::to_string(group.share.reachable), percent_text(group.share),
                std::to_string(group.impossible));
  for (const CombinationFigures& one : figures.combinations)
    text +=
        row(one.name, width, std::to_string(one.count.covered), std::to_string(one.count.feasible),
            percent_text(one.share()), std::to_string(one.impossible()));
  text += total_row(figures, width);
  text += origins_text(figures, width) + "\n" + cases_text(coverage);
  return all ? text + impossible_text(coverage, figures) : text;
}

std::string coverage_counts_text(const CollectedCoverage& coverage,
                                 const CoverageFigures& figures) {
  std::string text;
  for (const GroupFigures& one : figures.groups) {
    text += (text.empty() ? "" : "\n") + one.group->name + "\n";
    for (std::size_t i = 0; i < one.group->bins.size(); ++i) {
      const auto counters = counters_of(coverage, *one.group, i);
      text += number(std::accumulate(counters.begin(), counters.end(), std::uint64_t{0}), 12) +
              "  " + one.group->bins[i].name + "\n";
    }
  }
  return text;
}

Json coverage_figures_to_json(const CollectedCoverage& coverage, const CoverageFigures& figures) {
  const auto share_to_json = [](const Share& share) {
    return Json{{"reached", share.reached},
                {"reachable", share.reachable},
                {"percent", rounded_percent(share)}};
  };
  Json json = {{"version", 1}, {"total", share_to_json(figures.total)}};
  json["groups"] = Json::array();
  for (const GroupFigures& one : figures.groups) {
    Json group = {{"group", one.group->name}};
    group.update(share_to_json(one.share));
    if (one.group->is_by_origin())
      for (std::size_t i = 0; i < coverage::kOriginNames.size(); ++i)
        group[std::string(coverage::kOriginNames[i])] = one.reached_by[i];
    group["missing"] = Json::array();
    group["impossible"] = Json::array();
    for (std::size_t i = 0; i < one.group->bins.size(); ++i) {
      const CoverageBin& bin = one.group->bins[i];
      if (!bin.forbidden_by.empty())
        group["impossible"].push_back({{"bin", bin.name}, {"rule", bin.forbidden_by}});
      else if (!is_reached(coverage, *one.group, i))
        group["missing"].push_back(bin.name);
    }
    json["groups"].push_back(std::move(group));
  }
  json["combinations"] = Json::array();
  for (const CombinationFigures& one : figures.combinations) {
    Json entry = {{"combinations", one.name}};
    entry.update(share_to_json(one.share()));
    entry["impossible"] = Json::object();
    for (const auto& [rule, number] : one.count.infeasible)
      entry["impossible"][std::string(rule)] = number;
    entry["missing"] = one.missing;
    json["combinations"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace opconform::reports
