#include "reports/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "harness/base/json_document.h"
#include "harness/running/result_json.h"

namespace opconform::reports {

using judging::CaseResult;
using judging::Verdict;

namespace {

std::string counted(std::size_t count, const std::string& one, const std::string& many = "") {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

}  // namespace

Style::Style(std::FILE* stream) : is_terminal_(::isatty(::fileno(stream)) == 1) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  if (variable("TERM") == "dumb") is_terminal_ = false;
  has_colour_ = is_terminal_ && variable("NO_COLOR").empty();
}

std::string Style::paint(std::string_view code, std::string_view text) const {
  if (!has_colour_) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

std::string labelled(std::string_view label, std::string_view value) {
  return "  " + std::string(label) + std::string(9 - std::min<std::size_t>(label.size(), 8), ' ') +
         base::printable(value) + "\n";
}

std::string printed_text(std::string_view printed, std::size_t most_lines) {
  constexpr std::string_view kEnd = "\\n";  // made printable
  std::vector<std::string_view> lines;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find(kEnd), printed.size());
    if (end > 0) lines.push_back(printed.substr(0, end));
    printed.remove_prefix(std::min(end + kEnd.size(), printed.size()));
  }
  const std::size_t left_out = lines.size() - std::min(lines.size(), most_lines);
  std::string text;
  if (left_out > 0) text += labelled("printed", counted(left_out, "line") + " before these");
  for (const std::string_view line : std::span(lines).subspan(left_out))
    text += labelled(text.empty() ? "printed" : "", line);
  return text;
}

std::string result_text(const CaseResult& result, const cases::Case* tested, const Style& style) {
  const bool failed = judging::is_nonconformance(result.verdict);
  const std::string_view verdict = judging::name(result.verdict);
  std::string text = failed                             ? style.bad(verdict)
                     : result.verdict == Verdict::kPass ? style.good(verdict)
                                                        : style.warn(verdict);
  text += " " + result.case_id + " [" + base::printable(result.backend) + "]";
  if (result.weak) text += " " + style.warn("weak");
  text += "\n";
  const auto line = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) text += labelled(label, value);
  };
  for (const judging::Choice choice : result.choices)
    line("chose", std::string(judging::text(choice).name) + " (" +
                      std::string(judging::text(choice).rule) + ")");
  if (result.verdict == Verdict::kPass) return text;
  if (failed && tested != nullptr) line("says", tested->says);
  if (!result.rule.empty()) {
    const RuleText* rule = find_rule(result.rule);
    line("rule", result.rule + (rule == nullptr ? "" : ": " + std::string(rule->statement)));
  }
  line("because", result.message);
  text += printed_text(result.printed, result.printed.size());
  if (failed) line("again", result.repro);
  return text;
}

std::string summary_text(const running::RunOutcome& outcome, const SummaryContext& context,
                         const Style& style) {
  std::map<std::string, std::vector<CaseResult>> by_backend;
  std::size_t weak = 0;
  std::size_t unnamed = 0;
  for (const CaseResult& result : outcome.results) {
    by_backend[result.backend].push_back(result);
    weak += result.weak ? 1 : 0;
    unnamed += result.unnamed_rule ? 1 : 0;
  }
  std::string text =
      counted(context.case_count, "case") + ", " + counted(context.backends.size(), "backend") +
      ", " + seconds_text(context.seconds, 2) + (outcome.interrupted ? ", interrupted" : "") + "\n";
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t others = 0;
  for (const std::string& backend : context.backends) {
    text += "  " + base::printable(backend) + ":";
    std::string separator = " ";
    for (const auto& [verdict, count] : running::count_verdicts(by_backend[backend])) {
      const std::string words = std::to_string(count) + " " + std::string(judging::name(verdict));
      const bool is_bad = judging::is_nonconformance(verdict);
      text += separator + (is_bad                      ? style.bad(words)
                           : verdict == Verdict::kPass ? style.good(words)
                                                       : style.warn(words));
      separator = ", ";
      (is_bad ? failed : verdict == Verdict::kPass ? passed : others) += count;
    }
    text += by_backend[backend].empty() ? " no results\n" : "\n";
  }
  if (weak > 0)
    text += "  " + counted(weak, "pass", "passes") +
            " marked weak: the contents could not have shown a wrong index\n";
  if (unnamed > 0)
    text += "  " + counted(unnamed, "rejection or error", "rejections and errors") +
            " right, but without a rule's name\n";
  if (!outcome.bad_input.empty())
    text +=
        "  " + style.bad(counted(outcome.bad_input.size(), "input") + " could not be used") + "\n";
  text += std::to_string(passed) + " passed, " + std::to_string(failed) + " failed";
  if (others > 0) text += ", " + std::to_string(others) + " skipped";
  return text + "\n";
}

void StatusLine::update(const std::function<std::string()>& text) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  (void)std::fprintf(stderr, "\r\033[K%s", text().c_str());
  (void)std::fflush(stderr);
  shown_ = true;
}

void StatusLine::clear() {
  if (shown_) (void)std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void Progress::step() {
  ++done_;
  line_.update([&] {
    const double left =
        stopwatch_.seconds() / static_cast<double>(done_) * static_cast<double>(total_ - done_);
    return std::to_string(done_) + " of " + std::to_string(total_) + ", " +
           std::to_string(done_ * 100 / total_) + " %, " + seconds_text(left, 0) + " left";
  });
}

}  // namespace opconform::reports
