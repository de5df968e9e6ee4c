#include "harness/interchange/folder.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <set>
#include <system_error>

#include "harness/base/bad_input.h"
#include "harness/base/text_file.h"
#include "harness/cases/case_reader.h"
#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"
#include "harness/interchange/node.h"

namespace opconform::interchange {
namespace {

namespace fs = std::filesystem;

/// An id has letters, digits and "/._-".
std::string folder_name(const std::string& id, std::set<std::string>& taken) {
  std::string name = id;
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-') letter = '_';
  std::string free = name;
  for (int i = 2; !taken.insert(free).second; ++i) free = name + "_" + std::to_string(i);
  return free;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw std::runtime_error(folder.string() + ": " + error.message());
}

void demand_empty(const fs::path& to) {
  std::error_code error;
  if (!fs::exists(to, error)) return;
  if (!fs::is_directory(to, error)) throw base::BadInput(to.string(), "", "is no folder");
  if (!fs::is_empty(to, error))
    throw base::BadInput(to.string(), "", "must be empty, so that all that is there belongs to it");
}

}  // namespace

Exported export_cases(const std::vector<const cases::Case*>& cases, const fs::path& to,
                      const WriteCase& write, const std::function<bool()>& goes_on) {
  demand_empty(to);
  make_folder(to);
  Exported exported;
  std::set<std::string> taken;
  for (const cases::Case* one : cases) {
    if (!goes_on()) break;
    const fs::path folder = to / folder_name(one->id, taken);
    try {
      make_folder(folder);
      write(*one, folder);
    } catch (const CannotSay& error) {
      fs::remove_all(folder);
      exported.left_out.push_back({one->id, error.what()});
      continue;
    }
    // Comes last: a folder without it is not whole.
    write_file(folder / kCaseFile, cases::pretty(cases::cases_to_json({one, 1}, "")));
    ++exported.written;
  }
  return exported;
}

void write_buffers(
    const cases::Case& one, const FilledCase& filled, const fs::path& folder,
    const std::string& ending,
    const std::function<std::string(const TensorDesc&, std::span<const std::byte>)>& bytes_of) {
  const auto write = [&](const fs::path& where, const std::vector<NamedTensor>& tensors,
                         const std::vector<std::vector<std::byte>>& buffers) {
    make_folder(where);
    for (std::size_t i = 0; i < buffers.size(); ++i)
      write_file(where / (file_name(tensors[i].path) + ending),
                 bytes_of(tensors[i].desc, buffers[i]));
  };
  const cases::TensorList tensors(one.op);
  if (!filled.inputs.empty()) write(folder / kInputs, tensors.inputs, filled.inputs);
  const DueEnding due = due_ending(one, filled);
  write(folder / kExpected, tensors.outputs, due.outputs);
  if (!due.rejected.empty()) write_file(folder / kExpected / kRejected, due.rejected);
  if (!due.failed.empty()) write_file(folder / kExpected / kFailed, due.failed);
}

std::string file_name(const FieldPath& path) {
  std::string name = path.text();
  std::replace(name.begin(), name.end(), '[', '.');
  std::erase(name, ']');
  return name;
}

std::string read_file(const fs::path& file) {
  // As much as the buffers of one case may have.
  constexpr std::size_t kMostBytes = std::size_t{1} << 31U;
  return base::read_text_file(file, kMostBytes);
}

void write_file(const fs::path& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream)
    throw std::runtime_error("cannot write " + file.string() + ": " + std::strerror(errno));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<fs::path> folders_with(const fs::path& path, const std::string& file) {
  std::error_code error;
  if (!fs::is_directory(path, error)) throw base::BadInput(path.string(), "", "is no folder");
  std::vector<fs::path> folders;
  if (fs::exists(path / file, error)) folders.push_back(path);
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename() == file && entry->path().parent_path() != path)
      folders.push_back(entry->path().parent_path());
  if (error) throw base::BadInput(path.string(), "", error.message());
  std::sort(folders.begin(), folders.end());
  return folders;
}

cases::Case read_case_file(const fs::path& folder) {
  cases::LoadedCases loaded = cases::load_cases({folder / kCaseFile});
  if (!loaded.bad_input.empty()) throw std::runtime_error(loaded.bad_input.front());
  if (loaded.cases.size() != 1)
    throw base::BadInput((folder / kCaseFile).string(), "/cases", "must have one case");
  return std::move(loaded.cases.front());
}

}  // namespace opconform::interchange
