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

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") return write_all(STDOUT_FILENO, text, "standard output");
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  const bool direct = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  const std::string target = direct ? path : path + ".part" + std::to_string(::getpid());
  const int file =
      ::open(target.c_str(), O_WRONLY | O_CLOEXEC | (direct ? 0 : O_CREAT | O_TRUNC), 0666);
  if (file < 0) fail(path);
  try {
    write_all(file, text, path);
    if (!direct && ::fsync(file) != 0) fail(path);
  } catch (...) {
    ::close(file);
    if (!direct) ::unlink(target.c_str());
    throw;
  }
  if (::close(file) != 0) fail(path);
  if (!direct && ::rename(target.c_str(), path.c_str()) != 0) {
    const int cause = errno;
    ::unlink(target.c_str());
    errno = cause;
    fail(path);
  }
}

}  // namespace opconform::reports
