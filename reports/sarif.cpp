#include <set>

#include "reports/renderers.h"
#include "reports/report_view.h"

namespace opconform::reports {

using harness::Json;

namespace {

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

Json text_json(const std::string& text) { return {{"text", harness::printable(text)}}; }

Json rules_json(const Json& report) {
  Json rules = Json::array();
  for (const Json& rule : report["spec"]["rules"])
    rules.push_back({{"id", rule["name"]},
                     {"shortDescription", text_json(rule["statement"])},
                     {"help", text_json(text_of(rule, "statement") +
                                        " Source: " + text_of(rule, "source") + ".")},
                     {"properties", {{"kind", rule["kind"]}}}});
  return rules;
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
      std::snprintf(code, sizeof code, "%%%02X",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      text += code;
    }
  }
  return text.starts_with("/") ? "file://" + text : text;
}

Json result_json(const Json& failure, const std::map<std::string, std::string>& file_of) {
  const std::string rule = text_of(failure, "rule");
  const std::string id = text_of(failure, "case");
  Json result = Json::object();
  // A rule may be the backend's own word; SARIF lets a result go without.
  result["ruleId"] = rule.empty() ? text_of(failure, "verdict") : harness::printable(rule);
  result["level"] = "error";
  result["message"] = {{"text", harness::printable(id + ": " + text_of(failure, "verdict") + ": " +
                                                   text_of(failure, "message")) +
                                    "\nagain: " + harness::printable(text_of(failure, "repro"))}};
  const auto file = file_of.find(id);
  if (file != file_of.end())
    result["locations"] = {
        {{"physicalLocation",
          {{"artifactLocation", {{"uri", uri(file->second)}}},
           {"region", {{"startLine", failure.value("line", 1)}}}}},
         {"logicalLocations", {{{"fullyQualifiedName", harness::printable(id)}}}}}};
  result["partialFingerprints"] = {
      {"caseAndVerdict/v1", harness::printable(id) + " " + text_of(failure, "verdict")}};
  Json properties = {{"verdict", failure["verdict"]}, {"repro", failure["repro"]}};
  if (failure.contains("shrunk")) properties["shrunk"] = failure["shrunk"];
  result["properties"] = std::move(properties);
  return result;
}

}  // namespace

std::string report_as_sarif(const Json& report) {
  const ReportView view(report);
  std::map<std::string, std::string> file_of;
  for (const CaseRow& row : view.rows()) file_of[row.id] = row.file;
  const std::string program = text_of(report, "program");
  const Json tool = {{"driver",
                      {{"name", "opconform"},
                       {"semanticVersion", program.substr(program.find(' ') + 1)},
                       {"rules", rules_json(report)}}}};
  Json notifications = Json::array();
  for (const ReportView::Trouble& trouble : view.troubles())
    notifications.push_back({{"level", "error"}, {"message", text_json(trouble.message)}});
  Json invocation = {{"executionSuccessful", notifications.empty()}};
  if (!notifications.empty()) invocation["toolExecutionNotifications"] = std::move(notifications);
  const auto run_of = [&](const std::string& backend, Json results) {
    return Json{{"tool", tool},
                {"automationDetails", {{"id", "opconform/" + harness::printable(backend)}}},
                {"invocations", Json::array({invocation})},
                {"columnKind", "utf16CodeUnits"},
                {"results", std::move(results)}};
  };
  Json runs = Json::array();
  for (const std::string& backend : view.backends()) {
    Json results = Json::array();
    for (const Json& failure : report["results"]["failures"])
      if (text_of(failure, "backend") == backend) results.push_back(result_json(failure, file_of));
    runs.push_back(run_of(backend, std::move(results)));
  }
  // What could not even begin is told all the same.
  if (runs.empty() && !view.troubles().empty()) runs.push_back(run_of("no-results", Json::array()));
  const Json sarif = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", std::move(runs)}};
  return sarif.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace opconform::reports
