// The results of a report: a row a case, with the verdict of every backend.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/judging/verdict.h"
#include "reports/json_node.h"

namespace opconform::reports {

/// Throws base::BadInput where "rule" and "choice" are not of what the documents leave open.
void demand_choice(const JsonNode& choice);
/// Of a result in a file of `opconform run --json`; throws base::BadInput where it has none.
judging::Verdict verdict_of(const JsonNode& result);

/// Collects files of `opconform run --json`. Texts that many cases share stand once.
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
  struct Row {
    std::string id;
    std::uint64_t line;
    base::Json cells;             ///< the columns between id and verdicts
    std::vector<int> verdicts{};  ///< by backend; -1: none
  };
  struct Flags {
    std::uint64_t weak = 0;
    std::uint64_t unnamed_rule = 0;
  };

  void add_case(const JsonNode& one);
  void add_result(const JsonNode& result);
  [[nodiscard]] base::Json summary() const;

  Names backends_;
  Names files_;
  Names phrases_;
  std::vector<Row> rows_;
  std::map<std::string, std::size_t> row_of_;
  std::vector<Flags> flags_;  ///< by backend
  std::vector<base::Json> failures_;
  std::vector<base::Json> excused_;  ///< failures that a list names
  std::map<std::string, std::map<std::string, std::map<std::string, std::uint64_t>>>
      choices_;  ///< by backend, rule, choice
};

}  // namespace opconform::reports
