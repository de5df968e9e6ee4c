#include "reports/group_text.h"

#include "harness/base/text.h"
#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"
#include "reports/figures.h"
#include "reports/terminal.h"

namespace opconform::reports {
namespace {

constexpr std::size_t kMostPrinted = 5;  // lines: the rest is in the JSON, and with --verbose

/// "mismatch in 1,435 cases [optimized]", "mismatch CASE [optimized]"
std::string heading(const diagnosis::Group& group, const std::string& example_id,
                    const Style& style) {
  const std::size_t count = group.members.size();
  return style.bad(judging::name(group.verdict)) +
         (count == 1 ? " " + example_id : " in " + grouped(count) + " cases") + " [" +
         base::printable(group.backend) + "]";
}

/// "starts at the window's end; gives exactly what was found in 12 of 12 cases"
std::string breach_text(const diagnosis::Group& group) {
  if (group.says.empty()) return "";
  std::string text = group.says;
  if (group.contradicted > 0)
    text += "; but " + grouped(group.contradicted) +
            (group.contradicted == 1 ? " case passes that it should fail"
                                     : " cases pass that it should fail");
  return text;
}

/// A line with that label; empty where there is no value.
std::string line(std::string_view label, const std::string& value) {
  return value.empty() ? "" : labelled(label, value);
}

/// "some InputWindowStrides[i] < 0: 1,435 of 1,435 fail, 2 of 9,384 that pass"
std::string common_text(const diagnosis::Description& common) {
  if (common.conditions.empty()) return "";
  return common.text() + ": " + grouped(common.failing) + " of " + grouped(common.failing_all) +
         " failures, " + grouped(common.passing) + " of " + grouped(common.passing_all) + " passes";
}

std::string rule_with_statement(const std::string& name) {
  const RuleText* rule = find_rule(name);
  return rule == nullptr ? name : name + ": " + std::string(rule->statement);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::string breach_lines(const diagnosis::Group& group) {
  std::string text =
      line("does", breach_text(group)) + line("rule", rule_with_statement(group.rule));
  if (!group.rule.empty()) return text;
  const std::string rules = joined(group.rules_shown);
  if (!group.says.empty()) return text + line("shows", rules);
  return text + line("shows", (rules.empty() ? "no rule that all of them show" : rules) +
                                  " (no known misreading of a rule explains it)");
}

std::string common_line(const diagnosis::Group& group) {
  return line("common", common_text(group.common));
}

std::string group_line(const diagnosis::Group& group, const judging::CaseResult& example,
                       const Style& style) {
  std::string text = heading(group, example.case_id, style);
  for (const std::string& part : {group.rule, breach_text(group)})
    if (!part.empty()) text += ": " + base::printable(part);
  return text + "\n";
}

std::string group_text(const diagnosis::Group& group, const cases::Case& tested,
                       const judging::CaseResult& example, const running::Reduction* smallest,
                       const Style& style) {
  std::string text = heading(group, example.case_id, style) + "\n";
  if (group.members.size() == 1) text += line("says", tested.says);
  text += breach_lines(group);
  if (group.members.size() > 1) text += common_line(group) + line("case", example.case_id);
  text += line("because", smallest == nullptr ? example.message : smallest->result.message);
  const bool is_of_smallest = smallest != nullptr && !smallest->result.printed.empty();
  text += printed_text(is_of_smallest ? smallest->result.printed : example.printed, kMostPrinted);
  text += line("again", example.repro);
  if (smallest != nullptr)
    text += cases::pretty(cases::cases_to_json({&smallest->smallest, 1}, ""));
  return text;
}

}  // namespace opconform::reports
