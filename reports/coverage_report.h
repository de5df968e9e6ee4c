// What coverage comes to: figures a group, as a table or as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/coverage/file.h"
#include "harness/generation/combinations.h"

namespace opconform::reports {

/// Bins that were reached, of those that can be.
struct Share {
  std::uint64_t reached = 0;
  std::uint64_t reachable = 0;
  /// 100 where nothing can be reached.
  [[nodiscard]] double percent() const;
  Share& operator+=(const Share& other);
};
/// To one decimal, downwards: 100 is said of what is whole alone.
double rounded_percent(const Share& share);

struct GroupFigures {
  const coverage::CoverageGroup* group;
  Share share;
  std::uint64_t impossible = 0;
  std::array<std::uint64_t, coverage::kOriginNames.size()> reached_by{};  ///< of groups by origin
};

/// Of the combinations of so many factors of one operator.
struct CombinationFigures {
  std::string name;  ///< "combinations/OPERATOR/2"
  generation::CombinationCount count;
  /// The first kMostMissingNamed that did not occur: "data type INT32, rank 4, layout packed".
  std::vector<std::string> missing;
  [[nodiscard]] Share share() const { return {count.covered, count.feasible}; }
  [[nodiscard]] std::uint64_t impossible() const;
};

struct CoverageFigures {
  std::vector<GroupFigures> groups;
  std::vector<CombinationFigures> combinations;
  /// Of all groups; of the combinations where they alone are there, which are many more.
  Share total;
};
inline constexpr std::size_t kMostMissingNamed = 20;

/// Of the groups and combinations whose name matches the glob.
CoverageFigures coverage_figures(const coverage::CollectedCoverage& coverage,
                                 const std::string& glob);

/// The table's last row.
std::string coverage_summary_text(const CoverageFigures& figures);
/// What is missing, the table, and where cases came from. Without `all`, kMostMissingNamed of what
/// is missing; with it each bin, and at the end each that cannot be reached, with the rule that
/// forbids it.
std::string coverage_text(const coverage::CollectedCoverage& coverage,
                          const CoverageFigures& figures, bool all);
/// How many cases reached each bin of the groups.
std::string coverage_counts_text(const coverage::CollectedCoverage& coverage,
                                 const CoverageFigures& figures);
/// The same as JSON, what is missing included.
base::Json coverage_figures_to_json(const coverage::CollectedCoverage& coverage,
                                    const CoverageFigures& figures);

}  // namespace opconform::reports
