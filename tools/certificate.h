// The certificate: what was run on what, with hashes and seeds, so that somebody else can run a
// sample of it again. It stands in the report of the same run, under "certificate".
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json_document.h"

namespace opconform::tools {

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
  std::uint64_t seed = 1;
  std::uint64_t cases = 0;  ///< generated
};

/// From the report of everything that was run, with a step for each of kSteps. `corpus_directory`
/// has the frozen cases. The verdict is "conforms", "does not conform", or "incomplete": nothing
/// failed, but, as "incomplete" says, not enough was tried.
harness::Json make_certificate(const harness::Json& report, const CertificateSettings& settings,
                               const std::vector<CertificateStep>& steps,
                               const std::string& corpus_directory);
/// For a terminal: the verdict and the figures.
std::string certificate_text(const harness::Json& certificate);

/// Something that a certificate says, and what the rest of its page says of it.
struct Statement {
  std::string what{};
  harness::Json certified{};
  harness::Json found{};
};
/// All that follows from the rest of the page: figures, verdict, what was run on what. Throws
/// Json::exception where the report is not as reports/report.schema.json has it.
std::vector<Statement> statements_of(const harness::Json& report);

/// The report with its certificate in a page or a JSON file. Throws harness::BadInput where there
/// is none in it.
harness::Json read_certified_report(const std::string& path);

}  // namespace opconform::tools
