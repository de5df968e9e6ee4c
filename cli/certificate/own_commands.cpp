#include "cli/certificate/own_commands.h"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): for kill(), of POSIX
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/exit_code.h"
#include "cli/signals.h"
#include "reports/atomic_file.h"

namespace opconform::cli {

namespace fs = std::filesystem;

WorkFolder::WorkFolder() {
  // mkdtemp() puts a name that is free in place of each X.
  std::string name = (fs::temp_directory_path() / "opconform-certify-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw reports::WriteError(name + ": cannot be created: " + std::strerror(errno));
  path_ = name;
}

WorkFolder::~WorkFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string WorkFolder::without_path(std::string text) const {
  const std::string path = path_.string() + "/";
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
    text.erase(at, path.size());
  return text;
}

namespace {

/// The status of the child, which has a moment to end by itself when `stop` becomes true.
int wait_for(pid_t child, const std::atomic<bool>& stop) {
  constexpr auto kGrace = std::chrono::milliseconds(800);
  constexpr unsigned kTickMicroseconds = 10'000;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    const auto now = std::chrono::steady_clock::now();
    if (stop && !deadline) {
      ::kill(child, SIGTERM);
      deadline = now + kGrace;
    } else if (deadline && now >= *deadline) {
      ::kill(child, SIGKILL);
    }
    ::usleep(kTickMicroseconds);
  }
  return status;
}

struct Stream {
  int number;
  std::string file;
  int flags;
};
constexpr int kWritten = O_WRONLY | O_CREAT | O_TRUNC;

/// Looks for the program in PATH where it is no path. The streams that are not named stay as they
/// are.
int run(const char* program, std::vector<std::string> words, const std::vector<Stream>& streams) {
  const std::atomic<bool>& stop = stop_on_signals();
  if (stop) return kHarnessFailed;
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(kHarnessFailed);
    for (const Stream& stream : streams)
      if (const int file = ::open(stream.file.c_str(), stream.flags | O_CLOEXEC, 0666); file >= 0)
        ::dup2(file, stream.number);
    ::execvp(program, argv.data());
    ::_exit(errno == ENOENT ? kToolNotFound : kHarnessFailed);
  }
  const int status = wait_for(child, stop);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kHarnessFailed;
}

}  // namespace

int run_program(const std::vector<std::string>& words, const std::string& log) {
  std::vector<std::string> all = {"opconform"};
  all.insert(all.end(), words.begin(), words.end());
  return run("/proc/self/exe", std::move(all), {{STDOUT_FILENO, log, kWritten}});
}

int run_tool(const std::vector<std::string>& words, const std::string& input,
             const std::string& output, const std::string& complaints) {
  return run(words.front().c_str(), words,
             {{STDIN_FILENO, input, O_RDONLY},
              {STDOUT_FILENO, output, kWritten},
              {STDERR_FILENO, complaints, kWritten}});
}

}  // namespace opconform::cli
