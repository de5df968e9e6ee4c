#include "tools/certificate.h"

#include <cmath>
#include <filesystem>

#include "harness/text_file.h"
#include "reports/json_node.h"
#include "reports/report.h"
#include "reports/report_view.h"
#include "reports/run_info.h"
#include "tools/command.h"
#include "tools/corpus_manifest.h"

namespace opconform::tools {

using harness::Json;

namespace {

constexpr std::size_t kMostProgramBytes = std::size_t{1} << 30;

/// Cases by verdict, and each that is no pass: a sample can be compared with it.
Json cases_of(const Json& report) {
  const reports::ReportView view(report);
  Json others = Json::array();
  for (const reports::CaseRow& row : view.rows())
    if (row.verdicts.front() != "pass")
      others.push_back({{"case", row.id}, {"verdict", row.verdicts.front()}});
  const Json& summary = report["results"]["summary"].front();
  return {{"total", summary["cases"]},
          {"failed", summary["failed"]},
          {"verdicts", summary["verdicts"]},
          {"not_passed", std::move(others)}};
}

/// Of the groups of that topic together.
Json share_of_topic(const Json& coverage, const std::string& topic) {
  std::uint64_t reached = 0;
  std::uint64_t reachable = 0;
  for (const Json& group : coverage.at("groups")) {
    if (!group.at("group").get<std::string>().starts_with(topic + "/")) continue;
    reached += group.at("reached").get<std::uint64_t>();
    reachable += group.at("reachable").get<std::uint64_t>();
  }
  return {{"reached", reached}, {"reachable", reachable}};
}

Json planted_bugs_of(const Json& selftest) {
  std::uint64_t bugs = 0;
  std::uint64_t caught = 0;
  std::uint64_t permitted = 0;
  std::uint64_t accused = 0;
  for (const Json& suspect : selftest.at("suspects")) {
    const bool is_good = suspect.at("as_it_should");
    if (suspect.at("is_bug")) {
      ++bugs;
      caught += is_good ? 1U : 0U;
    } else {
      ++permitted;
      accused += is_good ? 0U : 1U;
    }
  }
  return {{"planted", bugs}, {"caught", caught}, {"permitted", permitted}, {"accused", accused}};
}

Json campaign_of(const Json& campaign) {
  const double seconds = campaign.at("seconds");
  const std::uint64_t cases = campaign.at("cases");
  return {{"cases", cases},
          {"findings", campaign.at("findings").size()},
          {"cases_per_second", seconds > 0 ? std::round(static_cast<double>(cases) / seconds) : 0}};
}

Json combinations_of(const Json& coverage) {
  Json shares = Json::object();
  for (const Json& one : coverage.at("combinations"))
    shares[one.at("combinations").get<std::string>()] = {{"reached", one.at("reached")},
                                                         {"reachable", one.at("reachable")}};
  return shares;
}

Json code_of(const Json& code) {
  Json modules = Json::object();
  for (const Json& module : code.at("modules"))
    modules[module.at("module").get<std::string>()] = {
        {"lines", module.at("lines").at("percent")},
        {"branches", module.at("branches").at("percent")}};
  return modules;
}

/// Why what was run does not suffice, however it ended.
Json what_is_incomplete(const Json& figures, const std::vector<CertificateStep>& steps) {
  Json reasons = Json::array();
  for (const CertificateStep& step : steps)
    if (step.is_of_suite && step.exit_code != kAllAsExpected)
      reasons.push_back("exit code " + std::to_string(step.exit_code) + " of " + step.command);
  if (figures["cases"]["verdicts"].value("pass", 0) == 0) reasons.push_back("no case passed");
  for (const auto& [name, share] : figures["combinations"].items())
    if (share["reached"] != share["reachable"])
      reasons.push_back(name + ": " + share["reached"].dump() + " of " + share["reachable"].dump() +
                        " occurred: more generated cases are needed");
  return reasons;
}

}  // namespace

Json figures_of_parts(const Json& report) {
  const Json& coverage = report.at("coverage");
  Json figures = {{"rules", share_of_topic(coverage, "rules")},
                  {"cells", share_of_topic(coverage, "support")},
                  {"combinations", combinations_of(coverage)},
                  {"campaign", campaign_of(report.at("campaigns").at(0))},
                  {"grid", report.at("grids").at(0).at("total")},
                  {"planted_bugs", planted_bugs_of(report.at("selftest"))}};
  if (report.contains("code")) figures["code"] = code_of(report.at("code"));
  if (report.contains("mutation")) figures["mutation"] = report.at("mutation").at("modules");
  return figures;
}

std::string program_hash() {
  return sha256(harness::read_text_file("/proc/self/exe", kMostProgramBytes));
}

Json make_certificate(const Json& report, const CertificateSettings& settings,
                      const std::vector<CertificateStep>& steps,
                      const std::string& corpus_directory) {
  Json certificate = {{"backend", settings.backend},
                      {"program",
                       {{"version", reports::program_text()},
                        {"sha256", program_hash()},
                        {"sources_sha256", source_hash()}}},
                      {"corpus",
                       {{"version", read_manifest(corpus_directory).version},
                        {"sha256", manifest_hash(corpus_directory)}}},
                      {"seed", settings.seed},
                      {"generated_cases", settings.cases}};
  certificate["run"] = run_info();
  certificate["steps"] = Json::array();
  bool conforms = true;
  for (const CertificateStep& step : steps) {
    certificate["steps"].push_back({{"command", step.command}, {"exit_code", step.exit_code}});
    conforms &= step.is_of_suite || step.exit_code == kAllAsExpected;
  }
  certificate["figures"] = {{"cases", cases_of(report)}};
  certificate["figures"].update(figures_of_parts(report));
  Json incomplete = what_is_incomplete(certificate["figures"], steps);
  certificate["verdict"] = !conforms            ? "does not conform"
                           : incomplete.empty() ? "conforms"
                                                : "incomplete";
  certificate["incomplete"] = std::move(incomplete);
  return certificate;
}

std::string certificate_text(const Json& certificate) {
  const Json& figures = certificate["figures"];
  const auto of = [](const Json& share) {
    return share["reached"].dump() + " of " + share["reachable"].dump();
  };
  const auto line = [](const std::string& label, const std::string& value) {
    return "  " + label + std::string(16 - std::min<std::size_t>(label.size(), 15), ' ') + value +
           "\n";
  };
  const Json& bugs = figures["planted_bugs"];
  std::string text = harness::printable(certificate["backend"].get<std::string>()) + ": " +
                     certificate["verdict"].get<std::string>() + "\n";
  for (const Json& reason : certificate["incomplete"])
    text += "  not enough: " + harness::printable(reason.get<std::string>()) + "\n";
  text +=
      line("cases",
           figures["cases"]["total"].dump() + ", " + figures["cases"]["failed"].dump() +
               " failed, " + std::to_string(figures["cases"]["verdicts"].value("unsupported", 0)) +
               " not offered, corpus " + certificate["corpus"]["version"].get<std::string>());
  text += line("generated", figures["campaign"]["cases"].dump() + ", " +
                                figures["campaign"]["findings"].dump() + " findings, seed " +
                                certificate["seed"].dump());
  text += line("support grid", figures["grid"]["cells"].dump() + " cells, " +
                                   figures["grid"]["wrong"].dump() + " wrong");
  text += line("rules", of(figures["rules"]));
  text += line("support cells", of(figures["cells"]));
  for (const auto& [name, share] : figures["combinations"].items()) text += line(name, of(share));
  text += line("planted bugs", bugs["caught"].dump() + " of " + bugs["planted"].dump() +
                                   " caught, " + bugs["accused"].dump() + " of " +
                                   bugs["permitted"].dump() + " permitted accused");
  if (figures.contains("mutation")) {
    for (const auto& [name, counts] : figures["mutation"].items())
      text += line("mutants " + name, counts.value("killed", 0) == 0
                                          ? "0 killed"
                                          : counts["killed"].dump() + " killed, " +
                                                std::to_string(counts.value("survived", 0)) +
                                                " survived");
  }
  return text;
}

Json read_certified_report(const std::string& path) {
  std::string text = harness::read_text_file(path, reports::kMaxResultFileBytes);
  constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"report-data\">";
  if (const std::size_t begin = text.find(kBegin); begin != std::string::npos) {
    const std::size_t end = text.find("</script>", begin);
    if (end == std::string::npos) throw harness::BadInput(path, "", "is cut off");
    text = text.substr(begin + kBegin.size(), end - begin - kBegin.size());
  }
  Json report = harness::parse_json(text, path);
  const reports::JsonNode node(report, path);
  if (node.text_or("kind", "") != "report" || !node.has("certificate"))
    throw harness::BadInput(path, "", "holds no certificate: opconform certify makes one");
  return report;
}

}  // namespace opconform::tools
