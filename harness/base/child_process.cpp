#include "harness/base/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

namespace opconform::base {
namespace {

std::uint64_t virtual_memory_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  statm >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit(decltype(RLIMIT_CORE) resource, std::uint64_t most) {
  const rlimit value{most, most};
  ::setrlimit(resource, &value);
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

ChildProcess start_child(std::uint64_t room_bytes, const std::function<void(int)>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  (void)std::fflush(nullptr);  // or the child would print it again
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    fail("fork");
  }
  if (pid == 0) {
    ::close(ends[0]);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) (void)std::signal(signal, SIG_IGN);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);  // it died before it could be watched
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_AS, virtual_memory_bytes() + room_bytes);
    [&]() noexcept { work(ends[1]); }();  // an exception must not reach the parent's code
    ::_exit(0);
  }
  ::close(ends[1]);
  return {pid, ends[0]};
}

void write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

std::string signal_text(int status) {
  if (!WIFSIGNALED(status)) return "";
  const int signal = WTERMSIG(status);
  return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

}  // namespace opconform::base
