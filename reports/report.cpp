#include "reports/report.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "harness/coverage/file.h"
#include "reports/coverage_report.h"
#include "reports/report_view.h"
#include "reports/run_info.h"
#include "reports/spec_json.h"

namespace opconform::reports {

using base::Json;

namespace {

/// A smallest case with what was found on it, as `fuzz --json` has it.
Json example_to_json(const JsonNode& example) {
  Json json = {{"case", with_numbers(example.object("smallest").value())},
               {"message", example.object("result").text("message")}};
  for (const char* key : {"file", "repro"})
    if (const std::string text = example.text_or(key, ""); !text.empty()) json[key] = text;
  return json;
}

Json promise_to_json(const JsonNode& promise) {
  Json json = {{"backend", promise.text("backend")},
               {"name", promise.text("name")},
               {"differences", Json::array()}};
  for (const JsonNode& one : promise.objects("differences")) {
    const std::string kind = one.text("kind");
    if (kind != "other" && kind != "less" && kind != "more")
      one.fail("kind", "no kind of difference: " + base::in_quotes(kind));
    json["differences"].push_back({{"kind", kind}, {"says", one.text("says")}});
  }
  return json;
}

Json campaign_to_json(const JsonNode& campaign) {
  const JsonNode settings = campaign.object("settings");
  Json json = {{"file", campaign.file()},          {"backend", settings.text("backend")},
               {"seed", settings.count("seed")},   {"strength", settings.count("strength")},
               {"cases", campaign.count("cases")}, {"seconds", seconds_of(campaign)}};
  json["by_operator"] = Json::object();
  const JsonNode by_operator = campaign.object("by_operator");
  for (const std::string& name : by_operator.keys())
    json["by_operator"][name] = by_operator.counts(name);
  if (campaign.has("harness_errors")) json["harness_errors"] = campaign.texts("harness_errors");
  if (campaign.has("choices")) {
    json["choices"] = Json::array();
    for (const JsonNode& choice : campaign.objects("choices")) {
      demand_choice(choice);
      json["choices"].push_back({{"backend", choice.text("backend")},
                                 {"rule", choice.text("rule")},
                                 {"choice", choice.text("choice")},
                                 {"cases", choice.count("cases")}});
    }
  }
  json["findings"] = Json::array();
  for (const JsonNode& finding : campaign.objects("findings")) {
    Json examples = Json::array();
    for (const JsonNode& example : finding.objects("examples"))
      examples.push_back(example_to_json(example));
    json["findings"].push_back({{"operator", finding.text("operator")},
                                {"verdict", finding.text("verdict")},
                                {"rule", finding.text("rule")},
                                {"count", finding.count("count")},
                                {"examples", std::move(examples)}});
    if (finding.has("expected")) json["findings"].back()["expected"] = finding.text("expected");
    if (!finding.has("diagnosis")) continue;
    const JsonNode group = finding.object("diagnosis");
    Json& diagnosis = json["findings"].back()["diagnosis"] = group_to_json(group);
    diagnosis["failures"] = group.count("failures");
  }
  return json;
}

Json grid_to_json(const JsonNode& grid) {
  Json json = {{"backend", grid.text("backend")}, {"total", grid.counts("total")}};
  json["rows"] = Json::array();
  for (const JsonNode& row : grid.objects("rows")) {
    Json copy = {{"operator", row.text("operator")}, {"version", row.text("version")}};
    for (const char* key :
         {"cells", "inside", "neighbours", "farther", "unbounded", "unsupported", "wrong"})
      copy[key] = row.count(key);
    json["rows"].push_back(std::move(copy));
  }
  json["wrong"] = Json::array();
  for (const JsonNode& wrong : grid.objects("wrong"))
    json["wrong"].push_back({{"cell", wrong.text("cell")}, {"message", wrong.text("message")}});
  return json;
}

/// What caught it is named where something did, and only there.
void demand_agreement(const JsonNode& stage, std::optional<std::uint64_t> after,
                      const std::vector<std::string>& ids) {
  if (after.has_value() != ids.empty() && after.value_or(1) > 0) return;
  stage.fail("caught_after", "is " + (after ? std::to_string(*after) : "null") +
                                 ", but \"caught_by\" has the length " +
                                 std::to_string(ids.size()));
}

Json suspect_to_json(const JsonNode& suspect) {
  Json caught = Json::object();
  for (const char* stage : {"documents", "suite", "fuzz"}) {
    const JsonNode node = suspect.object(stage);
    const std::vector<std::string> ids = node.texts("caught_by");
    const std::optional<std::uint64_t> after = node.count_or_null("caught_after");
    demand_agreement(node, after, ids);
    caught[stage] = {{"after", after ? Json(*after) : Json()},
                     {"by", ids.size()},
                     {"cases", node.count("cases")},
                     {"ids", std::vector(ids.begin(), ids.begin() + std::min<std::ptrdiff_t>(
                                                                        3, std::ssize(ids)))}};
  }
  return {{"name", suspect.text("name")},
          {"says", suspect.text("says")},
          {"is_bug", suspect.text("kind") == "bug"},
          {"operators", suspect.texts("operators")},
          {"as_it_should", suspect.flag("as_it_should")},
          {"caught", std::move(caught)}};
}

Json share_to_json(const JsonNode& parent, std::string_view key) {
  const JsonNode share = parent.object(key);
  return {{"reached", share.count("reached")},
          {"reachable", share.count("reachable")},
          {"percent", share.number("percent")}};
}

Json code_shares_to_json(const JsonNode& node, std::string_view name) {
  Json json = {{name, node.text(name)}};
  for (const char* key : {"lines", "branches", "regions"}) json[key] = share_to_json(node, key);
  return json;
}

Json code_to_json(const JsonNode& code) {
  Json json = {{"modules", Json::array()}, {"gaps", Json::array()}};
  for (const JsonNode& module : code.objects("modules")) {
    Json copy = code_shares_to_json(module, "module");
    copy["files"] = Json::array();
    for (const JsonNode& file : module.objects("files"))
      copy["files"].push_back(code_shares_to_json(file, "file"));
    json["modules"].push_back(std::move(copy));
  }
  for (const JsonNode& gap : code.objects("gaps"))
    json["gaps"].push_back({{"file", gap.text("file")},
                            {"line", gap.count("line")},
                            {"what", gap.text("what")},
                            {"reason", gap.text("reason")}});
  return json;
}

Json mutation_to_json(const JsonNode& mutation) {
  Json json = {{"modules", Json::object()}};
  const JsonNode modules = mutation.object("modules");
  for (const std::string& name : modules.keys()) json["modules"][name] = modules.counts(name);
  return json;
}

Json speed_to_json(const JsonNode& speed) {
  Json json = {{"cells", Json::array()}};
  for (const JsonNode& cell : speed.objects("cells")) {
    const double own_ns = cell.number("ns");
    if (!(own_ns > 0)) cell.fail("ns", "must be above 0");
    Json contenders = Json::object();
    const JsonNode times = cell.object("times");
    for (const std::string& name : times.keys())
      contenders[name] = times.object(name).number("ns") / own_ns;
    json["cells"].push_back({{"cell", cell.text("cell")},
                             {"over_limit", cell.number("over_limit")},
                             {"contenders", std::move(contenders)}});
  }
  return json;
}

}  // namespace

ReportBuilder::ReportBuilder()
    : report_({{"kind", "report"},
               {"version", 1},
               {"title", ""},
               {"program", program_text()},
               {"inputs", Json::array()},
               {"spec", spec_to_json()}}) {}

void ReportBuilder::add_file(const std::string& path) {
  add(base::read_json_file(path, kMaxResultFileBytes), path);
}

void ReportBuilder::add_input(const JsonNode& node, const std::string& kind) {
  Json input = {{"file", node.file()}, {"kind", kind}};
  if (node.has("seed")) input["seed"] = node.count("seed");
  if (node.is_set("interrupted")) input["interrupted"] = true;
  auto bad = node.texts_or_none("bad_input");
  for (std::string& line : node.texts_or_none("stale_expectations")) bad.push_back(std::move(line));
  if (!bad.empty()) input["bad_input"] = std::move(bad);
  if (node.has("run")) {
    const JsonNode run = node.object("run");
    Json copy = Json::object();
    for (const char* key :
         {"program", "command", "started", "system", "processor", "kernels", "compiler"})
      copy[key] = run.text(key);
    copy["seconds"] = seconds_of(run);
    if (run.has("implementations")) {
      const JsonNode implementations = run.object("implementations");
      for (const auto& [backend, text] : implementations.value().items())
        copy["implementations"][backend] = implementations.text(backend);
    }
    input["run"] = std::move(copy);
  }
  report_["inputs"].push_back(std::move(input));
}

void ReportBuilder::add_promises(const JsonNode& node) {
  if (!node.has("promises")) return;
  Json& all = report_["promises"];
  for (const JsonNode& one : node.objects("promises")) {
    Json promise = promise_to_json(one);
    if (std::find(all.begin(), all.end(), promise) == all.end()) all.push_back(std::move(promise));
  }
}

void ReportBuilder::add(const Json& document, const std::string& file) {
  const JsonNode node(document, file);
  if (!node.has("kind"))
    throw base::BadInput(file, "", "is no file that a report is made from: lacks \"kind\"");
  const std::string kind = node.text("kind");
  constexpr std::string_view kKinds[] = {"results",  "campaign", "coverage", "grid",
                                         "selftest", "code",     "mutation", "speed"};
  if (std::find(std::begin(kKinds), std::end(kKinds), kind) == std::end(kKinds))
    throw base::BadInput(file, "/kind",
                         "no file that a report can show: " + base::in_quotes(kind) +
                             " (results, campaign, coverage, grid, selftest, code, mutation or "
                             "speed)");
  demand_version(node);
  const auto once = [&](const char* key, auto&& make) {
    if (report_.contains(key))
      throw base::BadInput(file, "", "a report holds one file of kind " + kind + ", and has it");
    report_[key] = make(node);
  };
  const auto also = [&](const char* key, auto&& make) {
    if (!report_.contains(key)) report_[key] = Json::array();
    report_[key].push_back(make(node));
  };
  if (kind == "results")
    results_.add(node);
  else if (kind == "campaign")
    also("campaigns", campaign_to_json);
  else if (kind == "coverage")
    coverage_files_.push_back(file);
  else if (kind == "grid")
    also("grids", grid_to_json);
  else if (kind == "selftest")
    once("selftest", [](const JsonNode& selftest) {
      Json json = {{"suspects", Json::array()}};
      for (const JsonNode& suspect : selftest.objects("suspects"))
        json["suspects"].push_back(suspect_to_json(suspect));
      return json;
    });
  else if (kind == "code")
    once("code", code_to_json);
  else if (kind == "mutation")
    once("mutation", mutation_to_json);
  else
    once("speed", speed_to_json);
  add_promises(node);
  add_input(node, kind);
}

Json ReportBuilder::take(std::string title) {
  if (!results_.is_empty()) report_["results"] = results_.to_json();
  if (!coverage_files_.empty()) {
    const coverage::CollectedCoverage coverage = coverage::read_coverage_files(coverage_files_);
    report_["coverage"] = coverage_figures_to_json(coverage, coverage_figures(coverage, "*"));
  }
  if (title.empty()) {
    title = "Conformance";
    std::vector<std::string> names = results_.backends();
    for (const char* part : {"campaigns", "grids"})
      if (report_.contains(part))
        for (const Json& one : report_[part]) names.push_back(text_of(one, "backend"));
    std::string separator = " of ";
    std::set<std::string> named;
    for (const std::string& backend : names) {
      if (!named.insert(backend).second) continue;
      title += separator + backend;
      separator = ", ";
    }
  }
  report_["title"] = std::move(title);
  return std::move(report_);
}

}  // namespace opconform::reports
