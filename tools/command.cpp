#include "tools/command.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <system_error>

#include "reports/atomic_file.h"

namespace opconform::tools {

std::filesystem::path default_case_directory() {
  namespace fs = std::filesystem;
  if (const char* given = std::getenv("OPCONFORM_SPEC_CASES"); given != nullptr && *given != '\0')
    return given;
  std::error_code error;
  if (fs::is_directory("spec_cases", error)) return "spec_cases";
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed =
      program.parent_path().parent_path() / "share" / "opconform" / "spec_cases";
  return !error && fs::is_directory(installed, error) ? installed : fs::path();
}

harness::LoadedCases load(const std::vector<std::string>& paths, int& exit_code) {
  std::vector<std::filesystem::path> files(paths.begin(), paths.end());
  if (files.empty()) {
    const std::filesystem::path directory = default_case_directory();
    if (directory.empty()) {
      complain("no case files: name some, or set OPCONFORM_SPEC_CASES");
      exit_code = std::max<int>(exit_code, kBadInput);
      return {};
    }
    files.push_back(directory);
  }
  harness::LoadedCases loaded = harness::load_cases(files);
  for (const std::string& message : loaded.bad_input) complain(message);
  if (!loaded.bad_input.empty()) exit_code = std::max<int>(exit_code, kBadInput);
  return loaded;
}

void add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                const std::string& description, const std::string& type_name) {
  const auto set = [&value, name](const std::string& text) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      throw CLI::ValidationError(name, "not a whole number below 2^64: " + text);
  };
  command.add_option_function<std::string>(name, set, description)->type_name(type_name);
}

std::string is_file_name(const std::string& text) {
  return text.empty() ? "a file name is missing" : "";
}

void complain(const std::string& message) {
  std::cerr << "opconform: " << harness::printable(message) << '\n';
}

void print(const std::string& text) { reports::write_file("-", text); }

}  // namespace opconform::tools
