#include "reports/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>

namespace opconform::reports {
namespace {

[[noreturn]] void fail(const std::string& path) {
  const int cause = errno;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const bool lacks_folder =
      cause == ENOENT && !folder.empty() && !std::filesystem::exists(folder, error);
  throw WriteError(path + ": cannot be written: " +
                   (lacks_folder ? "there is no folder " + folder.string() : std::strerror(cause)));
}

void write_all(int target, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(target, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Where the text of a file goes first.
struct Target {
  int file = -1;
  bool is_direct = false;  ///< into what stands there
  std::filesystem::path path{};
  std::filesystem::path final_path{};  ///< of the file itself, behind links
};

/// The file that a link, or a link to a link, names; it need not be there. A link remains where
/// they lead round in a circle, and where one stands for an open file (/dev/stdout), which has no
/// name to rename to.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, error); ++i) {
    if (path.native().starts_with("/proc/")) break;
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  }
  return path;
}

std::filesystem::path beside(const std::filesystem::path& path) {
  const std::string mark = ".part" + std::to_string(::getpid());
  std::string name = path.filename();
  if (name.size() <= NAME_MAX) name.resize(std::min(name.size(), NAME_MAX - mark.size()));
  return path.parent_path() / (name + mark);
}

Target open_target(const std::string& path) {
  Target target;
  target.final_path = behind_links(path);
  std::error_code error;
  const auto status = std::filesystem::symlink_status(target.final_path, error);
  target.is_direct = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  target.path = target.is_direct ? target.final_path : beside(target.final_path);
  target.file = ::open(target.path.c_str(),
                       O_WRONLY | O_CLOEXEC | (target.is_direct ? 0 : O_CREAT | O_TRUNC), 0666);
  if (target.file < 0) fail(path);
  return target;
}

}  // namespace

void demand_writable(const std::string& path) {
  if (path == "-") return;
  const Target target = open_target(path);
  ::close(target.file);
  if (!target.is_direct) ::unlink(target.path.c_str());
}

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") return write_all(STDOUT_FILENO, text, "standard output");
  const Target target = open_target(path);
  const int file = target.file;
  const bool direct = target.is_direct;
  try {
    write_all(file, text, path);
    if (!direct && ::fsync(file) != 0) fail(path);
  } catch (...) {
    ::close(file);
    if (!direct) ::unlink(target.path.c_str());
    throw;
  }
  if (::close(file) != 0) fail(path);
  if (!direct && ::rename(target.path.c_str(), target.final_path.c_str()) != 0) {
    const int cause = errno;
    ::unlink(target.path.c_str());
    errno = cause;
    fail(path);
  }
}

}  // namespace opconform::reports
