#include "reports/campaign.h"

#include <algorithm>
#include <numeric>

#include "harness/cases/case_writer.h"
#include "harness/relations/relations.h"
#include "reports/columns.h"
#include "reports/figures.h"
#include "reports/group_text.h"

namespace opconform::reports {

using campaigns::Campaign;
using campaigns::CombinationResult;

namespace {

/// Never 100 % of something that is not whole.
std::string percent(std::uint64_t part, std::uint64_t whole) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.2f %%",
                      whole == 0      ? 100.0
                      : part == whole ? 100.0
                                      : std::min(99.99, 100.0 * static_cast<double>(part) /
                                                            static_cast<double>(whole)));
  return text;
}

campaigns::Tally total_of(const Campaign& campaign) {
  return std::accumulate(
      campaign.tallies.begin(), campaign.tallies.end(), campaigns::Tally(),
      [](campaigns::Tally sum, const campaigns::Tally& one) { return sum += one; });
}
std::string rate_text(const Campaign& campaign, std::uint64_t cases) {
  return grouped(static_cast<std::uint64_t>(per_second(cases, campaign.seconds))) + " cases/s";
}
std::string byte_rate_text(const Campaign& campaign, std::uint64_t bytes) {
  constexpr double kMega = 1e6;
  return grouped(static_cast<std::uint64_t>(per_second(bytes, campaign.seconds) / kMega)) + " MB/s";
}
std::string finding_count(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " finding" : " findings");
}

/// A rule's or a relation's name and statement.
std::string rule_text(const std::string& name) {
  const RuleText* rule = find_rule(name);
  if (rule != nullptr) return name + ": " + std::string(rule->statement);
  if (const relations::RelationText* relation = relations::find_relation(name))
    return name + ": " + std::string(relation->statement);
  return name;
}

/// On one line, all in ASCII.
std::string case_text(const campaigns::Example& example) {
  return cases::cases_to_json({&example.reduction.smallest, 1}, "")
      .dump(-1, ' ', true, base::Json::error_handler_t::replace);
}

/// What the first cases show, what all that were looked at have in common, and what they do.
std::string diagnosis_lines(const campaigns::FindingDiagnosis& diagnosis) {
  constexpr std::size_t kMostParts = 6;
  std::string text = breach_lines(diagnosis.group) + common_line(diagnosis.group);
  const std::string looked_at = "at " + grouped(diagnosis.looked_at) + " of them";
  if (diagnosis.parts.size() <= 1)
    return text + labelled("looked", looked_at + ": all have this cause");
  text += labelled("looked", looked_at + ":");
  std::size_t rest = diagnosis.looked_at;
  for (std::size_t i = 0; i < std::min(kMostParts, diagnosis.parts.size()); ++i) {
    const campaigns::FindingDiagnosis::Part& part = diagnosis.parts[i];
    rest -= part.cases;
    text += labelled("", grouped(part.cases) + " " +
                             (part.says.empty() ? "explained by no known misreading" : part.says) +
                             (part.rule.empty() ? "" : " (" + base::printable(part.rule) + ")"));
  }
  return text + (rest == 0 ? "" : labelled("", grouped(rest) + " in smaller groups"));
}

std::string findings_text(const Campaign& campaign, const campaigns::PlaceOf& place_of,
                          const Style& style) {
  std::string text;
  for (const auto& [key, finding] : campaign.findings.list()) {
    // Where the campaign was interrupted, those with an example may not be counted yet.
    const std::uint64_t count =
        std::max<std::uint64_t>(finding.count, finding.examples.size() + finding.alike.size());
    text += style.bad(judging::name(key.verdict)) + " " +
            std::string(all_operators()[key.operator_index].name) + ": " + grouped(count) +
            (count == 1 ? " case" : " cases") + "\n";
    if (const auto known = campaign.expected.find(key); known != campaign.expected.end())
      text += labelled("expected", base::printable(known->second));
    const bool is_relation = relations::find_relation(key.rule) != nullptr;
    const auto line = [&](std::string_view label, const std::string& value) {
      if (!value.empty()) text += labelled(label, value);
    };
    if (const auto found = campaign.diagnoses.find(key); found != campaign.diagnoses.end())
      text += diagnosis_lines(found->second);
    else if (!key.rule.empty())
      line(is_relation ? "relation" : "rule", rule_text(key.rule));
    for (std::size_t i = 0; i < finding.examples.size(); ++i) {
      const campaigns::Example& example = finding.examples[i];
      const campaigns::ExamplePlace place = place_of(key, i);
      line("smallest", "case " + std::to_string(example.number) +
                           (example.signature.empty() ? "" : ", " + example.signature) +
                           (example.reduction.reproduced ? "" : "; not shrunk"));
      const judging::CaseResult& result = example.reduction.result;
      const bool is_other = !example.reduction.reproduced && result.verdict != key.verdict;
      line("because",
           (is_other ? "alone, " + std::string(judging::name(result.verdict)) + ": " : "") +
               result.message);
      line("again", place.repro);
      if (place.file.empty()) line("case", case_text(example));  // that is nowhere else
    }
  }
  return text;
}

std::string operators_text(const Campaign& campaign) {
  constexpr std::size_t kName = 12;
  constexpr std::size_t kNumber = 13;
  std::string text = "  " + left("", kName);
  for (const char* column : {"valid", "broken", "relations", "freedom", "unsupported", "failed"})
    text += right(column, kNumber);
  text += "\n";
  for (std::size_t i = 0; i < campaign.tallies.size(); ++i) {
    const campaigns::Tally& tally = campaign.tallies[i];
    if (tally.cases() == 0) continue;
    text += "  " + left(std::string(all_operators()[i].name), kName);
    for (const std::uint64_t number : {tally.valid, tally.broken, tally.relations, tally.freedom,
                                       tally.unsupported, tally.failed})
      text += right(grouped(number), kNumber);
    text += "\n";
  }
  return text;
}

std::string choices_text(const Campaign& campaign) {
  constexpr std::size_t kRule = 28;
  constexpr std::size_t kChoice = 34;
  std::string text;
  for (std::size_t i = 0; i < judging::all_choices().size(); ++i)
    if (campaign.choices[i] > 0)
      text += "  " + left(std::string(judging::all_choices()[i].rule), kRule) +
              left(std::string(judging::all_choices()[i].name), kChoice) +
              right(grouped(campaign.choices[i]), 12) + "\n";
  return text.empty() ? "" : "choices, where freedom is taken\n" + text;
}

std::string combinations_text(const Campaign& campaign, const Style& style) {
  std::string text;
  for (const CombinationResult& result : campaign.combinations) {
    const generation::CombinationCount& count = result.count;
    const std::string covered = percent(count.covered, count.feasible);
    text += "  " + left(std::string(all_operators()[result.operator_index].name), 13) +
            std::to_string(result.strength) + "-way  " + right(grouped(count.covered), 12) +
            " of " + right(grouped(count.feasible), 12) + " feasible  " +
            (count.covered == count.feasible ? style.good(covered) : style.warn(covered)) + "\n";
    if (count.infeasible.empty()) continue;
    text += "             infeasible:";
    std::string separator = " ";
    for (const auto& [rule, number] : count.infeasible) {
      text += separator + grouped(number) + " " + std::string(rule);
      separator = ", ";
    }
    text += "\n";
  }
  return text.empty() ? "" : "combinations of factors\n" + text;
}

}  // namespace

std::string campaign_progress_text(const Campaign& campaign, std::uint64_t running) {
  const std::uint64_t cases = total_of(campaign).cases() + running;
  return grouped(cases) + " cases, " + rate_text(campaign, cases) + ", " +
         finding_count(campaign.findings.list().size()) + ", " + seconds_text(campaign.seconds);
}

std::string campaign_summary_text(const Campaign& campaign, const Style& style) {
  const campaigns::Tally all = total_of(campaign);
  const std::size_t findings = campaign.findings.list().size();
  const std::size_t expected = campaign.expected.size();
  const std::string closing =
      finding_count(findings) +
      (expected == 0 ? "" : ", " + std::to_string(expected) + " of them expected");
  return grouped(all.cases()) + " cases in " + seconds_text(campaign.seconds) + ", " +
         rate_text(campaign, all.cases()) + ", " + byte_rate_text(campaign, all.bytes) + ", " +
         (findings == expected ? style.good(closing) : style.bad(closing)) +
         (campaign.interrupted ? ", interrupted" : "") + "\n";
}

std::string campaign_text(const Campaign& campaign, const std::string& backend, std::uint64_t seed,
                          const campaigns::PlaceOf& place_of, const Style& style) {
  return findings_text(campaign, place_of, style) + base::printable(backend) + ", seed " +
         std::to_string(seed) + "\n" + operators_text(campaign) + choices_text(campaign) +
         combinations_text(campaign, style) + campaign_summary_text(campaign, style);
}

}  // namespace opconform::reports
