#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <system_error>

#include "harness/base/bad_input.h"
#include "harness/base/text_file.h"
#include "planted/registry.h"
#include "reports/atomic_file.h"
#include "reports/renderers.h"
#include "reports/run_info.h"

namespace opconform::tools {

namespace {

std::string command_line;
std::chrono::system_clock::time_point start_time;

}  // namespace

void remember_command(const std::vector<std::string>& words) {
  start_time = std::chrono::system_clock::now();
  command_line = repro_environment() + "opconform";
  for (std::size_t i = 1; i < words.size(); ++i) command_line += " " + shell_word(words[i]);
}

harness::Json run_info() { return reports::run_info_to_json(command_line, start_time); }

bool ReportFiles::any() const {
  return !html.empty() || !markdown.empty() || !junit.empty() || !sarif.empty();
}

void add_report_files(CLI::App& command, ReportFiles& files) {
  add_file(command, "--html", files.html, "Write the report as one page that opens from disk");
  add_file(command, "--markdown", files.markdown, "Write it as Markdown");
  add_file(command, "--junit", files.junit, "Write the verdicts as JUnit XML");
  add_file(command, "--sarif", files.sarif, "Write the failures as SARIF");
}

void demand_distinct(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  const auto place_of = [](const std::string& file) {
    std::error_code error;
    if (file.empty() || file == "-" || !is_replaceable(file)) return fs::path(file);
    return fs::weakly_canonical(fs::absolute(file), error);
  };
  std::set<fs::path> places;
  std::vector<fs::path> folders;
  for (const std::string& input : inputs) {
    places.insert(place_of(input));
    std::error_code error;
    if (fs::is_directory(input, error)) folders.push_back(fs::canonical(input, error));
  }
  for (const std::string& output : outputs) {
    if (output.empty() || (output != "-" && !is_replaceable(output))) continue;
    if (!places.insert(place_of(output)).second)
      throw CLI::ValidationError(output, "would be written over what is read or written besides");
    const fs::path place = place_of(output);
    for (const fs::path& folder : folders)
      if (place.extension() == ".json" &&
          std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first ==
              folder.end())
        throw CLI::ValidationError(
            output, "lies in " + folder.string() + ", of which all .json files are read as cases");
  }
}

ExitCode write_report(const harness::Json& report, const ReportFiles& files) {
  ExitCode exit_code = kAllAsExpected;
  const auto write = [&](const std::string& file, auto&& render) {
    if (!file.empty()) exit_code = std::max(exit_code, write_or_complain(file, render(report)));
  };
  write(files.html, reports::report_as_html);
  write(files.markdown, reports::report_as_markdown);
  write(files.junit, reports::report_as_junit);
  write(files.sarif, reports::report_as_sarif);
  return exit_code;
}

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
      const char* const why = "no case files: name some, or set OPCONFORM_SPEC_CASES";
      complain(why);
      exit_code = std::max<int>(exit_code, kBadInput);
      return {{}, {why}};
    }
    files.push_back(directory);
  }
  harness::LoadedCases loaded = harness::load_cases(files);
  for (const std::string& message : loaded.bad_input) complain(message);
  if (!loaded.bad_input.empty()) exit_code = std::max<int>(exit_code, kBadInput);
  return loaded;
}

harness::LoadedCases load_labelled(const std::string& label, const std::vector<std::string>& paths,
                                   int& exit_code) {
  if (paths.size() > 1 || label.find('/') != std::string::npos)
    throw CLI::ValidationError("--label", "goes with one folder of cases, and is a word");
  const std::filesystem::path directory =
      paths.empty() ? default_case_directory() : std::filesystem::path(paths.front());
  const std::filesystem::path list = directory / (label + ".label");
  std::istringstream lines(harness::read_text_file(list));
  std::vector<std::string> files;
  std::map<std::string, bool> wanted;  // id: was it found?
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || space == 0 || space + 1 == line.size())
      throw harness::BadInput(list.string(), "line " + std::to_string(number),
                              "is no file and id: " + harness::in_quotes(line));
    wanted[line.substr(space + 1)] = false;
    const std::string file = (directory / line.substr(0, space)).string();
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  if (files.empty()) throw harness::BadInput(list.string(), "", "names no case");
  harness::LoadedCases loaded = load(files, exit_code);
  std::erase_if(loaded.cases, [&](const harness::Case& one) {
    const auto found = wanted.find(one.id);
    if (found != wanted.end()) found->second = true;
    return found == wanted.end();
  });
  for (const auto& [id, was_found] : wanted) {
    if (was_found) continue;
    complain(list.string() + ": no such case in its file: " + harness::in_quotes(id));
    exit_code = std::max<int>(exit_code, kBadInput);
  }
  return loaded;
}

void add_label(CLI::App& command, std::string& label) {
  command
      .add_option("--label", label, "Only cases that the folder's file LABEL.label names: smoke")
      ->type_name("LABEL");
}

CLI::Option& add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                        const std::string& description, const std::string& type_name) {
  const auto set = [&value, name](const std::string& text) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      throw CLI::ValidationError(name, "not a whole number below 2^64: " + text);
  };
  return *command.add_option_function<std::string>(name, set, description)->type_name(type_name);
}

CLI::Option& add_file(CLI::App& command, const std::string& name, std::string& path,
                      const std::string& description) {
  return *command.add_option(name, path, description)
              ->type_name("FILE")
              ->check([](const std::string& text) {
                return text.empty() ? "a file name is missing" : "";
              });
}

void add_seconds(CLI::App& command, const std::string& name, double& value,
                 const std::string& description) {
  command.add_option(name, value, description)
      ->type_name("SECONDS")
      ->check(CLI::Range(0.001, 86400.0))
      ->check([](const std::string& text) {
        return text.find_first_not_of("0123456789.") == std::string::npos
                   ? ""
                   : "not a number of seconds: " + text;
      });
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

std::unique_ptr<harness::Backend> backend_of(const std::string& name) {
  std::unique_ptr<harness::Backend> backend = faulty::make_faulty(name);
  if (backend == nullptr) backend = harness::make_backend(name);
  if (backend == nullptr) throw CLI::ValidationError("--backend", "no such backend: " + name);
  return backend;
}

std::optional<Version> feature_level_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::optional<Version> level = Version::parse(text, Dialect::kDirectml);
  if (!level) throw CLI::ValidationError("--feature-level", "no feature level: " + text);
  return level;
}

namespace {

std::atomic<bool> stop_asked = false;
void on_signal(int signal) {
  if (stop_asked.exchange(true)) std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, on_signal);
  return stop_asked;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string shell_path(const std::string& path) {
  return shell_word(path.starts_with("-") ? "./" + path : path);
}

std::string repro_environment() {
  const char* isa = std::getenv("OPCONFORM_FORCE_ISA");
  return isa == nullptr || *isa == '\0' ? "" : "OPCONFORM_FORCE_ISA=" + shell_word(isa) + " ";
}

std::string json_text(const harness::Json& json, int indent) {
  return json.dump(indent, ' ', false, harness::Json::error_handler_t::replace) + "\n";
}

bool is_replaceable(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  return !file.empty() && file != "-" &&
         (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status));
}

void write_interrupted(const std::string& file, harness::Json empty) {
  if (!is_replaceable(file)) return;
  empty["interrupted"] = true;
  try {
    reports::write_file(file, json_text(empty));
  } catch (const reports::WriteError&) {
    return;  // told of when the result is to be written
  }
}

ExitCode write_or_complain(const std::string& file, std::string_view text) {
  try {
    reports::write_file(file, text);
    return kAllAsExpected;
  } catch (const reports::WriteError& error) {
    complain(error.what());
    return kHarnessFailed;
  }
}

void complain(const std::string& message) {
  std::cerr << "opconform: " << harness::printable(message) << '\n';
}

void print(const std::string& text) { reports::write_file("-", text); }

}  // namespace opconform::tools
