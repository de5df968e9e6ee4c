#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "reports/promise_text.h"
#include "reports/renderers.h"
#include "reports/report_view.h"

namespace opconform::reports {

using base::Json;

namespace {

/// Text for XML 1.0. What it has no way to write is spelt out: control characters, U+FFFE and
/// U+FFFF.
std::string xml(std::string_view text) {
  const std::string printable = base::printable(text);
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
  double seconds = 0;
  std::string cases;
};

/// Without an exponent, which not every reader takes.
std::string time_attribute(double seconds) {
  char text[64];
  (void)std::snprintf(text, sizeof text, " time=\"%.6f\"", seconds);
  return text;
}

/// "2026-11-21T07:55:31Z" without its zone: what the schemas take.
std::string timestamp_of(const ReportView& view) {
  const std::string started = view.first_run("started");
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  const bool is_time =
      std::equal(started.begin(), started.end(), kForm.begin(), kForm.end(),
                 [](char c, char form) { return form == '0' ? c >= '0' && c <= '9' : c == form; });
  return is_time ? started.substr(0, 19) : "1970-01-01T00:00:00";
}

std::string begin_case(std::string_view name, std::string_view class_name, double seconds) {
  return "    <testcase name=\"" + xml(name) + "\" classname=\"" + xml(class_name) + "\"" +
         time_attribute(seconds);
}

void add_pass(std::string_view name, std::string_view class_name, Suite& suite,
              double seconds = 0) {
  ++suite.tests;
  suite.seconds += seconds;
  suite.cases += begin_case(name, class_name, seconds) + "/>\n";
}

struct Fault {
  std::string type{};
  std::string message{};
  std::string details{};
  bool is_error = false;  ///< it broke off, or was not judged
  double seconds = 0;
};

void add_fault(std::string_view name, std::string_view class_name, const Fault& fault,
               Suite& suite) {
  ++suite.tests;
  ++(fault.is_error ? suite.errors : suite.failures);
  suite.seconds += fault.seconds;
  const std::string element = fault.is_error ? "error" : "failure";
  suite.cases += begin_case(name, class_name, fault.seconds) + ">\n      <" + element +
                 " message=\"" + xml(fault.message) + "\" type=\"" + xml(fault.type) + "\">" +
                 fault.details + "</" + element + ">\n    </testcase>\n";
}

void add_skipped(std::string_view name, std::string_view class_name, std::string_view message,
                 Suite& suite, double seconds = 0) {
  ++suite.tests;
  suite.seconds += seconds;
  suite.cases += begin_case(name, class_name, seconds) + ">\n      <skipped message=\"" +
                 xml(message) + "\"/>\n    </testcase>\n";
}

void add_case(const ReportView& view, const CaseRow& row, std::size_t backend, Suite& suite) {
  const std::string& verdict = row.verdicts[backend];
  if (verdict.empty()) return;
  const std::string class_name = view.backends()[backend] + "." + row.operator_name;
  const double seconds = row.seconds[backend];
  if (verdict == "pass") return add_pass(row.id, class_name, suite, seconds);
  if (!view.is_nonconforming(verdict))
    return add_skipped(row.id, class_name, verdict, suite, seconds);
  const Json* failure = view.failure(row.id, view.backends()[backend]);
  const Json* group = row.groups[backend];
  const auto said = [&](const char* key) {
    return failure != nullptr ? text_of(*failure, key) : std::string();
  };
  const std::string why = group == nullptr ? "" : words_of_group(*group);
  Fault fault{verdict, why.empty() ? said("message") : why + ": " + said("message")};
  const auto add_line = [&](const std::string& before, const std::string& text) {
    if (!text.empty()) fault.details += xml(before + text) + "\n";
  };
  add_line("rule: ", said("rule"));
  if (group != nullptr) add_line("group: ", line_of_group(*group));
  add_line("", row.says);
  add_line("", said("message"));
  add_line("again: ", said("repro"));
  fault.is_error = verdict == "crash" || verdict == "timeout";
  fault.seconds = seconds;
  add_fault(row.id, class_name, fault, suite);
}

/// An operator without findings is one passed case, each finding a failed one. Only the whole has a
/// time.
Suite suite_of_campaign(const Json& campaign) {
  Suite suite;
  suite.seconds = campaign["seconds"];
  const std::string class_name = text_of(campaign, "backend") + ".generated";
  std::set<std::string> failed;
  for (const Json& finding : campaign["findings"]) {
    const std::string operator_name = text_of(finding, "operator");
    const std::string rule = text_of(finding, "rule");
    failed.insert(operator_name);
    Fault fault{text_of(finding, "verdict"), words_of_finding(finding)};
    const std::string name = operator_name + " " + fault.type + (rule.empty() ? "" : " of " + rule);
    if (finding.contains("expected")) {
      add_skipped(name, class_name, text_of(finding, "expected"), suite);
      continue;
    }
    for (const Json& example : finding["examples"])
      fault.details +=
          xml(text_of(example, "message")) + "\nagain: " + xml(text_of(example, "repro")) + "\n";
    add_fault(name, class_name, fault, suite);
  }
  for (const auto& [operator_name, counts] : campaign["by_operator"].items())
    if (!failed.contains(operator_name)) add_pass(operator_name, class_name, suite);
  return suite;
}

/// A row of the support grid is a case.
Suite suite_of_grid(const Json& grid) {
  Suite suite;
  for (const Json& row : grid["rows"]) {
    const std::string class_name = text_of(grid, "backend") + "." + text_of(row, "operator");
    if (row["wrong"] == 0) {
      add_pass(text_of(row, "version"), class_name, suite);
      continue;
    }
    Fault fault{"wrong", words_of_row(row)};
    for (const std::string& cell : wrong_cells(grid, row)) fault.details += xml(cell) + "\n";
    add_fault(text_of(row, "version"), class_name, fault, suite);
  }
  return suite;
}

Suite suite_of_selftest(const Json& selftest) {
  Suite suite;
  for (const Json& suspect : selftest["suspects"]) {
    const std::string name = text_of(suspect, "name");
    const bool is_bug = suspect["is_bug"];
    const std::string class_name = is_bug ? "planted" : "permitted";
    if (suspect["as_it_should"])
      add_pass(name, class_name, suite);
    else
      add_fault(name, class_name,
                {is_bug ? "survived" : "accused", text_of(suspect, "says"),
                 xml(text_of(suspect, "says"))},
                suite);
  }
  return suite;
}

std::string suite_text(const std::string& name, const std::string& package, std::size_t id,
                       const Suite& suite, const std::string& timestamp, const Json& report) {
  const auto number = [&](const char* key, std::size_t value) {
    return " " + std::string(key) + "=\"" + std::to_string(value) + "\"";
  };
  const auto property = [](const char* key, const std::string& value) {
    return "      <property name=\"" + std::string(key) + "\" value=\"" + xml(value) + "\"/>\n";
  };
  std::string properties;
  if (report.contains("promises"))
    for (const Json& promise : report["promises"])
      if (text_of(promise, "backend") == package)
        properties += property("promise", promise_line(promise));
  const auto known = implementations_of(report);
  if (const auto who = known.find(package); who != known.end())
    properties += property("implementation", who->second);
  return "  <testsuite name=\"" + xml(name) + "\" package=\"" + xml(package) + "\"" +
         number("id", id) + number("tests", suite.tests) + number("failures", suite.failures) +
         number("errors", suite.errors) + time_attribute(suite.seconds) + " timestamp=\"" +
         timestamp + "\" hostname=\"localhost\">\n" + "    <properties>\n" +
         property("program", text_of(report, "program")) + properties + "    </properties>\n" +
         suite.cases +
         "    <system-out></system-out>\n    <system-err></system-err>\n  </testsuite>\n";
}

/// What could not be judged: without it a server would show that all is well.
void add_trouble(const ReportView::Trouble& trouble, Suite& suite) {
  add_fault(trouble.message, trouble.file,
            {"not judged", trouble.message, xml(trouble.message), true}, suite);
}

}  // namespace

std::string report_as_junit(const Json& report) {
  const ReportView view(report);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  const std::vector<CaseRow> rows = view.rows();
  std::size_t id = 0;
  const auto add = [&](const std::string& name, const std::string& package, const Suite& suite) {
    if (suite.tests == 0) return;
    text += suite_text(name, package, id++, suite, timestamp_of(view), report);
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
  const auto add_parts = [&](const char* key, const char* title, auto&& suite_of) {
    if (!report.contains(key)) return;
    for (const Json& part : report[key]) {
      const std::string backend = text_of(part, "backend");
      add(backend + ": " + title, backend, suite_of(part));
    }
  };
  add_parts("campaigns", "generated cases", suite_of_campaign);
  add_parts("grids", "support grid", suite_of_grid);
  if (report.contains("selftest"))
    add("planted bugs", "opconform", suite_of_selftest(report["selftest"]));
  return text + "</testsuites>\n";
}

}  // namespace opconform::reports
