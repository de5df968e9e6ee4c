#include <map>

#include "reports/renderers.h"
#include "reports/report_view.h"

namespace opconform::reports {

using harness::Json;

namespace {

/// Text for XML 1.0. What it has no way to write is spelt out: control characters, U+FFFE and
/// U+FFFF.
std::string xml(std::string_view text) {
  const std::string printable = harness::printable(text);
  std::string safe;
  for (std::size_t i = 0; i < printable.size(); ++i) {
    const char c = printable[i];
    const std::string_view next = std::string_view(printable).substr(i, 3);
    if (next == "\xEF\xBF\xBE" || next == "\xEF\xBF\xBF") {
      safe += next.back() == '\xBE' ? "\\ufffe" : "\\uffff";
      i += 2;
      continue;
    }
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

struct Suite {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::string cases;
};

/// "2026-11-21T07:55:31Z" without its zone: what the schemas take.
std::string timestamp_of(const ReportView& view) {
  const std::string started = view.first_run("started");
  return started.empty() ? "1970-01-01T00:00:00" : started.substr(0, 19);
}

void add_case(const ReportView& view, const CaseRow& row, std::size_t backend, Suite& suite) {
  const std::string& verdict = row.verdicts[backend];
  if (verdict.empty()) return;
  ++suite.tests;
  suite.cases += "    <testcase name=\"" + xml(row.id) + "\" classname=\"" +
                 xml(view.backends()[backend] + "." + row.operator_name) + "\" time=\"0\"";
  if (verdict == "pass") {
    suite.cases += "/>\n";
    return;
  }
  suite.cases += ">\n";
  if (!view.is_nonconforming(verdict)) {
    suite.cases += "      <skipped message=\"" + xml(verdict) + "\"/>\n";
  } else {
    const bool is_error = verdict == "crash" || verdict == "timeout";
    (is_error ? suite.errors : suite.failures) += 1;
    const char* element = is_error ? "error" : "failure";
    const Json* failure = view.failure(row.id, view.backends()[backend]);
    const std::string message = failure == nullptr ? "" : text_of(*failure, "message");
    const std::string rule = failure == nullptr ? "" : text_of(*failure, "rule");
    suite.cases += std::string("      <") + element + " message=\"" + xml(message) + "\" type=\"" +
                   xml(verdict) + "\">" + xml(rule.empty() ? "" : "rule: " + rule) + "\n" +
                   xml(row.says) + "\n" + xml(message) + "\n" +
                   xml(failure == nullptr ? "" : "again: " + text_of(*failure, "repro")) + "</" +
                   element + ">\n";
  }
  suite.cases += "    </testcase>\n";
}

std::string suite_text(const std::string& name, const std::string& package, std::size_t id,
                       const Suite& suite, const std::string& timestamp,
                       const std::string& program) {
  const auto number = [&](const char* key, std::size_t value) {
    return " " + std::string(key) + "=\"" + std::to_string(value) + "\"";
  };
  return "  <testsuite name=\"" + xml(name) + "\" package=\"" + xml(package) + "\"" +
         number("id", id) + number("tests", suite.tests) + number("failures", suite.failures) +
         number("errors", suite.errors) + " time=\"0\" timestamp=\"" + timestamp +
         "\" hostname=\"localhost\">\n" +
         "    <properties>\n      <property name=\"program\" value=\"" + xml(program) +
         "\"/>\n    </properties>\n" + suite.cases +
         "    <system-out></system-out>\n    <system-err></system-err>\n  </testsuite>\n";
}

/// What could not be judged: without it a server would show that all is well.
void add_trouble(const ReportView::Trouble& trouble, Suite& suite) {
  ++suite.tests;
  ++suite.errors;
  suite.cases += "    <testcase name=\"" + xml(trouble.message) + "\" classname=\"" +
                 xml(trouble.file) + "\" time=\"0\">\n      <error message=\"" +
                 xml(trouble.message) + "\" type=\"not judged\">" + xml(trouble.message) +
                 "</error>\n    </testcase>\n";
}

}  // namespace

std::string report_as_junit(const Json& report) {
  const ReportView view(report);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  const std::vector<CaseRow> rows = view.rows();
  std::size_t id = 0;
  const auto add = [&](const std::string& name, const std::string& package, const Suite& suite) {
    if (suite.tests == 0) return;
    text += suite_text(name, package, id++, suite, timestamp_of(view), text_of(report, "program"));
  };
  Suite not_judged;
  for (const ReportView::Trouble& trouble : view.troubles()) add_trouble(trouble, not_judged);
  add("not judged", "opconform", not_judged);
  for (std::size_t backend = 0; backend < view.backends().size(); ++backend) {
    std::map<std::string, Suite> suites;
    for (const CaseRow& row : rows) add_case(view, row, backend, suites[row.file]);
    for (const auto& [file, suite] : suites)
      add(view.backends()[backend] + ": " + file, view.backends()[backend], suite);
  }
  return text + "</testsuites>\n";
}

}  // namespace opconform::reports
