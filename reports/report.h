// The report: one JSON document that holds what any number of files of results say, and that every
// form of the report (HTML, Markdown, JUnit, SARIF) is rendered from. Its form is
// reports/report.schema.json.
#pragma once

#include <string>

#include "harness/base/json_document.h"
#include "reports/report_results.h"

namespace opconform::reports {

/// Larger files are no results of a run that a page could show.
inline constexpr std::size_t kMaxResultFileBytes = std::size_t{512} << 20;

class ReportBuilder {
 public:
  ReportBuilder();

  /// A file that some command wrote, whatever its kind: results of run, campaigns of fuzz,
  /// coverage, grids, planted bugs, code coverage, mutation score, benchmarks. Throws
  /// base::BadInput.
  void add_file(const std::string& path);
  /// The same, with the document at hand. `file` is its name in the report.
  void add(const base::Json& document, const std::string& file);

  /// The whole. An empty title is made from the backends.
  base::Json take(std::string title);

 private:
  void add_promises(const JsonNode& node);
  void add_input(const JsonNode& node, const std::string& kind);

  base::Json report_;
  ResultsTable results_;
  std::vector<std::string> coverage_files_;
};

}  // namespace opconform::reports
