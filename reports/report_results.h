// The results of a report: a row a case, with the verdict of every backend.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/judging/verdict.h"
#include "reports/json_node.h"
#include "reports/report_groups.h"

namespace opconform::reports {

/// Throws base::BadInput where "rule" and "choice" are not of what the documents leave open.
void demand_choice(const JsonNode& choice);
/// The node's "seconds"; throws base::BadInput where they are no time.
double seconds_of(const JsonNode& node);
/// Of a result in a file of `opconform run --json`; throws base::BadInput where it has none.
judging::Verdict verdict_of(const JsonNode& result);

/// Collects files of `opconform run --json`. What many cases share stands once: texts are cut into
/// pieces for that.
class ResultsTable {
 public:
  /// Throws base::BadInput, also where a case and a backend have a result already.
  void add(const JsonNode& results);
  [[nodiscard]] bool is_empty() const { return rows_.empty() && backends_.names.empty(); }
  [[nodiscard]] const std::vector<std::string>& backends() const { return backends_.names; }
  /// The report's `results`.
  [[nodiscard]] base::Json to_json() const;

 private:
  /// Texts by their place, each once.
  struct Names {
    std::vector<std::string> names{};
    std::map<std::string, std::size_t> places{};
    std::size_t place_of(const std::string& name);
  };
  struct BackendResult {
    int verdict = -1;     ///< none
    int group = -1;       ///< of a failure
    double seconds = -1;  ///< nobody measured it
  };
  struct Row {
    std::uint64_t line;
    base::Json cells;  ///< the columns but for the verdicts
    std::vector<BackendResult> by_backend{};
  };
  struct Flags {
    std::uint64_t weak = 0;
    std::uint64_t unnamed_rule = 0;
  };

  void add_case(const JsonNode& one);
  /// `groups` holds the place of each group of its file.
  void add_result(const JsonNode& result, const std::vector<std::size_t>& groups);
  [[nodiscard]] std::size_t group_of(const JsonNode& result, const std::vector<std::size_t>& groups,
                                     const base::Json& failure);
  /// Places of the parts that end where separators do, to be joined as they are.
  [[nodiscard]] base::Json pieces_of(const std::string& text, std::string_view separators);
  [[nodiscard]] std::size_t place_of_traits(const JsonNode& one);
  [[nodiscard]] base::Json summary() const;
  [[nodiscard]] base::Json rows(const std::vector<std::size_t>& place_of_group) const;
  /// By row and backend; empty where no time is known.
  [[nodiscard]] base::Json seconds_json() const;

  Names backends_;
  Names texts_;
  Names traits_;  ///< each written as JSON
  std::vector<Row> rows_;
  std::map<std::string, std::size_t> row_of_;
  std::vector<Flags> flags_;  ///< by backend
  GroupTable groups_;
  std::vector<base::Json> failures_;
  std::vector<base::Json> excused_;  ///< failures that a list names
  std::map<std::string, std::map<std::string, std::map<std::string, std::uint64_t>>>
      choices_;  ///< by backend, rule, choice
};

}  // namespace opconform::reports
