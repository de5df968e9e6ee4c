// What a run shows on a terminal or in a pipe.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/case.h"
#include "harness/runner.h"

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

/// One result: verdict, case, rule, coordinate, expected, found, where the wrong element came from,
/// repro line.
std::string result_text(const harness::CaseResult& result, const harness::Case* tested,
                        const Style& style);

/// What a summary counts besides the results.
struct SummaryContext {
  std::size_t case_count;
  std::vector<std::string> backends;
  double seconds;
};
/// A line a backend with its verdicts, then the closing line "N passed, N failed".
std::string summary_text(const harness::RunOutcome& outcome, const SummaryContext& context,
                         const Style& style);

/// "312 of 2428, 12 %, 3 s left" on one line of a terminal, rewritten in place; nothing elsewhere.
class Progress {
 public:
  Progress(std::size_t total, bool enabled) : total_(total), enabled_(enabled) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }
  void step();
  /// Takes the line away, so that something else can be printed.
  void clear();

 private:
  std::size_t total_;
  bool enabled_;
  std::size_t done_ = 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_;
};

}  // namespace opconform::reports
