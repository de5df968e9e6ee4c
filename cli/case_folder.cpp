#include "cli/case_folder.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <system_error>

namespace opconform::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kVariable = "OPCONFORM_SPEC_CASES";
constexpr const char* kHere = "spec_cases";

fs::path cases_beside_program() { return beside_program("spec_cases"); }

}  // namespace

fs::path beside_program(std::string_view folder) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path().parent_path() / "share" / "opconform" / folder;
}

fs::path find_case_folder() {
  if (const char* given = std::getenv(kVariable); given != nullptr && *given != '\0') return given;
  std::error_code error;
  if (fs::is_directory(kHere, error)) return kHere;
  const fs::path beside = cases_beside_program();
  // In a build it is a link to the checkout: that is what messages should name.
  return fs::is_directory(beside, error) ? fs::canonical(beside, error) : fs::path();
}

fs::path case_folder() {
  fs::path folder = find_case_folder();
  if (folder.empty()) throw CLI::ValidationError(no_case_folder_text());
  return folder;
}

std::string no_case_folder_text() {
  std::error_code error;
  return "found no folder of cases: neither " + (fs::current_path(error) / kHere).string() +
         " nor " + cases_beside_program().string() + " exists; name a path, or set " + kVariable;
}

std::vector<std::string> case_paths(const std::vector<std::string>& paths) {
  return paths.empty() ? std::vector{find_case_folder().string()} : paths;
}

}  // namespace opconform::cli
