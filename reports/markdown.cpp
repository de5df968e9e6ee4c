#include <algorithm>
#include <cmath>

#include "reports/coverage_report.h"
#include "reports/figures.h"
#include "reports/promise_text.h"
#include "reports/renderers.h"
#include "reports/report_view.h"

namespace opconform::reports {

using base::Json;

namespace {

/// More are in the other forms.
constexpr std::size_t kMostFailures = 50;
constexpr std::size_t kMostGroups = 20;
constexpr std::size_t kLongestMessage = 400;
constexpr std::size_t kLongestCase = 4000;

/// Text that Markdown and the HTML in it leave as it is, also in a cell of a table.
std::string plain(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_[]<>|&~@";
  std::string safe;
  for (const char c : base::words_of_others(text, kLongestMessage)) {
    if (kMarkup.find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

/// A code span; its fence is longer than any run of backticks inside. None stands in a table, whose
/// cells a pipe would end.
std::string code(std::string_view text) {
  const std::string inside = base::printable(text);
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : inside) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  const bool needs_space = inside.starts_with('`') || inside.ends_with('`');
  return fence + (needs_space ? " " : "") + inside + (needs_space ? " " : "") + fence;
}

std::string percent(double value) {
  char text[16];
  (void)std::snprintf(text, sizeof text, "%.1f %%", std::floor(value * 10) / 10);
  return text;
}

std::uint64_t count_of(const Json& object, const char* key) {
  return object.value(key, std::uint64_t{0});
}

std::string promises_quote(const Json& promises) {
  std::string text;
  for (const Json& promise : promises) {
    text += "> **Promise**: " + plain(promise_line(promise)) + ".\n";
    for (const Json& one : promise["differences"])
      text += "> - " + plain(text_of(one, "kind")) + ": " + plain(text_of(one, "says")) + "\n";
    text += "\n";
  }
  return text;
}

std::string inputs_text(const Json& report) {
  std::string text;
  for (const Json& input : report["inputs"]) {
    if (input.contains("interrupted"))
      text += "> **Interrupted**: " + plain(text_of(input, "file")) +
              " holds what was known when the run ended.\n\n";
    if (!input.contains("bad_input")) continue;
    text += "> **Could not be used**, says " + plain(text_of(input, "file")) + ":\n";
    for (const Json& message : input["bad_input"])
      text += "> - " + plain(message.get<std::string>()) + "\n";
    text += "\n";
  }
  for (const Json& input : report["inputs"]) {
    if (!input.contains("run")) continue;
    const Json& run = input["run"];
    text += plain(text_of(run, "program")) + ", " + plain(text_of(run, "started")) + ", " +
            plain(text_of(run, "processor")) + ", " + plain(text_of(run, "system")) + ", kernels " +
            plain(text_of(run, "kernels")) + "\n\n";
    break;
  }
  for (const auto& [backend, who] : implementations_of(report))
    text += "`" + plain(backend) + "` is " + plain(who) + "\n\n";
  return text;
}

std::string verdicts_text(const Json& verdicts) {
  std::string text;
  for (const auto& [verdict, count] : verdicts.items())
    text += (text.empty() ? "" : ", ") + grouped(count.get<std::uint64_t>()) + " " + plain(verdict);
  return text;
}

std::string results_text(const Json& results) {
  std::string text =
      "| implementation | cases | failed | verdicts |\n| --- | ---: | ---: | --- |\n";
  for (const Json& one : results["summary"])
    text += "| " + plain(text_of(one, "backend")) + " | " + grouped(count_of(one, "cases")) +
            " | " + grouped(count_of(one, "failed")) + " | " + verdicts_text(one["verdicts"]) +
            " |\n";
  return text + "\n";
}

/// A block of code on one line, which its fence cannot end early.
std::string code_block(const std::string& line) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : line) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return "  " + fence + "json\n  " + line + "\n  " + fence + "\n";
}

std::string group_text(const Json& group) {
  const std::string words = words_of_group(group);
  const std::string rule = text_of(group, "rule");
  std::string text = "- **" + plain(words.empty() ? text_of(group, "verdict") : words) + "**";
  if (!rule.empty()) text += ", " + code(rule);
  const std::uint64_t failures = count_of(group, "failures");
  text += " by " + plain(text_of(group, "backend")) + ": " + grouped(failures) +
          (failures == 1 ? " failure" : " failures");
  if (!words.empty()) text += " (" + plain(text_of(group, "verdict")) + ")";
  if (!text_of(group, "explanation").empty())
    text += ", " + grouped(count_of(group, "explained")) + " explained exactly";
  text += "\n";
  if (group.contains("common")) {
    const Json& common = group["common"];
    text += "  in common: " + plain(text_of(common, "text")) + " (" +
            grouped(count_of(common, "failing")) + " of " +
            grouped(count_of(common, "failing_all")) + " failures, " +
            grouped(count_of(common, "passing")) + " of " +
            grouped(count_of(common, "passing_all")) + " passes)\n";
  }
  if (!group.contains("example")) return text;
  const Json& example = group["example"];
  text += "  " + plain(text_of(example, "message")) + "\n";
  const std::string line = example["case"].dump(-1, ' ', true, Json::error_handler_t::replace);
  return line.size() > kLongestCase ? text : text + code_block(line);
}

std::string failures_text(const Json& results) {
  const Json& failures = results["failures"];
  if (failures.empty()) return "";
  std::string text = "## Failures\n\n";
  const Json& groups = results["groups"];
  for (std::size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i)
    text += group_text(groups[i]);
  if (groups.size() > kMostGroups)
    text += "\nand " + grouped(groups.size() - kMostGroups) + " more groups.\n";
  text += "\n### Cases that failed\n\n";
  const std::size_t shown = std::min(failures.size(), kMostFailures);
  for (std::size_t i = 0; i < shown; ++i) {
    const Json& one = failures[i];
    text += "- " + code(text_of(one, "case")) + " on " + plain(text_of(one, "backend")) + ": **" +
            plain(text_of(one, "verdict")) + "**";
    if (const std::string rule = text_of(one, "rule"); !rule.empty()) text += ", " + code(rule);
    text += "\n  " + plain(text_of(one, "message")) + "\n  again: " + code(text_of(one, "repro")) +
            "\n";
  }
  if (failures.size() > shown)
    text +=
        "\nand " + grouped(failures.size() - shown) + " more: see the other forms of the report.\n";
  return text + "\n";
}

std::string campaigns_text(const Json& campaigns) {
  std::string text =
      "## Generated cases\n\n| implementation | seed | cases | cases a second | findings |\n"
      "| --- | ---: | ---: | ---: | ---: |\n";
  std::string findings;
  for (const Json& one : campaigns) {
    const double seconds = one["seconds"];
    const auto cases = count_of(one, "cases");
    text += "| " + plain(text_of(one, "backend")) + " | " + std::to_string(count_of(one, "seed")) +
            " | " + grouped(cases) + " | " +
            (seconds > 0 ? grouped(static_cast<std::uint64_t>(per_second(cases, seconds))) : "") +
            " | " + std::to_string(one["findings"].size()) + " |\n";
    for (const Json& finding : one["findings"]) {
      findings += "- " + plain(text_of(finding, "operator")) + ": **" +
                  plain(text_of(finding, "verdict")) + "**";
      if (const std::string rule = rule_of_finding(finding); !rule.empty())
        findings += ", " + code(rule);
      findings += ", " + grouped(count_of(finding, "count")) + " cases";
      if (finding.contains("expected"))
        findings += ", expected: " + plain(text_of(finding, "expected"));
      findings += "\n";
      if (finding.contains("diagnosis"))
        if (const std::string words = words_of_group(finding["diagnosis"]); !words.empty())
          findings += "  " + plain(words) + "\n";
      if (finding["examples"].empty()) continue;
      const Json& example = finding["examples"][0];
      findings += "  " + plain(text_of(example, "message")) + "\n";
      if (const std::string repro = text_of(example, "repro"); !repro.empty())
        findings += "  again: " + code(repro) + "\n";
    }
  }
  return text + "\n" + (findings.empty() ? "" : findings + "\n");
}

std::string grids_text(const Json& grids) {
  std::string text =
      "## Support grid\n\n| implementation | cells | not offered | wrong |\n"
      "| --- | ---: | ---: | ---: |\n";
  std::string wrong;
  for (const Json& grid : grids) {
    const Json& total = grid["total"];
    text += "| " + plain(text_of(grid, "backend")) + " | " + grouped(count_of(total, "cells")) +
            " | " + grouped(count_of(total, "unsupported")) + " | " +
            grouped(count_of(total, "wrong")) + " |\n";
    std::size_t shown = 0;
    for (const Json& one : grid["wrong"])
      if (shown++ < kMostMissingNamed)
        wrong += "- " + plain(text_of(grid, "backend")) + ", " + plain(text_of(one, "cell")) +
                 "\n  " + plain(text_of(one, "message")) + "\n";
    if (shown > kMostMissingNamed)
      wrong += "\nand " + grouped(shown - kMostMissingNamed) +
               " more: see the other forms of the report.\n\n";
  }
  return text + "\n" + (wrong.empty() ? "" : wrong + "\n");
}

std::string speed_text(const Json& speed) {
  std::string text =
      "## Speed\n\nTime as a multiple of a plain copy of as many bytes; then that of others as a "
      "multiple of this implementation's.\n\n| cell | copy | others |\n| --- | ---: | --- |\n";
  const auto ratio = [](const Json& value) {
    char digits[32];
    (void)std::snprintf(digits, sizeof digits, "%.2f", value.get<double>());
    return std::string(digits);
  };
  for (const Json& cell : speed["cells"]) {
    std::string others;
    for (const auto& [name, factor] : cell["contenders"].items())
      others += (others.empty() ? "" : ", ") + plain(name) + " " + ratio(factor);
    text += "| " + plain(text_of(cell, "cell")) + " | " + ratio(cell["over_limit"]) + " | " +
            others + " |\n";
  }
  return text + "\n";
}

std::string documents_text(const Json& coverage) {
  std::string missing;
  std::size_t count = 0;
  const auto add = [&](const Json& of, const char* name) {
    for (const Json& one : of["missing"])
      if (count++ < kMostMissingNamed)
        missing += "- " + plain(text_of(of, name)) + ": " + plain(one.get<std::string>()) + "\n";
  };
  for (const Json& group : coverage["groups"]) add(group, "group");
  for (const Json& one : coverage["combinations"]) add(one, "combinations");
  const Json& total = coverage["total"];
  std::string text = "## Coverage of the documents\n\n";
  text += missing.empty()
              ? "Nothing is missing.\n\n"
              : "Not reached" + std::string(count > kMostMissingNamed ? ", the first" : "") +
                    ":\n\n" + missing + "\n";
  text += "| | reached | reachable | |\n| --- | ---: | ---: | ---: |\n";
  const auto row = [&](const std::string& name, const Json& share) {
    text += "| " + plain(name) + " | " + grouped(count_of(share, "reached")) + " | " +
            grouped(count_of(share, "reachable")) + " | " + percent(share["percent"]) + " |\n";
  };
  row("all groups", total);
  for (const Json& one : coverage["combinations"]) row(text_of(one, "combinations"), one);
  return text + "\n";
}

std::string selftest_text(const Json& selftest) {
  std::size_t bugs = 0;
  std::size_t caught = 0;
  std::size_t permitted = 0;
  std::size_t accused = 0;
  std::string wrong;
  for (const Json& suspect : selftest["suspects"]) {
    const bool is_bug = suspect["is_bug"];
    const bool good = suspect["as_it_should"];
    (is_bug ? bugs : permitted) += 1;
    caught += is_bug && good ? 1U : 0U;
    accused += !is_bug && !good ? 1U : 0U;
    if (!good)
      wrong += std::string("- ") + (is_bug ? "survived: " : "accused: ") +
               plain(text_of(suspect, "name")) + ": " + plain(text_of(suspect, "says")) + "\n";
  }
  return "## Planted bugs\n\n" + grouped(caught) + " of " + grouped(bugs) + " caught; " +
         grouped(accused) + " of " + grouped(permitted) + " permitted ones accused.\n\n" +
         (wrong.empty() ? "" : wrong + "\n");
}

std::string code_text(const Json& coverage) {
  std::string text =
      "## Coverage of the code\n\n| module | lines | branches | regions |\n"
      "| --- | ---: | ---: | ---: |\n";
  for (const Json& module : coverage["modules"]) {
    text += "| " + plain(text_of(module, "module"));
    for (const char* key : {"lines", "branches", "regions"})
      text +=
          " | " + (count_of(module[key], "reachable") == 0 ? "–" : percent(module[key]["percent"]));
    text += " |\n";
  }
  return text + "\n";
}

std::string mutation_text(const Json& mutation) {
  std::string text =
      "## Mutation score\n\n| module | killed | survived | equivalent | score |\n"
      "| --- | ---: | ---: | ---: | ---: |\n";
  for (const auto& [name, counts] : mutation["modules"].items()) {
    const auto killed = count_of(counts, "killed");
    const auto survived = count_of(counts, "survived");
    text += "| " + plain(name) + " | " + grouped(killed) + " | " + grouped(survived) + " | " +
            grouped(count_of(counts, "equivalent")) + " | ";
    if (killed + survived > 0)
      text += percent(100.0 * static_cast<double>(killed) / static_cast<double>(killed + survived));
    text += " |\n";
  }
  return text + "\n";
}

}  // namespace

std::string report_as_markdown(const Json& report) {
  std::string text = "# " + plain(text_of(report, "title")) + "\n\n";
  const auto section = [&](const char* key, auto&& make) {
    if (report.contains(key)) text += make(report[key]);
  };
  section("promises", promises_quote);
  text += inputs_text(report);
  section("results", results_text);
  section("results", failures_text);
  section("campaigns", campaigns_text);
  section("grids", grids_text);
  section("coverage", documents_text);
  section("selftest", selftest_text);
  section("code", code_text);
  section("mutation", mutation_text);
  section("speed", speed_text);
  return text;
}

}  // namespace opconform::reports
