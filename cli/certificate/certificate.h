// The certificate: what was run on what, with hashes and seeds, so that somebody else can run a
// sample of it again. It stands in the report of the same run, under "certificate".
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/json_document.h"

namespace opconform::cli {

/// The commands that a certificate rests on, in this order.
struct StepKind {
  std::string_view command;
  bool is_of_suite;  ///< it says how good the check is, not the implementation
};
inline constexpr std::array<StepKind, 5> kSteps = {
    {{"corpus", true}, {"run", false}, {"fuzz", false}, {"grid", false}, {"selftest", true}}};

struct CertificateStep {
  std::string command{};  ///< as a shell would read it
  int exit_code = 0;
};

/// SHA-256 of the sources that this program was built from: cmake/SourceHash.cmake.
std::string source_hash();
/// SHA-256 of the running program.
std::string program_hash();

struct CertificateSettings {
  std::string backend{};
  std::string profile{};  ///< by name; empty: none
  std::uint64_t seed = 1;
  std::uint64_t cases = 0;  ///< generated
};

/// The words of the commands of kSteps. `file` gives the path of what a step writes by that name.
std::vector<std::vector<std::string>> steps_of(
    const CertificateSettings& settings, const std::string& corpus_directory,
    const std::string& jobs, const std::function<std::string(const std::string&)>& file);
/// The names of the files that the steps write and a report is made of, with their kinds.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kStepFiles = {
    {{"results.json", "results"},
     {"covered-by-cases.json", "coverage"},
     {"campaign.json", "campaign"},
     {"covered-by-campaign.json", "coverage"},
     {"grid.json", "grid"},
     {"selftest.json", "selftest"}}};

/// SHA-256 of the report as compact JSON, keys in their order, without "certificate"/"sha256",
/// where it stands. It reveals slips; whoever forges a report computes it anew.
std::string digest_of(const base::Json& report);
/// {"figures", "verdict", "incomplete"}: what follows from the report and how the steps ended.
/// Throws Json::exception where the report is not as reports/report.schema.json has it.
base::Json conclusions_from(const base::Json& report, const base::Json& steps);
/// Each case that is no pass, with its verdict.
base::Json not_passed_of(const base::Json& results);

/// From the report of everything that was run, with a step for each of kSteps. `corpus_directory`
/// has the frozen cases. The verdict is "conforms", "does not conform", or "incomplete": nothing
/// failed, but, as "incomplete" says, not enough was tried.
base::Json make_certificate(const base::Json& report, const CertificateSettings& settings,
                            const std::vector<CertificateStep>& steps,
                            const std::string& corpus_directory);
/// Of the report that holds it. Who is certified under a promise does not conform to more.
std::string certificate_title(const std::string& backend, const std::string& profile);
/// For a terminal: the verdict and the figures.
std::string certificate_text(const base::Json& certificate);

struct CertifiedReport {
  base::Json report{};
  std::string page{};  ///< the whole of it; empty where the file is JSON
};
/// The report with its certificate in a page or a JSON file. Throws base::BadInput where there
/// is none in it.
CertifiedReport read_certified_report(const std::string& path);

}  // namespace opconform::cli
