// Any number of implementations beside each other, rule by rule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/json_document.h"
#include "reports/comparison.h"

namespace opconform::reports {

/// What the cases that show one rule made of one implementation.
struct RuleCount {
  std::uint64_t judged = 0;  ///< cases that show the rule; what is not offered is not judged
  std::uint64_t failed = 0;  ///< cases that fail because of that rule, whatever they show
};
struct RuleRow {
  std::string rule;
  std::vector<RuleCount> counts;  ///< in the order of the sets
  [[nodiscard]] bool has_failed() const;
};
/// What a rule leaves open, and in how many cases each implementation did so.
struct ChoiceRow {
  std::string rule;
  std::string choice;
  std::vector<std::uint64_t> cases;  ///< in the order of the sets
};
struct SideBySide {
  std::vector<const ResultSet*> sets;
  std::vector<RuleRow>
      rows;  ///< in the order of the ledger; rules that nobody was asked about are left out
  std::vector<ChoiceRow> choices;  ///< rule by rule
};
/// Refers to the sets. Throws base::BadInput where there is none.
SideBySide side_by_side(const std::vector<ResultFile>& files);

/// A row a rule, a column an implementation; of rules that nobody breaks only their number, unless
/// `all`. Then a row for each way to do what the documents leave open.
std::string side_by_side_text(const SideBySide& table, bool all);
std::string side_by_side_markdown(const SideBySide& table, bool all);
/// All rows.
base::Json side_by_side_json(const SideBySide& table);

}  // namespace opconform::reports
