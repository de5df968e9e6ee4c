#include "cli/certificate/statements.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "cli/certificate/certificate.h"
#include "cli/certificate/own_commands.h"
#include "cli/shell.h"
#include "harness/backends/promise_file.h"
#include "harness/generation/combinations.h"
#include "harness/generation/generator.h"
#include "harness/judging/verdict.h"
#include "reports/coverage_report.h"
#include "reports/report_results.h"
#include "reports/spec_json.h"

namespace opconform::cli {

using base::Json;

namespace {

std::uint64_t count_at(const Json& object, const char* key) {
  return object.at(key).get<std::uint64_t>();
}

std::uint64_t sum_of(const Json& counts) {
  std::uint64_t sum = 0;
  for (const Json& one : counts) sum += one.get<std::uint64_t>();
  return sum;
}

Json without(Json object, const char* key) {
  object.erase(key);
  return object;
}

Json keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

Json sorted(const Json& object) {
  Json copy = Json::object();
  for (const Json& key : keys_of(object))
    copy[key.get<std::string>()] = object.at(key.get<std::string>());
  return copy;
}

/// How many cases have each verdict.
Json tally(const Json& cases) {
  std::map<std::string, std::uint64_t> verdicts;
  for (const Json& one : cases) ++verdicts[one.at("verdict").get<std::string>()];
  return verdicts;
}

/// Cases with that verdict which the list does not have.
Json missing_from(const Json& list, const Json& wanted) {
  std::set<std::pair<std::string, std::string>> listed;
  for (const Json& one : list)
    listed.emplace(one.at("case").get<std::string>(), one.at("verdict").get<std::string>());
  Json missing = Json::array();
  for (const Json& one : wanted)
    if (!listed.contains({one.at("case").get<std::string>(), one.at("verdict").get<std::string>()}))
      missing.push_back(one);
  return missing;
}

/// What stands behind the words, up to `end`, or to the text's end; empty where they are not there.
std::string after(const std::string& text, const std::string& words, char end) {
  const std::size_t begin = text.find(words);
  if (begin == std::string::npos) return "";
  return text.substr(begin + words.size(),
                     text.find(end, begin + words.size()) - (begin + words.size()));
}

class Statements {
 public:
  explicit Statements(const Json& report)
      : report_(report),
        certificate_(report.at("certificate")),
        backend_(certificate_.at("backend")),
        profile_(certificate_.value("profile", "")),
        seed_(certificate_.at("seed")) {}

  std::vector<Statement> all() && {
    if (!of_parts()) return std::move(list_);
    of_steps();
    of_inputs();
    of_conclusions();
    of_results();
    of_campaign();
    of_grid();
    of_coverage();
    of_planted_bugs();
    add("rules, support tables and errata", report_.at("spec"), known_spec());
    return std::move(list_);
  }

 private:
  void add(std::string what, Json certified, Json found) {
    list_.push_back({std::move(what), std::move(certified), std::move(found)});
  }

  /// As a report has it.
  [[nodiscard]] Json promised() const {
    Json json = backends::to_json(backend_, backends::find_promise(profile_));
    json.erase("promise");
    return json;
  }

  /// As this program has it, without what older ones did not list.
  [[nodiscard]] Json known_spec() const {
    Json spec = reports::spec_to_json();
    const Json& certified = report_.at("spec").at("operators");
    Json& operators = spec.at("operators");
    for (std::size_t i = 0; i < std::min(operators.size(), certified.size()); ++i)
      if (!certified[i].contains("fields")) operators[i].erase("fields");
    return spec;
  }

  /// False where there is no use in going on.
  bool of_parts() {
    std::set<std::string> expected = {"kind",    "version",  "title",    "program",
                                      "inputs",  "spec",     "grids",    "campaigns",
                                      "results", "coverage", "selftest", "certificate"};
    for (const Json& input : report_.at("inputs"))
      if (const std::string kind = input.at("kind");
          kind == "code" || kind == "mutation" || kind == "speed")
        expected.insert(kind);
    std::set<std::string> of_certificate = {"backend",    "corpus",  "figures", "generated_cases",
                                            "incomplete", "program", "run",     "seed",
                                            "steps",      "verdict"};
    if (certificate_.contains("sha256")) of_certificate.insert("sha256");
    if (!profile_.empty()) {
      expected.insert("promises");
      of_certificate.insert("profile");
    }
    add("parts", keys_of(report_), expected);
    add("parts of the certificate", keys_of(certificate_), of_certificate);
    add("version of the report's form", report_.at("version"), 1);
    for (const char* key : {"campaigns", "grids"})
      add(std::string("number of ") + key, report_.at(key).size(), 1);
    add("number of commands", certificate_.at("steps").size(), kSteps.size());
    add("title", report_.at("title"), certificate_title(backend_.get<std::string>(), profile_));
    if (!profile_.empty() && report_.contains("promises"))
      add("promise", report_.at("promises"), Json::array({promised()}));
    add("program", report_.at("program"), certificate_.at("program").at("version"));
    return std::all_of(list_.begin(), list_.end(),
                       [](const Statement& one) { return one.certified == one.found; });
  }

  /// Where the cases lie and how many jobs there were stands in the commands alone.
  void of_steps() {
    const Json& steps = certificate_.at("steps");
    const auto command = [&](std::size_t place) {
      return steps.at(place).at("command").get<std::string>();
    };
    const std::string corpus = " " + after(command(0), " verify ", '\n');
    const std::string jobs = after(command(1), " --jobs ", ' ');
    constexpr std::string_view kCorpus = " CORPUS";
    const std::vector<std::vector<std::string>> expected = steps_of(
        {backend_, profile_, seed_, count_at(certificate_, "generated_cases")},
        std::string(kCorpus.substr(1)), jobs, [](const std::string& name) { return name; });
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::string text = shell_text(expected[i]);
      if (const std::size_t at = text.find(kCorpus); at != std::string::npos)
        text.replace(at, kCorpus.size(), corpus);
      add("command " + std::to_string(i + 1), command(i), text);
    }
  }

  void of_inputs() {
    const Json& inputs = report_.at("inputs");
    constexpr std::array<std::size_t, kStepFiles.size()> kStepOf = {1, 0, 2, 0, 3, 4};
    for (std::size_t i = 0; i < kStepFiles.size(); ++i) {
      const Json& input = inputs.at(i);
      const std::string name(kStepFiles[i].first);
      add("file " + std::to_string(i + 1), {input.at("file"), input.at("kind")},
          {name, kStepFiles[i].second});
      for (const char* key : {"interrupted", "bad_input"})
        add(name + ": " + key, input.contains(key), false);
      if (input.contains("seed")) add(name + ": seed", input.at("seed"), seed_);
      if (kStepOf[i] != 0)
        add(name + ": command", input.at("run").at("command"),
            certificate_.at("steps").at(kStepOf[i]).at("command"));
    }
  }

  void of_conclusions() {
    const Json& figures = certificate_.at("figures");
    const Json conclusions = conclusions_from(report_, certificate_.at("steps"));
    add("figures", keys_of(figures), keys_of(conclusions.at("figures")));
    for (const auto& [name, found] : conclusions.at("figures").items())
      add("figures of " + name + ", beside the report's",
          without(figures.value(name, Json::object()), "not_passed"), found);
    for (const char* key : {"verdict", "incomplete"})
      add(std::string(key) + ", beside the figures and exit codes", certificate_.at(key),
          conclusions.at(key));
    add("generated cases", certificate_.at("generated_cases"),
        report_.at("campaigns").at(0).at("cases"));
  }

  void of_results() {
    const Json& results = report_.at("results");
    add("implementation of the cases", results.at("backends"), Json::array({backend_}));
    const Json known = reports::ResultsTable().to_json();
    for (const char* key : {"verdicts", "nonconforming", "columns"})
      add(std::string(key) + " of the results", results.at(key), known.at(key));
    const Json& summary = results.at("summary").at(0);
    const Json& verdicts = summary.at("verdicts");
    add("implementation in the summary", summary.at("backend"), backend_);
    add("cases, beside their verdicts", summary.at("cases"), sum_of(verdicts));
    std::uint64_t failed = 0;
    for (const auto& [name, cases] : verdicts.items())
      if (const auto verdict = judging::parse_verdict(name);
          !verdict || judging::is_nonconformance(*verdict))
        failed += cases.get<std::uint64_t>();
    add("cases that failed, beside their verdicts", summary.at("failed"), failed);
    add("cases, beside those listed and left out", summary.at("cases"),
        results.at("rows").size() + count_at(results, "left_out"));
    add("cases that failed, beside those listed and left out", summary.at("failed"),
        results.at("failures").size() + count_at(results, "failures_left_out"));

    const Json& not_passed = certificate_.at("figures").at("cases").at("not_passed");
    const Json of_rows = not_passed_of(results);
    add("cases that did not pass, by verdict", tally(not_passed),
        sorted(without(verdicts, "pass")));
    add("cases that did not pass, and are not listed", Json::array(),
        missing_from(not_passed, of_rows));
    add("failures of cases with another verdict", missing_from(not_passed, results.at("failures")),
        Json::array());
    for (const Json& failure : results.at("failures"))
      if (failure.at("backend") != backend_)
        add("implementation of a failure", failure.at("backend"), backend_);
  }

  void of_campaign() {
    const Json& campaign = report_.at("campaigns").at(0);
    add("implementation of the campaign", campaign.at("backend"), backend_);
    add("seed of the campaign", campaign.at("seed"), seed_);
    add("combinations of the campaign", campaign.at("strength"), 3);
    add("errors of the campaign", campaign.contains("harness_errors"), false);
    std::uint64_t cases = 0;
    std::map<std::string, std::uint64_t> failed;
    for (const auto& [name, counts] : campaign.at("by_operator").items()) {
      for (const char* key : {"valid", "broken", "relations"}) cases += count_at(counts, key);
      failed[name] = count_at(counts, "failed");
    }
    add("generated cases, beside those of all operators", campaign.at("cases"), cases);
    if (campaign.contains("findings_left_out")) return;
    std::map<std::string, std::uint64_t> found = failed;
    for (auto& [name, count] : found) count = 0;
    for (const Json& finding : campaign.at("findings"))
      found[finding.at("operator").get<std::string>()] += count_at(finding, "count");
    add("generated cases that failed, beside the findings", failed, found);
  }

  void of_grid() {
    const Json& grid = report_.at("grids").at(0);
    add("implementation of the support grid", grid.at("backend"), backend_);
    for (const auto& [key, total] : grid.at("total").items()) {
      std::uint64_t sum = 0;
      for (const Json& row : grid.at("rows")) sum += count_at(row, key.c_str());
      add("support grid, " + key + ", beside its rows", total, sum);
    }
    add("wrong cells, beside those listed", grid.at("total").at("wrong"),
        grid.at("wrong").size() + grid.value("wrong_left_out", std::uint64_t{0}));
  }

  void of_share(const std::string& name, const Json& share) {
    reports::Share exact{count_at(share, "reached"), count_at(share, "reachable")};
    add(name + ", percent", share.at("percent"), reports::rounded_percent(exact));
  }

  /// What is reachable is known without running anything.
  void of_coverage() {
    const Json& coverage = report_.at("coverage");
    coverage::CollectedCoverage nothing;
    for (std::size_t i = 0; i < std::variant_size_v<Operator>; ++i) {
      const generation::CombinationSpace space(generation::factor_model(i), 3);
      nothing.combinations[{std::string(all_operators()[i].name), 3}].resize(space.word_count());
    }
    const Json known =
        reports::coverage_figures_to_json(nothing, reports::coverage_figures(nothing, "*"));
    std::uint64_t reached = 0;
    std::uint64_t reachable = 0;
    const auto compare = [&](const char* list, const char* key) {
      const Json& groups = coverage.at(list);
      add(std::string("number of ") + list, groups.size(), known.at(list).size());
      for (std::size_t i = 0; i < std::min(groups.size(), known.at(list).size()); ++i) {
        const Json& group = groups.at(i);
        const std::string name = group.at(key);
        for (const char* part : {key, "reachable", "impossible"})
          add(name + ", " + part, group.at(part), known.at(list).at(i).at(part));
        of_share(name, group);
      }
    };
    compare("groups", "group");
    compare("combinations", "combinations");
    for (const Json& group : coverage.at("groups")) {
      reached += count_at(group, "reached");
      reachable += count_at(group, "reachable");
      add(group.at("group").get<std::string>() + ", beside what is missing",
          count_at(group, "reached") + group.at("missing").size(), group.at("reachable"));
    }
    const Json& total = coverage.at("total");
    add("coverage of the documents", {total.at("reached"), total.at("reachable")},
        {reached, reachable});
    of_share("coverage of the documents", total);
    for (const Json& one : coverage.at("combinations"))
      add(one.at("combinations").get<std::string>() + ", complete",
          one.at("reached") == one.at("reachable"), one.at("missing").empty());
  }

  void of_planted_bugs() {
    for (const Json& suspect : report_.at("selftest").at("suspects")) {
      const std::string name = "planted bug " + suspect.at("name").get<std::string>();
      bool is_caught = false;
      for (const auto& [stage, caught] : suspect.at("caught").items()) {
        const std::uint64_t by = count_at(caught, "by");
        add(name + ", " + stage + ", beside its number", caught.at("after").is_null(), by == 0);
        add(name + ", " + stage + ", cases named", caught.at("ids").size(),
            std::min<std::uint64_t>(by, 3));
        add(name + ", " + stage + ", not more than were run", by <= count_at(caught, "cases"),
            true);
        is_caught = is_caught || by > 0;
      }
      add(name + ", as it should be", suspect.at("as_it_should"),
          is_caught == suspect.at("is_bug"));
    }
  }

  const Json& report_;
  const Json& certificate_;
  const Json& backend_;
  std::string profile_;
  const Json& seed_;
  std::vector<Statement> list_;
};

}  // namespace

std::vector<Statement> statements_of(const Json& report) { return Statements(report).all(); }

}  // namespace opconform::cli
