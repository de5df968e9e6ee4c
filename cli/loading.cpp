#include "cli/loading.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <system_error>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "harness/base/text_file.h"
#include "planted/registry.h"

namespace opconform::cli {

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

std::vector<std::string> case_paths(const std::vector<std::string>& paths) {
  return paths.empty() ? std::vector{default_case_directory().string()} : paths;
}

cases::LoadedCases load(const std::vector<std::string>& paths, int& exit_code) {
  std::vector<std::filesystem::path> files(paths.begin(), paths.end());
  if (files.empty()) {
    const std::filesystem::path directory = default_case_directory();
    if (directory.empty()) {
      const char* const why = "found no case files: name some, or set OPCONFORM_SPEC_CASES";
      complain(why);
      raise_to(exit_code, kBadInput);
      return {{}, {why}};
    }
    files.push_back(directory);
  }
  cases::LoadedCases loaded = cases::load_cases(files);
  for (const std::string& message : loaded.bad_input) complain(message);
  if (!loaded.bad_input.empty()) raise_to(exit_code, kBadInput);
  return loaded;
}

cases::LoadedCases load_labelled(const std::string& label, const std::vector<std::string>& paths,
                                 int& exit_code) {
  if (label.empty()) return load(paths, exit_code);
  if (paths.size() > 1 || label.find('/') != std::string::npos)
    throw CLI::ValidationError("--label",
                               "must be one word, and needs exactly one folder of cases");
  const std::filesystem::path directory =
      paths.empty() ? default_case_directory() : std::filesystem::path(paths.front());
  const std::filesystem::path list = directory / (label + ".label");
  std::istringstream lines(base::read_text_file(list));
  std::vector<std::string> files;
  std::map<std::string, bool> wanted;  // id: was it found?
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || space == 0 || space + 1 == line.size())
      throw base::BadInput(list.string(), "line " + std::to_string(number),
                           "is not a file and an id: " + base::in_quotes(line));
    wanted[line.substr(space + 1)] = false;
    const std::string file = (directory / line.substr(0, space)).string();
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  if (files.empty()) throw base::BadInput(list.string(), "", "names no case");
  cases::LoadedCases loaded = load(files, exit_code);
  std::erase_if(loaded.cases, [&](const cases::Case& one) {
    const auto found = wanted.find(one.id);
    if (found != wanted.end()) found->second = true;
    return found == wanted.end();
  });
  for (const auto& [id, was_found] : wanted) {
    if (was_found) continue;
    complain(list.string() + ": no such case in its file: " + base::in_quotes(id));
    raise_to(exit_code, kBadInput);
  }
  return loaded;
}

std::unique_ptr<backends::Backend> backend_of(const std::string& name) {
  std::unique_ptr<backends::Backend> backend = planted::make_faulty(name);
  if (backend == nullptr) backend = backends::make_backend(name);
  if (backend == nullptr) throw CLI::ValidationError("--backend", "no such backend: " + name);
  return backend;
}

}  // namespace opconform::cli
