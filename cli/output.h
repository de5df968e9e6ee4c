// What commands print and write: to a terminal, to standard output, to files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.h"
#include "harness/base/json_document.h"
#include "harness/coverage/file.h"

namespace opconform::cli {

/// So many of a kind are named on a terminal; their number is told in any case.
inline constexpr std::size_t kMostNamed = 20;

/// Prints "opconform: MESSAGE" to standard error, on one line and fit for a terminal.
void complain(const std::string& message);
/// Writes to standard output; throws reports::WriteError where that fails.
void print(const std::string& text);

/// What a file of JSON holds. With an indent of -1 it is one line, in half as many bytes.
std::string json_text(const base::Json& json, int indent = 1);

/// Is the name of a file that is none yet, or a regular one?
bool is_replaceable(const std::string& file);
/// Complains where the file cannot be written, and gives kHarnessFailed then: whatever else was
/// found is told nevertheless.
ExitCode write_or_complain(const std::string& file, std::string_view text);
ExitCode write_coverage(const std::string& file, const coverage::CollectedCoverage& coverage);
/// Until the result is written, the file says that the command was interrupted, with nothing found:
/// a kill leaves no result of an earlier run that could be taken for one of this. `empty` is a
/// result without any. Does nothing where the file cannot be replaced as a whole (a device, a
/// pipe), and leaves complaints to the end.
void write_interrupted(const std::string& file, base::Json empty);

/// The files that a report is written to; empty names are not.
struct ReportFiles {
  std::string html{};
  std::string markdown{};
  std::string junit{};
  std::string sarif{};
  [[nodiscard]] bool any() const;
  [[nodiscard]] std::vector<std::string> all() const { return {html, markdown, junit, sarif}; }
};
/// Writes each; complains of those that cannot be written, and gives kHarnessFailed then.
ExitCode write_report(const base::Json& report, const ReportFiles& files);

}  // namespace opconform::cli
