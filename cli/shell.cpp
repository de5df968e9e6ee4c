#include "cli/shell.h"

#include <chrono>
#include <cstdlib>
#include <map>
#include <string_view>

#include "reports/run_info.h"

namespace opconform::cli {

namespace {

std::map<std::string, std::string> implementations;  // by backend
std::string command_line;
std::chrono::system_clock::time_point
    start_time;  // NOLINT(cert-err58-cpp): a 0, which does not throw

}  // namespace

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

std::string shell_text(const std::vector<std::string>& words) {
  std::string text = "opconform";
  for (const std::string& word : words) text += " " + shell_word(word);
  return text;
}

std::string repro_environment() {
  std::string text;
  for (const char* name : {"OPCONFORM_FORCE_ISA", "OPCONFORM_MACHINE"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0')
      text += std::string(name) + "=" + shell_word(value) + " ";
  }
  return text;
}

void remember_command(const std::vector<std::string>& words) {
  start_time = std::chrono::system_clock::now();
  command_line = repro_environment() +
                 shell_text(std::vector(words.begin() + (words.empty() ? 0 : 1), words.end()));
}

const std::string& this_command() { return command_line; }

void remember_implementation(const std::string& backend, const std::string& implementation) {
  implementations[backend] = implementation;
}

base::Json run_info() {
  base::Json run = reports::run_info_to_json(command_line, start_time);
  if (!implementations.empty()) run["implementations"] = implementations;
  return run;
}

}  // namespace opconform::cli
