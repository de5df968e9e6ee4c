#include "reports/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace opconform::reports {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw WriteError(path + ": cannot be written: " + std::strerror(errno));
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
  std::string path{};
};

Target open_target(const std::string& path) {
  Target target;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  target.is_direct = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  target.path = target.is_direct ? path : path + ".part" + std::to_string(::getpid());
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
  if (!direct && ::rename(target.path.c_str(), path.c_str()) != 0) {
    const int cause = errno;
    ::unlink(target.path.c_str());
    errno = cause;
    fail(path);
  }
}

}  // namespace opconform::reports
