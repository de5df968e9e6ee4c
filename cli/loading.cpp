#include "cli/loading.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <system_error>

#include "cli/adapters.h"
#include "cli/case_folder.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "harness/base/bad_input.h"
#include "harness/base/suggestion.h"
#include "harness/base/text.h"
#include "harness/base/text_file.h"
#include "harness/interchange/recorded.h"
#include "planted/registry.h"

namespace opconform::cli {

std::vector<std::string> labels_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".label") names.push_back(entry->path().stem().string());
  names.insert(names.end(), cases::kCaseLabels.begin(), cases::kCaseLabels.end());
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

void demand_label(const std::filesystem::path& folder, const std::string& label) {
  std::error_code error;
  if (std::filesystem::exists(folder / (label + ".label"), error)) return;
  const std::vector<std::string> names = labels_in(folder);
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw CLI::ValidationError("--label",
                             "no such label in " + folder.string() + ": " + base::in_quotes(label) +
                                 base::did_you_mean(label, known) +
                                 (known.empty() ? "" : "; there are: " + base::listed(known)));
}

}  // namespace

cases::LoadedCases load(const std::vector<std::string>& paths, int& exit_code) {
  std::vector<std::filesystem::path> files(paths.begin(), paths.end());
  if (files.empty()) {
    const std::filesystem::path directory = find_case_folder();
    if (directory.empty()) {
      const std::string why = no_case_folder_text();
      complain(why);
      raise_to(exit_code, kBadInput);
      return {.cases = {}, .bad_input = {why}};
    }
    files.push_back(directory);
  }
  cases::LoadedCases loaded = cases::load_cases(files, [] { return !is_asked_to_stop(); });
  for (const std::string& message : loaded.bad_input) complain(message);
  if (!loaded.bad_input.empty()) raise_to(exit_code, kBadInput);
  return loaded;
}

cases::LoadedCases load_all(const std::vector<std::string>& paths, int& exit_code) {
  cases::LoadedCases loaded = load(paths, exit_code);
  std::move(loaded.left_out.begin(), loaded.left_out.end(), std::back_inserter(loaded.cases));
  loaded.left_out.clear();
  return loaded;
}

namespace {

cases::LoadedCases load_with_case_label(const std::string& label,
                                        const std::vector<std::string>& paths, int& exit_code) {
  cases::LoadedCases loaded = load_all(paths, exit_code);
  std::erase_if(loaded.cases, [&](const cases::Case& one) { return one.label != label; });
  if (loaded.cases.empty() && exit_code == kAllAsExpected && !loaded.interrupted)
    throw CLI::ValidationError("--label", "no case file has the label " + label);
  return loaded;
}

}  // namespace

cases::LoadedCases load_labelled(const std::string& label, const std::vector<std::string>& paths,
                                 int& exit_code) {
  if (label.empty()) return load(paths, exit_code);
  if (cases::is_case_label(label)) return load_with_case_label(label, paths, exit_code);
  std::error_code error;
  const bool is_folder =
      paths.empty() || (paths.size() == 1 && std::filesystem::is_directory(paths.front(), error));
  if (!is_folder || label.find('/') != std::string::npos)
    throw CLI::ValidationError("--label", "must be one word, and needs one folder of cases");
  const std::filesystem::path directory =
      paths.empty() ? case_folder() : std::filesystem::path(paths.front());
  demand_label(directory, label);
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
    if (was_found || loaded.interrupted) continue;
    complain(list.string() + ": no such case in its file: " + base::in_quotes(id));
    raise_to(exit_code, kBadInput);
  }
  return loaded;
}

std::string left_out_text(const std::vector<const cases::Case*>& left_out) {
  std::string text;
  for (const std::string_view label : cases::kCaseLabels) {
    const auto count = std::count_if(left_out.begin(), left_out.end(),
                                     [&](const cases::Case* one) { return one->label == label; });
    if (count > 0)
      text += std::to_string(count) + (count == 1 ? " case" : " cases") + " left out: --label " +
              std::string(label) + (count == 1 ? " runs it\n" : " runs them\n");
  }
  return text;
}

std::string no_such_case(const std::vector<cases::Case>& cases, const std::string& id) {
  std::vector<std::string_view> ids;
  ids.reserve(cases.size());
  for (const cases::Case& one : cases) ids.push_back(one.id);
  const std::string question = base::did_you_mean(id, ids);
  return "no case has the id " + base::in_quotes(id) +
         (question.empty() ? "; opconform list lists them" : question);
}

std::string no_such_backend(const std::string& name) {
  std::vector<std::string> faulty;
  for (const planted::Planted& one : planted::all_planted())
    faulty.push_back("faulty:" + std::string(one.row->name));
  std::vector<std::string_view> known(backends::kBuiltInBackends.begin(),
                                      backends::kBuiltInBackends.end());
  const std::string built_in = base::listed(known);
  known.insert(known.end(), faulty.begin(), faulty.end());
  const std::string question = base::did_you_mean(name, known);
  return "no such backend: " + base::in_quotes(name) + question +
         (question.empty() ? "; there are " : " There are ") + built_in +
         ", the faulty:NAME of opconform list planted, the adapter:NAME of opconform list "
         "adapters, and plugin:PATH or process:COMMAND for one of your own" +
         (name.find(',') == std::string::npos ? "" : "; --backend may be given several times");
}

std::vector<std::unique_ptr<backends::Backend>> backends_of(const std::string& name) {
  std::vector<std::unique_ptr<backends::Backend>> backends;
  if (auto faulty = planted::make_faulty(name))
    backends.push_back(std::move(faulty));
  else if (name.starts_with(kAdapterPrefix))
    backends = adapter_backends(name);
  else if (name.starts_with(interchange::kRecordedPrefix))
    backends.push_back(interchange::recorded_backend(name));
  else
    backends = backends::make_backends(name);
  if (backends.empty()) throw CLI::ValidationError("--backend", no_such_backend(name));
  for (const std::unique_ptr<backends::Backend>& backend : backends)
    if (const std::string who = backend->implementation(); !who.empty())
      remember_implementation(backend->name(), base::words_of_others(who, 200));
  return backends;
}

std::unique_ptr<backends::Backend> backend_of(const std::string& name) {
  return std::move(backends_of(name).front());
}

}  // namespace opconform::cli
