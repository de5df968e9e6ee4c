#include "harness/running/result_json.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/cases/case_writer.h"
#include "harness/diagnosis/picture.h"
#include "harness/running/case_summary.h"

namespace opconform::running {
base::Json result_to_json(const judging::CaseResult& result) {
  base::Json json = {{"case", result.case_id},
                     {"backend", result.backend},
                     {"verdict", judging::name(result.verdict)},
                     {"rule", result.rule},
                     {"message", result.message},
                     {"repro", result.repro}};
  if (!result.printed.empty()) json["printed"] = result.printed;
  if (result.weak) json["weak"] = true;
  if (result.unnamed_rule) json["unnamed_rule"] = true;
  if (const double micros = std::round(result.seconds * 1e6); micros > 0)
    json["seconds"] = micros / 1e6;
  for (const judging::Choice choice : result.choices)
    json["choices"][std::string(judging::text(choice).rule)] = judging::text(choice).name;
  return json;
}

base::Json outcome_to_json(const JobOutcome& outcome) {
  if (!outcome.result) return {{"bad_input", outcome.bad_input}};
  base::Json json = result_to_json(*outcome.result);
  if (outcome.result->failed_execution > 0)
    json["failed_execution"] = outcome.result->failed_execution;
  if (outcome.result->threads > 0) json["threads"] = outcome.result->threads;
  if (outcome.result->plans > 0) json["plans"] = outcome.result->plans;
  if (!outcome.result->explained_by.empty()) json["explained_by"] = outcome.result->explained_by;
  if (!outcome.result->picture.empty()) json["picture"] = outcome.result->picture;
  return json;
}

std::optional<JobOutcome> outcome_from_json(std::string_view text) {
  const base::Json json = base::Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto text_of = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (json.contains("bad_input")) return JobOutcome{std::nullopt, text_of("bad_input")};
  const std::optional<judging::Verdict> verdict = judging::parse_verdict(text_of("verdict"));
  if (!verdict) return std::nullopt;
  judging::CaseResult result;
  result.case_id = text_of("case");
  result.backend = text_of("backend");
  result.verdict = *verdict;
  result.rule = text_of("rule");
  result.message = text_of("message");
  result.repro = text_of("repro");
  result.picture = text_of("picture");
  result.printed = text_of("printed");
  result.weak = json.contains("weak");
  if (const auto seconds = json.find("seconds"); seconds != json.end() && seconds->is_number())
    result.seconds = seconds->get<double>();
  result.unnamed_rule = json.contains("unnamed_rule");
  if (const auto number = json.find("failed_execution");
      number != json.end() && number->is_number_unsigned())
    result.failed_execution = number->get<unsigned>();
  if (const auto number = json.find("threads");
      number != json.end() && number->is_number_unsigned())
    result.threads = number->get<unsigned>();
  if (const auto number = json.find("plans"); number != json.end() && number->is_number_unsigned())
    result.plans = number->get<unsigned>();
  if (const auto names = json.find("explained_by"); names != json.end() && names->is_array())
    for (const base::Json& name : *names)
      if (name.is_string()) result.explained_by.push_back(name.get<std::string>());
  if (const auto choices = json.find("choices"); choices != json.end() && choices->is_object())
    for (const auto& item : choices->items())
      if (const auto choice = judging::parse_choice(
              item.key(), item.value().is_string() ? item.value().get<std::string>() : ""))
        result.choices.push_back(*choice);
  return JobOutcome{std::move(result), ""};
}

std::map<judging::Verdict, std::size_t> count_verdicts(
    std::span<const judging::CaseResult> results) {
  std::map<judging::Verdict, std::size_t> counts;
  for (const judging::CaseResult& result : results) ++counts[result.verdict];
  return counts;
}

std::map<std::string, judging::ChoiceCounts> count_choices(
    std::span<const judging::CaseResult> results) {
  std::map<std::string, judging::ChoiceCounts> counts;
  for (const judging::CaseResult& result : results)
    for (const judging::Choice choice : result.choices)
      ++judging::count_of(choice, counts[result.backend]);
  return counts;
}

void add_choices(const std::string& backend, const judging::ChoiceCounts& counts,
                 base::Json& list) {
  for (std::size_t i = 0; i < judging::all_choices().size(); ++i)
    if (counts[i] > 0)
      list.push_back({{"backend", backend},
                      {"rule", judging::all_choices()[i].rule},
                      {"choice", judging::all_choices()[i].name},
                      {"cases", counts[i]}});
}

namespace {

base::Json summary_to_json(const RunOutcome& outcome) {
  base::Json summary = base::Json::object();
  summary["pass"] = 0;
  for (const auto& [verdict, count] : count_verdicts(outcome.results))
    summary[std::string(judging::name(verdict))] = count;
  std::size_t weak = 0;
  std::size_t unnamed = 0;
  for (const judging::CaseResult& result : outcome.results) {
    weak += result.weak ? 1 : 0;
    unnamed += result.unnamed_rule ? 1 : 0;
  }
  if (weak > 0) summary["weak"] = weak;
  if (unnamed > 0) summary["unnamed_rule"] = unnamed;
  return summary;
}

base::Json cases_of(const RunOutcome& outcome, std::span<const cases::Case* const> cases) {
  std::set<std::string_view> has_result;
  for (const judging::CaseResult& result : outcome.results) has_result.insert(result.case_id);
  base::Json json = base::Json::array();
  for (const cases::Case* one : cases)
    if (has_result.contains(one->id)) json.push_back(case_summary_to_json(*one));
  return json;
}

/// A case to be pasted; none where it was not shrunk and is not small.
base::Json example_to_json(const judging::CaseResult& failure, const cases::Case* failing,
                           const Reduction* smallest) {
  constexpr std::uint64_t kMostElements = 256;
  if (smallest == nullptr && (failing == nullptr || total_elements(failing->op) > kMostElements))
    return nullptr;
  const cases::Case& shown = smallest == nullptr ? *failing : smallest->smallest;
  return {{"case", cases::cases_to_json({&shown, 1}, "")},
          {"message", smallest == nullptr ? failure.message : smallest->result.message},
          {"shrunk", smallest != nullptr},
          {"picture", diagnosis::picture_to_json(diagnosis::picture_of(
                          shown, smallest == nullptr ? failure : smallest->result))}};
}

}  // namespace

base::Json group_to_json(const diagnosis::Group& group) {
  base::Json json = {{"backend", group.backend},
                     {"verdict", judging::name(group.verdict)},
                     {"rule", group.rule},
                     {"says", group.says},
                     {"explanation", group.explanation},
                     {"failures", group.members.size()},
                     {"explained", group.explanation.empty() ? 0 : group.members.size()},
                     {"contradicted", group.contradicted}};
  if (group.rule.empty()) json["rules_shown"] = group.rules_shown;
  if (const diagnosis::Description& common = group.common; common.failing_all > 0)
    json["common"] = {{"text", common.text()},     {"conditions", common.conditions},
                      {"failing", common.failing}, {"failing_all", common.failing_all},
                      {"passing", common.passing}, {"passing_all", common.passing_all}};
  return json;
}

base::Json run_to_json(const RunOutcome& outcome, std::span<const cases::Case* const> cases,
                       std::span<const diagnosis::Group> groups, const Smallest& smallest,
                       std::uint64_t seed) {
  base::Json json = {{"kind", "results"}, {"version", 1}, {"seed", seed}};
  json["summary"] = summary_to_json(outcome);
  if (outcome.interrupted) json["interrupted"] = true;
  if (!outcome.bad_input.empty()) json["bad_input"] = outcome.bad_input;
  json["choices"] = base::Json::array();
  for (const auto& [backend, counts] : count_choices(outcome.results))
    add_choices(backend, counts, json["choices"]);
  json["groups"] = base::Json::array();
  std::map<std::size_t, std::size_t> group_of;
  for (const diagnosis::Group& group : groups) {
    const judging::CaseResult& failure = outcome.results[group.example];
    const auto failing = std::find_if(cases.begin(), cases.end(), [&](const cases::Case* one) {
      return one->id == failure.case_id;
    });
    const auto shrunk = smallest.find(group.example);
    for (const std::size_t member : group.members) group_of[member] = json["groups"].size();
    json["groups"].push_back(group_to_json(group));
    base::Json example = example_to_json(failure, failing == cases.end() ? nullptr : *failing,
                                         shrunk == smallest.end() ? nullptr : &shrunk->second);
    if (!example.is_null()) json["groups"].back()["example"] = std::move(example);
  }
  json["cases"] = cases_of(outcome, cases);
  json["results"] = base::Json::array();
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    json["results"].push_back(result_to_json(outcome.results[i]));
    if (const auto group = group_of.find(i); group != group_of.end())
      json["results"].back()["group"] = group->second;
    if (const auto shrunk = smallest.find(i); shrunk != smallest.end())
      json["results"].back()["shrunk"] = {
          {"case", cases::cases_to_json({&shrunk->second.smallest, 1}, "")},
          {"message", shrunk->second.result.message}};
  }
  return json;
}

}  // namespace opconform::running
