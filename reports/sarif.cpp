#include "reports/comparison.h"
#include "reports/promise_text.h"
#include "reports/renderers.h"
#include "reports/report_view.h"
#include "reports/run_info.h"
#include "reports/spec_json.h"

namespace opconform::reports {

using base::Json;
using judging::CaseResult;

namespace {

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

Json text_json(const std::string& text) { return {{"text", base::printable(text)}}; }

Json tool_json(const std::string& program, const Json& rules) {
  Json listed = Json::array();
  for (const Json& rule : rules)
    listed.push_back({{"id", rule["name"]},
                      {"shortDescription", text_json(rule["statement"])},
                      {"help", text_json(text_of(rule, "statement") +
                                         " Source: " + text_of(rule, "source") + ".")},
                      {"properties", {{"kind", rule["kind"]}}}});
  return {{"driver",
           {{"name", "opconform"},
            {"semanticVersion", program.substr(program.find(' ') + 1)},
            {"rules", std::move(listed)}}}};
}

/// A path as a URI, a relative one as a reference: what is no plain character of one is encoded.
std::string uri(const std::string& path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string text;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      text += c;
    } else {
      char code[8];
      (void)std::snprintf(code, sizeof code, "%%%02X",
                          static_cast<unsigned>(static_cast<unsigned char>(c)));
      text += code;
    }
  }
  return text.starts_with("/") ? "file://" + text : text;
}

struct Failure {
  std::string id{};
  std::string backend{};
  std::string verdict{};
  std::string rule{};  ///< that is broken; else the first of the case
  std::string message{};
  std::string repro{};
  std::string file{};  ///< of the case; empty where none is known
  std::uint64_t line = 1;
};

/// Of the message of an expected failure, "reason [mismatch: …]", what stood in the list.
std::string reason_of(const std::string& message) {
  constexpr std::size_t kLongestVerdict = 32;
  for (std::size_t at = message.find(" ["); at != std::string::npos;
       at = message.find(" [", at + 1)) {
    const std::string_view rest = std::string_view(message).substr(at + 2, kLongestVerdict);
    if (judging::parse_verdict(rest.substr(0, rest.find(": ")))) return message.substr(0, at);
  }
  return message;
}

Json result_json(const Failure& failure) {
  const std::string id = base::printable(failure.id);
  Json result = Json::object();
  // A rule may be the backend's own word, and a case need not name one.
  result["ruleId"] = failure.rule.empty() ? failure.verdict : base::printable(failure.rule);
  result["level"] = "error";
  result["message"] = {
      {"text", base::printable(failure.id + ": " + failure.verdict + ": " + failure.message) +
                   "\nagain: " + base::printable(failure.repro)}};
  if (!failure.file.empty())
    result["locations"] = {{{"physicalLocation",
                             {{"artifactLocation", {{"uri", uri(failure.file)}}},
                              {"region", {{"startLine", failure.line}}}}},
                            {"logicalLocations", {{{"fullyQualifiedName", id}}}}}};
  // What stays the same while the failure does not: a crash that becomes a timeout is one alert.
  result["partialFingerprints"] = {
      {"caseAndImplementation/v1", id + " on " + base::printable(failure.backend)}};
  // Told, but no open alert. SARIF wants a list in all results of a run, or in none.
  result["suppressions"] = Json::array();
  if (failure.verdict == judging::name(judging::Verdict::kExpectedFailure))
    result["suppressions"] = {
        {{"kind", "external"}, {"justification", base::printable(reason_of(failure.message))}}};
  result["properties"] = {{"verdict", failure.verdict}, {"repro", failure.repro}};
  return result;
}

/// A run of this category may stand in a file once: code hosts reject a second one.
Json run_json(const Json& tool, const std::string& category,
              const std::vector<std::string>& troubles, Json results) {
  Json invocation = {{"executionSuccessful", troubles.empty()}};
  for (const std::string& trouble : troubles)
    invocation["toolExecutionNotifications"].push_back(
        {{"level", "error"}, {"message", text_json(trouble)}});
  return {{"tool", tool},
          // The category ends at the last slash; what would follow names the run.
          {"automationDetails", {{"id", "opconform/" + base::printable(category) + "/"}}},
          {"invocations", Json::array({std::move(invocation)})},
          {"columnKind", "utf16CodeUnits"},
          {"results", std::move(results)}};
}

std::string sarif_text(Json runs) {
  const Json sarif = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", std::move(runs)}};
  return sarif.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// `set` holds the result; the alert is one of the later implementation in any case.
Json compared_json(const Comparison& comparison, const ResultSet& set, const CaseResult& result,
                   const char* baseline_state) {
  Failure failure{result.case_id,
                  comparison.after->backend,
                  std::string(judging::name(result.verdict)),
                  result.rule,
                  result.message,
                  result.repro};
  if (const auto about = set.cases.find(result.case_id); about != set.cases.end()) {
    failure.file = about->second.file;
    failure.line = about->second.line;
    if (failure.rule.empty()) failure.rule = about->second.first_rule();
  }
  Json json = result_json(failure);
  json["baselineState"] = baseline_state;
  return json;
}

Json compared_results(const Comparison& comparison) {
  const auto of = [](const ResultSet& set, const std::string& id) {
    const auto found = set.results.find(id);
    return found == set.results.end() ? nullptr : &found->second;
  };
  Json results = Json::array();
  for (const auto& [id, after] : comparison.after->results) {
    if (!fails(after)) continue;
    const CaseResult* before = of(*comparison.before, id);
    const bool failed = before != nullptr && fails(*before);
    const bool is_same = failed && before->verdict == after.verdict && before->rule == after.rule;
    results.push_back(compared_json(comparison, *comparison.after, after,
                                    is_same  ? "unchanged"
                                    : failed ? "updated"
                                             : "new"));
  }
  for (const CaseChange& one : comparison.changes)
    if (one.change == Change::kLost)
      results.push_back(compared_json(comparison, *comparison.after, one.after, "new"));
  for (const auto& [id, before] : comparison.before->results) {
    if (!fails(before)) continue;
    const CaseResult* after = of(*comparison.after, id);
    if (after == nullptr || after->verdict == judging::Verdict::kUnsupported) {
      // Nobody knows better: as absent, a code host would close it.
      CaseResult still = before;
      still.message +=
          std::string("; ") + (after == nullptr ? "not run" : "not offered") + " in the later file";
      results.push_back(compared_json(comparison, *comparison.before, still, "unchanged"));
    } else if (!fails(*after)) {
      results.push_back(compared_json(comparison, *comparison.before, before, "absent"));
    }
  }
  return results;
}

/// A failure of a report, of the rule that its group says was broken. `group` is null where it has
/// none: it was expected.
Json reported_json(const Json& failure, const CaseRow& row, const Json* group) {
  std::string rule = group == nullptr ? "" : text_of(*group, "rule");
  if (rule.empty()) rule = text_of(failure, "rule");
  if (rule.empty() && !row.rules.empty()) rule = row.rules.front();
  const std::string why = group == nullptr ? "" : words_of_group(*group);
  const std::string message = text_of(failure, "message");
  Json json = result_json({row.id, text_of(failure, "backend"), text_of(failure, "verdict"), rule,
                           why.empty() ? message : why + ": " + message, text_of(failure, "repro"),
                           row.file, failure.value("line", std::uint64_t{1})});
  if (failure.contains("shrunk")) json["properties"]["shrunk"] = failure["shrunk"];
  return json;
}

/// A finding of a campaign: its first example stands for all of its kind.
Json found_json(const Json& finding, const std::string& backend) {
  const std::string rule = text_of(finding, "rule");
  const std::string verdict = text_of(finding, "verdict");
  // The verdict is in the name: findings of one rule by different verdicts stand side by side.
  Failure failure{
      text_of(finding, "operator") + " generated, " + verdict + (rule.empty() ? "" : " of " + rule),
      backend, verdict, rule_of_finding(finding), words_of_finding(finding)};
  if (finding.contains("expected")) {
    failure.message = text_of(finding, "expected") + " [" + verdict + ": " + failure.message + "]";
    failure.verdict = judging::name(judging::Verdict::kExpectedFailure);
  }
  if (!finding["examples"].empty()) {
    const Json& example = finding["examples"].front();
    failure.repro = text_of(example, "repro");
    failure.file = text_of(example, "file");
  }
  return result_json(failure);
}

/// A row of a support grid with wrong cells.
Json wrong_row_json(const Json& grid, const Json& row) {
  Failure failure{place_of_row(row), text_of(grid, "backend"), "wrong", "support-grid",
                  words_of_row(row)};
  failure.repro =
      "opconform grid --backend " + failure.backend + " --operator " + text_of(row, "operator");
  if (const std::vector<std::string> cells = wrong_cells(grid, row); !cells.empty())
    failure.message += ", the first " + cells.front();
  return result_json(failure);
}

/// {category: results} of what is no list of cases.
std::map<std::string, Json> other_results(const Json& report) {
  std::map<std::string, Json> results;
  const auto list_of = [&](const Json& part, const char* kind) -> Json& {
    return results.try_emplace(text_of(part, "backend") + "/" + kind, Json::array()).first->second;
  };
  for (const Json& campaign : report.value("campaigns", Json::array())) {
    Json& list = list_of(campaign, "generated");
    for (const Json& finding : campaign["findings"])
      list.push_back(found_json(finding, text_of(campaign, "backend")));
  }
  for (const Json& grid : report.value("grids", Json::array())) {
    Json& list = list_of(grid, "support-grid");
    for (const Json& row : grid["rows"])
      if (row["wrong"] != 0) list.push_back(wrong_row_json(grid, row));
  }
  return results;
}

}  // namespace

std::string report_as_sarif(const Json& report) {
  const ReportView view(report);
  const std::vector<CaseRow> rows = view.rows();
  std::map<std::string, const CaseRow*> row_of;
  for (const CaseRow& row : rows) row_of[row.id] = &row;
  const Json tool = tool_json(text_of(report, "program"), report["spec"]["rules"]);
  std::vector<std::string> troubles;
  for (const ReportView::Trouble& trouble : view.troubles()) troubles.push_back(trouble.message);
  Json runs = Json::array();
  for (std::size_t i = 0; i < view.backends().size(); ++i) {
    const std::string& backend = view.backends()[i];
    Json results = Json::array();
    for (const char* list : {"failures", "excused"}) {
      if (!report["results"].contains(list)) continue;
      for (const Json& failure : report["results"][list]) {
        if (text_of(failure, "backend") != backend) continue;
        const CaseRow& row = *row_of.at(text_of(failure, "case"));
        results.push_back(reported_json(failure, row, row.groups[i]));
      }
    }
    runs.push_back(run_json(tool, backend, troubles, std::move(results)));
    for (const Json& promise : report.value("promises", Json::array()))
      if (text_of(promise, "backend") == backend)
        runs.back()["properties"]["promise"] = promise_line(promise);
  }
  for (auto& [category, results] : other_results(report))
    runs.push_back(run_json(tool, category, troubles, std::move(results)));
  // What could not even begin is told all the same.
  if (runs.empty() && !troubles.empty())
    runs.push_back(run_json(tool, "no-results", troubles, Json::array()));
  return sarif_text(std::move(runs));
}

std::string comparisons_as_sarif(const std::vector<Comparison>& comparisons) {
  const Json tool = tool_json(program_text(), spec_to_json()["rules"]);
  // The last comparison of each later implementation: it has the newest results.
  std::map<std::string, const Comparison*> last;
  for (const Comparison& one : comparisons) last[one.after->backend] = &one;
  Json runs = Json::array();
  for (const Comparison& one : comparisons) {
    if (last[one.after->backend] != &one) continue;
    std::vector<std::string> troubles;
    for (const ResultSet* set : {one.before, one.after})
      if (set->is_partial) troubles.push_back(set->not_whole_text());
    runs.push_back(run_json(tool, one.after->backend, troubles, compared_results(one)));
  }
  return sarif_text(std::move(runs));
}

}  // namespace opconform::reports
