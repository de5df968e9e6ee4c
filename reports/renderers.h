// The forms of a report. Each takes the document that reports/report.schema.json describes, and
// gives the whole text of a file. What others said (ids, messages) is shown as text in each of
// them.
#pragma once

#include <string>

#include "harness/base/json_document.h"

namespace opconform::reports {

/// One page with all of it: reports/page. Needs no network; opens from disk.
std::string report_as_html(const base::Json& report);
/// What that page holds: lists are cut where they are too long for it, and say so.
base::Json cut_for_page(const base::Json& report);
/// The page around what it holds: `report` is in it as it is.
std::string page_around(const base::Json& report);
/// For a pull request or a job's summary: figures, failures, what is missing.
std::string report_as_markdown(const base::Json& report);
/// A <testsuite> a backend and case file, a <testcase> a case.
std::string report_as_junit(const base::Json& report);
/// SARIF 2.1.0: a run a backend, a result a failure.
std::string report_as_sarif(const base::Json& report);

}  // namespace opconform::reports
