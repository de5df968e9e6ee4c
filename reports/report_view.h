// Reading a report: what renderers ask of it, without its indices.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/json_document.h"

namespace opconform::reports {

/// A row of `results` with its texts.
struct CaseRow {
  std::string id{};
  std::string says{};
  std::string file{};
  std::string operator_name{};
  std::string version{};
  std::string data_type{};
  std::uint64_t rank = 0;
  std::vector<std::string> rules{};
  std::vector<std::string> errata{};
  std::vector<std::string> verdicts{};      ///< by backend; empty: none
  std::vector<const base::Json*> groups{};  ///< by backend; null: none
  std::vector<double> seconds{};            ///< by backend; 0 where nobody measured it
};

/// Refers to the report, which must outlive it.
class ReportView {
 public:
  explicit ReportView(const base::Json& report);

  [[nodiscard]] const std::vector<std::string>& backends() const { return backends_; }
  [[nodiscard]] bool is_nonconforming(const std::string& verdict) const;
  [[nodiscard]] std::vector<CaseRow> rows() const;
  /// Null where it is none, or not listed.
  [[nodiscard]] const base::Json* failure(const std::string& id, const std::string& backend) const;
  /// Of the first input that says how it came about; empty where none does.
  [[nodiscard]] std::string first_run(std::string_view key) const;
  /// Why not everything was judged: bad input, runs that were interrupted.
  struct Trouble {
    std::string file{};
    std::string message{};
  };
  [[nodiscard]] std::vector<Trouble> troubles() const;

 private:
  const base::Json& report_;
  std::vector<std::string> backends_;
  std::map<std::pair<std::string, std::string>, const base::Json*> failures_;
};

/// The text that a cell of a row stands for: a place in the `texts` of `results`, or the places of
/// its pieces.
std::string spelled(const base::Json& results, const base::Json& cell);
/// Do the cells of that column stand for texts?
bool is_text_column(std::string_view name);
/// A row by the names of its columns, with its texts and traits as they are; rules and errata stay
/// places, and verdicts cells.
base::Json row_with_texts(const base::Json& results, const base::Json& row);
/// The verdict that a cell stands for; empty where it is none.
std::string verdict_at(const base::Json& results, const base::Json& cell);

/// What the implementation does, or, where nothing explains it, what is known of the group. Empty
/// where nobody asked why, and where the verdict says it all.
std::string words_of_group(const base::Json& group);
/// The same on a line with the rule, the number of failures and what they have in common.
std::string line_of_group(const base::Json& group);

/// How many cases a finding of a campaign is of, what explains them, and what was seen in the
/// first.
std::string words_of_finding(const base::Json& finding);
/// The rule that its failures name, or that was broken; empty where nothing says which.
std::string rule_of_finding(const base::Json& finding);
/// How many cells of a support grid's row are wrong.
std::string words_of_row(const base::Json& row);
/// "OPERATOR at 2_1"
std::string place_of_row(const base::Json& row);
/// "FLOAT32, rank 4: message", of each wrong cell of the row that the grid lists.
std::vector<std::string> wrong_cells(const base::Json& grid, const base::Json& row);

/// The string with that key; empty where there is none.
std::string text_of(const base::Json& object, std::string_view key);
/// What backends from outside say that they are, by backend.
std::map<std::string, std::string> implementations_of(const base::Json& report);

}  // namespace opconform::reports
