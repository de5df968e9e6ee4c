// Files of cases: which there are, and their cases together.
#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "harness/cases/case_reader.h"

namespace opconform::cases {
namespace {

/// Is this a case file of a directory? Pipes, devices and directories are none, whatever their
/// name; a link that leads nowhere is one, and reading it says so.
bool is_case_file(const std::filesystem::directory_entry& entry) {
  std::error_code error;
  const std::filesystem::file_type type = entry.status(error).type();
  return entry.path().extension() == ".json" && entry.path().filename() != "case.schema.json" &&
         (type == std::filesystem::file_type::regular ||
          type == std::filesystem::file_type::not_found);
}

/// On which lines of their file the cases stand: where their ids do. The parser does not tell.
void find_lines(std::string_view text, std::span<Case> cases) {
  std::size_t at = 0;
  std::size_t line = 1;
  for (Case& one : cases) {
    const std::size_t found = text.find(base::Json(one.id).dump(-1, ' ', false), at);
    if (found == std::string_view::npos) continue;
    line += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                text.begin() + static_cast<std::ptrdiff_t>(found),
                                                '\n'));
    at = found;
    one.line = line;
  }
}

/// Is it one of the paths, rather than below one?
bool is_named(const std::filesystem::path& file, const std::vector<std::filesystem::path>& paths) {
  return std::any_of(paths.begin(), paths.end(), [&](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::equivalent(file, path, error);
  });
}

}  // namespace

std::vector<std::filesystem::path> find_case_files(const std::vector<std::filesystem::path>& paths,
                                                   std::vector<std::string>& bad_input) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::set<fs::path> seen;
  const auto add = [&](const fs::path& file) {
    std::error_code error;
    const fs::path canonical = fs::canonical(file, error);
    // A file that two of the paths lead to is read once; what has no canonical path, the reader
    // tells of.
    if (error || seen.insert(canonical).second) files.push_back(file);
  };
  for (const fs::path& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      add(path);
      continue;
    }
    std::vector<fs::path> found;
    for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error))
      if (is_case_file(*entry)) found.push_back(entry->path());
    if (error) bad_input.push_back(path.string() + ": cannot be listed: " + error.message());
    if (found.empty() && !error) bad_input.push_back(path.string() + ": holds no case file");
    std::sort(found.begin(), found.end());
    std::for_each(found.begin(), found.end(), add);
  }
  return files;
}

LoadedCases load_cases(const std::vector<std::filesystem::path>& paths,
                       const std::function<bool()>& goes_on) {
  LoadedCases loaded;
  for (const std::filesystem::path& file : find_case_files(paths, loaded.bad_input)) {
    loaded.interrupted = goes_on && !goes_on();
    if (loaded.interrupted) break;
    try {
      const std::string text = base::read_text_file(file);
      const std::size_t first = loaded.cases.size();
      read_cases(base::parse_json(text, file.string()), file.string(), loaded);
      find_lines(text, std::span(loaded.cases).subspan(first));
    } catch (const base::BadInput& error) {
      loaded.bad_input.emplace_back(error.what());
    }
  }
  std::map<std::string_view, const Case*> first_with;
  std::vector<Case> chosen;
  chosen.reserve(loaded.cases.size());
  loaded.left_out.reserve(loaded.cases.size());
  for (Case& loaded_case : loaded.cases) {
    const auto found = first_with.find(loaded_case.id);
    if (found != first_with.end()) {
      loaded.bad_input.push_back(loaded_case.file + ": " + loaded_case.place +
                                 "/id: " + base::in_quotes(loaded_case.id) + " stands also in " +
                                 found->second->file + ": " + found->second->place);
      continue;
    }
    const bool is_wanted = loaded_case.label.empty() || is_named(loaded_case.file, paths);
    std::vector<Case>& of_its_kind = is_wanted ? chosen : loaded.left_out;
    of_its_kind.push_back(std::move(loaded_case));  // no reallocation: addresses stay
    first_with.emplace(of_its_kind.back().id, &of_its_kind.back());
  }
  loaded.cases = std::move(chosen);
  return loaded;
}

}  // namespace opconform::cases
