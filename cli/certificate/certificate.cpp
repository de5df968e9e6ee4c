#include "cli/certificate/certificate.h"

#include <cmath>
#include <filesystem>
#include <optional>

#include "cli/corpus_manifest.h"
#include "cli/exit_code.h"
#include "cli/shell.h"
#include "harness/base/text_file.h"
#include "harness/judging/verdict.h"
#include "reports/figures.h"
#include "reports/json_node.h"
#include "reports/report.h"
#include "reports/report_view.h"
#include "reports/run_info.h"

namespace opconform::cli {

using base::Json;

namespace {

constexpr std::size_t kMostProgramBytes = std::size_t{1} << 30;

/// Cases by verdict.
Json cases_of(const Json& results) {
  const Json& verdicts = results.at("summary").at(0).at("verdicts");
  std::uint64_t total = 0;
  std::uint64_t failed = 0;
  for (const auto& [name, cases] : verdicts.items()) {
    const std::optional<judging::Verdict> verdict = judging::parse_verdict(name);
    total += cases.get<std::uint64_t>();
    if (!verdict || judging::is_nonconformance(*verdict)) failed += cases.get<std::uint64_t>();
  }
  return {{"total", total}, {"failed", failed}, {"verdicts", verdicts}};
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
          {"cases_per_second", std::round(reports::per_second(cases, seconds))}};
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
Json what_is_incomplete(const Json& figures, const Json& steps) {
  Json reasons = Json::array();
  for (std::size_t i = 0; i < kSteps.size(); ++i)
    if (const Json& code = steps.at(i).at("exit_code");
        kSteps[i].is_of_suite && code != kAllAsExpected)
      reasons.push_back("exit code " + code.dump() + " of " +
                        steps.at(i).at("command").get<std::string>());
  if (figures["cases"]["verdicts"].value("pass", 0) == 0) reasons.push_back("no case passed");
  for (const auto& [name, share] : figures["combinations"].items())
    if (share["reached"] != share["reachable"])
      reasons.push_back(name + ": " + share["reached"].dump() + " of " + share["reachable"].dump() +
                        " occurred: more generated cases are needed");
  return reasons;
}

/// Of all parts of the report.
Json figures_of(const Json& report) {
  const Json& coverage = report.at("coverage");
  Json figures = {{"cases", cases_of(report.at("results"))},
                  {"rules", share_of_topic(coverage, "rules")},
                  {"cells", share_of_topic(coverage, "support")},
                  {"combinations", combinations_of(coverage)},
                  {"campaign", campaign_of(report.at("campaigns").at(0))},
                  {"grid", report.at("grids").at(0).at("total")},
                  {"planted_bugs", planted_bugs_of(report.at("selftest"))}};
  if (report.contains("code")) figures["code"] = code_of(report.at("code"));
  if (report.contains("mutation")) figures["mutation"] = report.at("mutation").at("modules");
  return figures;
}

bool conforms(const Json& figures, const Json& steps) {
  for (std::size_t i = 0; i < kSteps.size(); ++i)
    if (!kSteps[i].is_of_suite && steps.at(i).at("exit_code") != kAllAsExpected) return false;
  return figures.at("cases").at("failed") == 0 && figures.at("campaign").at("findings") == 0 &&
         figures.at("grid").at("wrong") == 0;
}

}  // namespace

Json conclusions_from(const Json& report, const Json& steps) {
  Json figures = figures_of(report);
  Json incomplete = what_is_incomplete(figures, steps);
  const char* const verdict = !conforms(figures, steps) ? "does not conform"
                              : incomplete.empty()      ? "conforms"
                                                        : "incomplete";
  return {
      {"figures", std::move(figures)}, {"verdict", verdict}, {"incomplete", std::move(incomplete)}};
}

Json not_passed_of(const Json& results) {
  Json others = Json::array();
  for (const Json& row : results.at("rows"))
    if (const std::string verdict = reports::verdict_at(results, row.back().at(0));
        verdict != "pass")
      others.push_back({{"case", reports::spelled(results, row.front())}, {"verdict", verdict}});
  return others;
}

std::string program_hash() {
  return sha256(base::read_text_file("/proc/self/exe", kMostProgramBytes));
}

std::string digest_of(const Json& report) {
  Json digested = report;
  digested.at("certificate").erase("sha256");
  return sha256(digested.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::vector<std::vector<std::string>> steps_of(
    const CertificateSettings& settings, const std::string& corpus_directory,
    const std::string& jobs, const std::function<std::string(const std::string&)>& file) {
  const std::string seed = std::to_string(settings.seed);
  std::vector<std::vector<std::string>> steps = {
      {"corpus", "verify", corpus_directory},
      {"run", corpus_directory, "--backend", settings.backend, "--jobs", jobs, "--seed", seed,
       "--json", file("results.json"), "--coverage", file("covered-by-cases.json")},
      {"fuzz", "--backend", settings.backend, "--seed", seed, "--cases",
       std::to_string(settings.cases), "--strength", "3", "--jobs", jobs, "--quiet", "--out",
       file("fuzz"), "--json", file("campaign.json"), "--coverage",
       file("covered-by-campaign.json")},
      {"grid", "--backend", settings.backend, "--seed", seed, "--json", file("grid.json")},
      {"selftest", corpus_directory, "--jobs", jobs, "--seed", seed, "--json",
       file("selftest.json")},
  };
  for (std::size_t i = 0; i < kSteps.size() && !settings.profile.empty(); ++i)
    if (!kSteps[i].is_of_suite) steps[i].insert(steps[i].end(), {"--profile", settings.profile});
  return steps;
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
  if (!settings.profile.empty()) certificate["profile"] = settings.profile;
  certificate["run"] = run_info();
  certificate["steps"] = Json::array();
  for (const CertificateStep& step : steps)
    certificate["steps"].push_back({{"command", step.command}, {"exit_code", step.exit_code}});
  certificate.update(conclusions_from(report, certificate["steps"]));
  certificate["figures"]["cases"]["not_passed"] = not_passed_of(report.at("results"));
  return certificate;
}

std::string certificate_title(const std::string& backend, const std::string& profile) {
  return "Certificate of " + backend + (profile.empty() ? "" : ", by its promise " + profile);
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
  const std::string profile = certificate.value("profile", "");
  std::string text = base::printable(certificate["backend"].get<std::string>()) + ": " +
                     certificate["verdict"].get<std::string>() +
                     (profile.empty() ? "" : ", by its promise " + base::printable(profile)) + "\n";
  for (const Json& reason : certificate["incomplete"])
    text += "  not enough: " + base::printable(reason.get<std::string>()) + "\n";
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
  if (figures.contains("code"))
    for (const auto& [name, shares] : figures["code"].items())
      text += line("code " + name, shares["lines"].dump() + " % of lines, " +
                                       shares["branches"].dump() + " % of branches");
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

CertifiedReport read_certified_report(const std::string& path) {
  CertifiedReport certified;
  std::string text = base::read_text_file(path, reports::kMaxResultFileBytes);
  constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"report-data\">";
  if (const std::size_t begin = text.find(kBegin); begin != std::string::npos) {
    const std::size_t end = text.find("</script>", begin);
    if (end == std::string::npos) throw base::BadInput(path, "", "is cut off");
    certified.page = text;
    text = text.substr(begin + kBegin.size(), end - begin - kBegin.size());
  }
  certified.report = reports::with_numbers(base::parse_json(text, path));
  const reports::JsonNode node(certified.report, path);
  if (node.text_or("kind", "") != "report" || !node.has("certificate"))
    throw base::BadInput(path, "", "holds no certificate: opconform certify makes one");
  return certified;
}

}  // namespace opconform::cli
