// What a run shows on a terminal or in a pipe.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/running/runner.h"
#include "reports/figures.h"

namespace opconform::reports {

/// Colours where `stream` is a terminal and NO_COLOR is not set.
class Style {
 public:
  explicit Style(std::FILE* stream);
  [[nodiscard]] bool is_terminal() const { return is_terminal_; }
  [[nodiscard]] std::string good(std::string_view text) const { return paint("32", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return paint("1;31", text); }
  [[nodiscard]] std::string warn(std::string_view text) const { return paint("33", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return paint("2", text); }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const;
  bool is_terminal_;
  bool has_colour_;
};

/// "  label    value", in one line that is fit for a terminal.
std::string labelled(std::string_view label, std::string_view value);
/// What the code under test printed beside a failure, as CaseResult has it: its last lines, at most
/// so many. Empty where it printed nothing.
std::string printed_text(std::string_view printed, std::size_t most_lines);

/// One result: verdict, case, rule, coordinate, expected, found, where the wrong element came from,
/// repro line.
std::string result_text(const judging::CaseResult& result, const cases::Case* tested,
                        const Style& style);

/// What a summary counts besides the results.
struct SummaryContext {
  std::size_t case_count;
  std::vector<std::string> backends;
  double seconds;
};
/// A line a backend with its verdicts, then the closing line "N passed, N failed".
std::string summary_text(const running::RunOutcome& outcome, const SummaryContext& context,
                         const Style& style);

/// One line of a terminal that is rewritten in place, at most ten times a second; nothing
/// elsewhere.
class StatusLine {
 public:
  explicit StatusLine(bool enabled) : enabled_(enabled) {}
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { clear(); }
  /// `text` gives the line, and is asked only where it is shown.
  void update(const std::function<std::string()>& text);
  /// Takes the line away, so that something else can be printed.
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// "312 of 2428, 12 %, 3 s left"
class Progress {
 public:
  Progress(std::size_t total, bool enabled) : total_(total), line_(enabled) {}
  void step();

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  StatusLine line_;
  Stopwatch stopwatch_;
};

}  // namespace opconform::reports
