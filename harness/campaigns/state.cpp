#include "harness/campaigns/state.h"

#include <cstdlib>

#include "harness/running/result_json.h"

namespace opconform::campaigns {
namespace {

constexpr int kVersion = 1;

/// What must be the same for two parts to be of one campaign.
base::Json settings_to_json(const CampaignOptions& options, const std::string& backend) {
  base::Json operators = base::Json::array();
  const CaseSource source(options.source);
  for (const std::size_t op : source.operators()) operators.push_back(all_operators()[op].name);
  base::Json json = {{"backend", backend}, {"seed", options.source.seed}, {"operators", operators}};
  if (!options.profile.empty()) json["profile"] = options.profile;
  if (options.source.at_most) json["feature_level"] = options.source.at_most->text();
  json["first"] = options.cases.first;
  json["strength"] = options.strength;
  json["sizes"] = kSizeProfileNames[static_cast<std::size_t>(options.source.sizes)];
  return json;
}

base::Json tally_to_json(const Tally& tally) {
  return {{"valid", tally.valid},
          {"broken", tally.broken},
          {"relations", tally.relations},
          {"freedom", tally.freedom},
          {"unsupported", tally.unsupported},
          {"failed", tally.failed},
          {"bytes", tally.bytes}};
}

base::Json combinations_to_json(const CombinationResult& result) {
  base::Json infeasible = base::Json::object();
  for (const auto& [rule, count] : result.count.infeasible) infeasible[std::string(rule)] = count;
  return {{"operator", all_operators()[result.operator_index].name},
          {"strength", result.strength},
          {"feasible", result.count.feasible},
          {"covered", result.count.covered},
          {"infeasible", infeasible}};
}

void add_diagnosis(const FindingDiagnosis& diagnosis, base::Json& finding) {
  finding["diagnosis"] = running::group_to_json(diagnosis.group);
  for (const FindingDiagnosis::Part& part : diagnosis.parts)
    finding["parts"].push_back(
        {{"cases", part.cases}, {"rule", part.rule}, {"says", part.says}, {"common", part.common}});
}

/// Reads the parts; every mistake names its place.
class StateReader {
 public:
  StateReader(const base::Json& json, const std::string& file)
      : file_(file), top_(json, root_, file_) {}

  Campaign read(const CampaignOptions& options, const std::string& backend) {
    if (number(top_, "version") != kVersion) top_.fail("version", "must be 1");
    check_settings(settings_to_json(options, backend));
    Campaign campaign;
    read_seconds(campaign);
    read_done(campaign);
    read_tallies(campaign);
    read_choices(campaign);
    read_findings(campaign);
    campaign.harness_errors = top_.find_strings("harness_errors");
    return campaign;
  }

 private:
  static std::uint64_t number(base::ObjectReader& reader, std::string_view key) {
    const base::Json& value = reader.require(key);
    if (!value.is_number_unsigned()) reader.fail(key, "must be a whole number, not negative");
    return value.get<std::uint64_t>();
  }
  /// A number of cases.
  static std::uint64_t count(base::ObjectReader& reader, std::string_view key, std::uint64_t most) {
    const std::uint64_t value = number(reader, key);
    if (value > most)
      reader.fail(key, "is " + std::to_string(value) + ", more than the cases that are done");
    return value;
  }
  static const base::Json& array(base::ObjectReader& reader, std::string_view key) {
    const base::Json& value = reader.require(key);
    if (!value.is_array()) reader.fail(key, "must be an array");
    return value;
  }

  /// Files of versions that kept no numbers have none.
  static std::vector<std::uint64_t> failing_numbers(base::ObjectReader& finding,
                                                    const CaseRanges& done) {
    std::vector<std::uint64_t> numbers;
    if (finding.find("failing") == nullptr) return numbers;
    for (const base::Json& number : array(finding, "failing")) {
      if (!number.is_number_unsigned())
        finding.fail("failing", "must hold numbers of cases, not " + base::excerpt(number));
      const auto value = number.get<std::uint64_t>();
      if (value == ~std::uint64_t{0} || !done.gaps({value, value + 1}).empty())
        finding.fail("failing", "names case " + std::to_string(value) + ", which is not done");
      numbers.push_back(value);
    }
    return numbers;
  }

  void check_settings(const base::Json& wanted) {
    const auto text = [](const base::Json* value) {
      if (value == nullptr) return std::string("none");
      return value->is_structured() ? base::words_of_others(value->dump(), 100)
                                    : base::excerpt(*value);
    };
    const base::Pointer at = top_.at("settings");
    base::ObjectReader settings(top_.require("settings"), at, file_);
    for (const char* key : {"backend", "profile", "seed", "operators", "feature_level", "first",
                            "strength", "sizes"}) {
      const base::Json* here = wanted.contains(key) ? &wanted[key] : nullptr;
      const base::Json* there = settings.find(key);
      if (here == nullptr ? there == nullptr : there != nullptr && *here == *there) continue;
      settings.fail(key, "is " + text(there) + ", of another campaign: this one has " + text(here));
    }
    settings.expect_no_others();
  }

  void read_seconds(Campaign& campaign) {
    constexpr double kMost = 1e12;
    const base::Json& seconds = top_.require("seconds");
    const std::optional<std::string> literal = base::decimal_literal(seconds);
    if (literal)
      campaign.seconds = std::strtod(literal->c_str(), nullptr);
    else if (seconds.is_number())
      campaign.seconds = seconds.get<double>();
    else
      campaign.seconds = -1;
    if (!(campaign.seconds >= 0 && campaign.seconds <= kMost))
      top_.fail("seconds", "must be a number from 0 to 1e12");
  }

  void read_done(Campaign& campaign) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
    for (const base::Json& range : array(top_, "done")) {
      const bool is_range = range.is_array() && range.size() == 2 &&
                            range[0].is_number_unsigned() && range[1].is_number_unsigned() &&
                            range[0] < range[1] && range[1] <= kMost;
      if (!is_range)
        top_.fail("done", "must hold pairs of ascending case numbers up to 2^63, not " +
                              (range.is_array() ? base::words_of_others(range.dump(), 60)
                                                : base::excerpt(range)));
      campaign.done.add({range[0], range[1]});
    }
  }

  void read_tallies(Campaign& campaign) {
    const base::Pointer at = top_.at("by_operator");
    base::ObjectReader by_operator(top_.require("by_operator"), at, file_);
    const std::uint64_t all = campaign.done.count();
    std::uint64_t left = all;
    for (std::size_t i = 0; i < campaign.tallies.size(); ++i) {
      const std::string_view name = all_operators()[i].name;
      const base::Json* found = by_operator.find(name);
      if (found == nullptr) continue;
      const base::Pointer tally_at = by_operator.at(name);
      base::ObjectReader tally(*found, tally_at, file_);
      Tally& read = campaign.tallies[i];
      left -= read.valid = count(tally, "valid", left);
      left -= read.broken = count(tally, "broken", left);
      left -= read.relations = count(tally, "relations", left);
      read.freedom = count(tally, "freedom", all);
      read.unsupported = count(tally, "unsupported", all);
      read.failed = count(tally, "failed", all);
      if (tally.find("bytes") != nullptr)
        read.bytes = number(tally, "bytes");  // younger than others
    }
    by_operator.expect_no_others();
  }

  void read_choices(Campaign& campaign) {
    if (top_.find("choices") == nullptr) return;
    const base::Pointer at = top_.at("choices");
    std::size_t place = 0;
    for (const base::Json& json : array(top_, "choices")) {
      const base::Pointer choice_at(at, place++);
      base::ObjectReader reader(json, choice_at, file_);
      const std::string name = reader.find_string("choice").value_or("");
      const auto choice = judging::parse_choice(reader.find_string("rule").value_or(""), name);
      if (!choice)
        reader.fail("choice", "no choice that the rule leaves: " + base::in_quotes(name));
      judging::count_of(*choice, campaign.choices) = count(reader, "cases", campaign.done.count());
    }
  }

  void read_findings(Campaign& campaign) {
    const base::Pointer at = top_.at("findings");
    std::size_t place = 0;
    for (const base::Json& json : array(top_, "findings")) {
      const base::Pointer finding_at(at, place++);
      base::ObjectReader finding(json, finding_at, file_);
      FindingKey key;
      const std::string op = finding.find_string("operator").value_or("");
      while (key.operator_index < std::variant_size_v<Operator> &&
             all_operators()[key.operator_index].name != op)
        ++key.operator_index;
      if (key.operator_index == std::variant_size_v<Operator>)
        finding.fail("operator", "no such operator: " + base::in_quotes(op));
      const std::string verdict = finding.find_string("verdict").value_or("");
      const std::optional<judging::Verdict> parsed = judging::parse_verdict(verdict);
      if (!parsed || !judging::is_nonconformance(*parsed))
        finding.fail("verdict", "no verdict of a finding: " + base::in_quotes(verdict));
      key.verdict = *parsed;
      key.rule = finding.find_string("rule").value_or("");
      const std::uint64_t cases = count(finding, "count", campaign.done.count());
      campaign.findings.restore(key, cases, failing_numbers(finding, campaign.done));
      for (const std::string_view list : {"examples", "alike"}) {
        std::size_t number = 0;
        for (const base::Json& example : array(finding, list)) {
          std::optional<Example> read = example_from_json(example);
          if (!read) finding.fail(list, "number " + std::to_string(number) + " is no shrunk case");
          ++number;
          if (read->interrupted) continue;  // its case is not done, and will be met again
          campaign.findings.probe(key, read->number, [&](std::uint64_t) { return *read; });
        }
      }
    }
  }

  const std::string& file_;
  const base::Pointer root_;
  base::ObjectReader top_;
};

}  // namespace

base::Json campaign_to_json(const Campaign& campaign, const CampaignOptions& options,
                            const std::string& backend, const PlaceOf& place_of) {
  base::Json json = {{"kind", "campaign"},
                     {"version", kVersion},
                     {"settings", settings_to_json(options, backend)}};
  std::uint64_t cases = 0;
  std::uint64_t bytes = 0;
  base::Json by_operator = base::Json::object();
  for (std::size_t i = 0; i < campaign.tallies.size(); ++i) {
    cases += campaign.tallies[i].cases();
    bytes += campaign.tallies[i].bytes;
    if (campaign.tallies[i].cases() > 0)
      by_operator[std::string(all_operators()[i].name)] = tally_to_json(campaign.tallies[i]);
  }
  json["cases"] = cases;
  json["bytes"] = bytes;
  json["seconds"] = campaign.seconds;
  const auto rate = [&](std::uint64_t count) {
    return campaign.seconds > 0 ? static_cast<double>(count) / campaign.seconds : 0;
  };
  json["rate"] = rate(cases);
  json["byte_rate"] = rate(bytes);
  if (campaign.interrupted) json["interrupted"] = true;
  json["by_operator"] = by_operator;
  if (campaign.choices != judging::ChoiceCounts{})
    running::add_choices(backend, campaign.choices, json["choices"]);
  if (!campaign.combinations.empty()) {
    json["combinations"] = base::Json::array();
    for (const CombinationResult& result : campaign.combinations)
      json["combinations"].push_back(combinations_to_json(result));
  }
  if (!campaign.harness_errors.empty()) json["harness_errors"] = campaign.harness_errors;
  json["findings"] = base::Json::array();
  for (const auto& [key, finding] : campaign.findings.list()) {
    base::Json examples = base::Json::array();
    for (std::size_t i = 0; i < finding.examples.size(); ++i) {
      examples.push_back(example_to_json(finding.examples[i]));
      const ExamplePlace place = place_of(key, i);
      examples.back()["file"] = place.file;
      examples.back()["repro"] = place.repro;
    }
    base::Json alike = base::Json::array();
    for (const Example& example : finding.alike) alike.push_back(example_to_json(example));
    json["findings"].push_back({{"operator", all_operators()[key.operator_index].name},
                                {"verdict", judging::name(key.verdict)},
                                {"rule", key.rule},
                                {"count", finding.count},
                                {"failing", finding.failing},
                                {"examples", examples},
                                {"alike", alike}});
    if (const auto found = campaign.diagnoses.find(key); found != campaign.diagnoses.end())
      add_diagnosis(found->second, json["findings"].back());
    if (const auto known = campaign.expected.find(key); known != campaign.expected.end())
      json["findings"].back()["expected"] = known->second;
  }
  json["done"] = base::Json::array();
  for (const CaseRange& range : campaign.done.list())
    json["done"].push_back({range.first, range.last});
  return json;
}

Campaign campaign_from_json(const std::string& text, const std::string& file,
                            const CampaignOptions& options, const std::string& backend) {
  const base::Json json = base::parse_json(text, file);
  return StateReader(json, file).read(options, backend);
}

}  // namespace opconform::campaigns
