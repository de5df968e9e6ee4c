#include "cli/output.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "harness/base/text.h"
#include "harness/cases/pretty.h"
#include "reports/atomic_file.h"
#include "reports/renderers.h"
#include "reports/run_info.h"

namespace opconform::cli {

void complain(const std::string& message) {
  std::cerr << "opconform: " << base::printable(message) << '\n';
}

void print(const std::string& text) { reports::write_file("-", text); }

std::string json_text(const base::Json& json, int indent) {
  return json.dump(indent, ' ', false, base::Json::error_handler_t::replace) + "\n";
}

bool is_replaceable(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  return !file.empty() && file != "-" &&
         (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status));
}

ExitCode write_or_complain(const std::string& file, std::string_view text) {
  try {
    reports::write_file(file, text);
    return kAllAsExpected;
  } catch (const reports::WriteError& error) {
    complain(error.what());
    return kHarnessFailed;
  }
}

ExitCode write_coverage(const std::string& file, const coverage::CollectedCoverage& coverage) {
  return write_or_complain(
      file, cases::pretty(coverage::coverage_to_json(coverage, reports::program_text())));
}

void write_interrupted(const std::string& file, base::Json empty) {
  if (!is_replaceable(file)) return;
  empty["interrupted"] = true;
  try {
    reports::write_file(file, json_text(empty));
  } catch (const reports::WriteError&) {
    return;  // told of when the result is to be written
  }
}

bool ReportFiles::any() const {
  return !html.empty() || !markdown.empty() || !junit.empty() || !sarif.empty();
}

ExitCode write_report(const base::Json& report, const ReportFiles& files) {
  ExitCode exit_code = kAllAsExpected;
  const auto write = [&](const std::string& file, auto&& render) {
    if (!file.empty()) exit_code = std::max(exit_code, write_or_complain(file, render(report)));
  };
  write(files.html, reports::report_as_html);
  write(files.markdown, reports::report_as_markdown);
  write(files.junit, reports::report_as_junit);
  write(files.sarif, reports::report_as_sarif);
  return exit_code;
}

}  // namespace opconform::cli
