#include "harness/result_json.h"

namespace opconform::harness {
Json result_to_json(const CaseResult& result) {
  Json json = {{"case", result.case_id},          {"backend", result.backend},
               {"verdict", name(result.verdict)}, {"rule", result.rule},
               {"message", result.message},       {"repro", result.repro}};
  if (result.weak) json["weak"] = true;
  if (result.unnamed_rule) json["unnamed_rule"] = true;
  for (const Choice choice : result.choices)
    json["choices"][std::string(text(choice).rule)] = text(choice).name;
  return json;
}

Json outcome_to_json(const JobOutcome& outcome) {
  if (!outcome.result) return {{"bad_input", outcome.bad_input}};
  return result_to_json(*outcome.result);
}

std::optional<JobOutcome> outcome_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto text_of = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (json.contains("bad_input")) return JobOutcome{std::nullopt, text_of("bad_input")};
  const std::optional<Verdict> verdict = parse_verdict(text_of("verdict"));
  if (!verdict) return std::nullopt;
  CaseResult result;
  result.case_id = text_of("case");
  result.backend = text_of("backend");
  result.verdict = *verdict;
  result.rule = text_of("rule");
  result.message = text_of("message");
  result.repro = text_of("repro");
  result.weak = json.contains("weak");
  result.unnamed_rule = json.contains("unnamed_rule");
  if (const auto choices = json.find("choices"); choices != json.end() && choices->is_object())
    for (const auto& item : choices->items())
      if (const auto choice = parse_choice(
              item.key(), item.value().is_string() ? item.value().get<std::string>() : ""))
        result.choices.push_back(*choice);
  return JobOutcome{std::move(result), ""};
}

std::map<Verdict, std::size_t> count_verdicts(std::span<const CaseResult> results) {
  std::map<Verdict, std::size_t> counts;
  for (const CaseResult& result : results) ++counts[result.verdict];
  return counts;
}

std::map<std::string, ChoiceCounts> count_choices(std::span<const CaseResult> results) {
  std::map<std::string, ChoiceCounts> counts;
  for (const CaseResult& result : results)
    for (const Choice choice : result.choices) ++count_of(choice, counts[result.backend]);
  return counts;
}

void add_choices(const std::string& backend, const ChoiceCounts& counts, Json& list) {
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      list.push_back({{"backend", backend},
                      {"rule", kChoices[i].rule},
                      {"choice", kChoices[i].name},
                      {"cases", counts[i]}});
}

Json run_to_json(const RunOutcome& outcome, std::uint64_t seed) {
  Json summary = Json::object();
  summary["pass"] = 0;
  for (const auto& [verdict, count] : count_verdicts(outcome.results))
    summary[std::string(name(verdict))] = count;
  std::size_t weak = 0;
  std::size_t unnamed = 0;
  for (const CaseResult& result : outcome.results) {
    weak += result.weak ? 1 : 0;
    unnamed += result.unnamed_rule ? 1 : 0;
  }
  if (weak > 0) summary["weak"] = weak;
  if (unnamed > 0) summary["unnamed_rule"] = unnamed;
  for (const auto& [backend, counts] : count_choices(outcome.results))
    add_choices(backend, counts, summary["choices"]);

  Json json = {{"version", 1}, {"seed", seed}, {"summary", summary}};
  if (outcome.interrupted) json["interrupted"] = true;
  if (!outcome.bad_input.empty()) json["bad_input"] = outcome.bad_input;
  json["results"] = Json::array();
  for (const CaseResult& result : outcome.results)
    json["results"].push_back(result_to_json(result));
  return json;
}

}  // namespace opconform::harness
