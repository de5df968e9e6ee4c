// The certificate: what was run on what, with hashes and seeds, so that somebody else can run a
// sample of it again. It stands in the report of the same run, under "certificate".
#pragma once

#include <string>
#include <vector>

#include "harness/json_document.h"

namespace opconform::tools {

/// A command that the certificate rests on.
struct CertificateStep {
  std::string command{};  ///< as a shell would read it
  int exit_code = 0;
  bool is_of_suite = false;  ///< it says how good the check is, not the implementation
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

/// The figures of all parts of the report but its cases. Throws Json::exception where a part is
/// missing or is not as reports/report.schema.json has it.
harness::Json figures_of_parts(const harness::Json& report);

/// From the report of everything that was run. `corpus_directory` has the frozen cases. The verdict
/// is "conforms", "does not conform", or "incomplete": nothing failed, but, as "incomplete" says,
/// not enough was tried.
harness::Json make_certificate(const harness::Json& report, const CertificateSettings& settings,
                               const std::vector<CertificateStep>& steps,
                               const std::string& corpus_directory);
/// For a terminal: the verdict and the figures.
std::string certificate_text(const harness::Json& certificate);

/// The report with its certificate in a page or a JSON file. Throws harness::BadInput where there
/// is none in it.
harness::Json read_certified_report(const std::string& path);

}  // namespace opconform::tools
