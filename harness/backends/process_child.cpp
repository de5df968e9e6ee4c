#include "harness/backends/process_child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): for kill(), of POSIX
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "harness/base/kept_process.h"
#include "harness/base/text.h"

namespace opconform::backends {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers of messages are copied");

constexpr std::size_t kReadBytes = std::size_t{1} << 16;
constexpr int kPipeBytes = 1 << 20;  // large tensors then wake nobody up for each page of them

/// A pipe whose ends other programs do not inherit.
struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    (void)::fcntl(ends[0], F_SETPIPE_SZ, kPipeBytes);  // fewer will do
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  int take(int end) { return std::exchange(ends[end], -1); }
};

/// The life of the new process until it is the shell. Calls nothing that allocates: the process may
/// be a copy of one with threads.
[[noreturn]] void become(const char* command, int input, int output, pid_t parent,
                         bool dies_with_thread) {
  ::setpgid(0, 0);  // what it does to its group is not done to the worker
  // The kernel ends it with the thread that started it, which is that of the worker.
  if (dies_with_thread) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    (void)::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  if (::close_range(STDERR_FILENO + 1, ~0U, 0) != 0)
    for (int file = STDERR_FILENO + 1; file < 1024; ++file) ::close(file);
  ::execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  ::_exit(127);
}

/// Of this process; never destroyed, for threads may outlive main().
struct Programs {
  std::mutex mutex;
  std::set<ChildProcess*> programs;
};
Programs& all() {
  static Programs& programs = *new Programs;
  return programs;
}

std::string ended_text(int status) {
  if (WIFSIGNALED(status)) return "was ended by " + base::signal_text(status);
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

ChildProcess::ChildProcess(const std::string& command) : received_(kReadBytes) {
  // Writing to a program that is gone is an error like others.
  (void)::signal(SIGPIPE, SIG_IGN);
  start("exec " + command);  // or the shell would stand between it and its signals
  const std::lock_guard lock(all().mutex);
  all().programs.insert(this);
}

ChildProcess::~ChildProcess() {
  {
    const std::lock_guard lock(all().mutex);
    all().programs.erase(this);
  }
  end();
}

void ChildProcess::end_all() {
  const std::lock_guard lock(all().mutex);
  for (ChildProcess* program : all().programs) program->close_input();
  for (ChildProcess* program : all().programs) program->end();
}

void ChildProcess::start(const std::string& command) {
  Pipe input;
  Pipe output;
  const pid_t parent = ::getpid();
  const bool is_first_thread = ::syscall(SYS_gettid) == parent;
  parent_ = parent;
  pid_ = ::fork();
  if (pid_ == 0) become(command.c_str(), input.ends[0], output.ends[1], parent, is_first_thread);
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  ::setpgid(pid_, pid_);
  input_ = input.take(1);
  output_ = output.take(0);
  ::fcntl(input_, F_SETFL, O_NONBLOCK);
}

void ChildProcess::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

/// Reaps it where it does.
bool ChildProcess::ends_within(std::chrono::milliseconds time, int* status) {
  const auto until = std::chrono::steady_clock::now() + time;
  pid_t gone = 0;
  while ((gone = ::waitpid(pid_, status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < until)
    ::usleep(1000);
  if (gone != pid_) return false;
  ::kill(-std::exchange(pid_, -1), SIGKILL);  // what it has started
  return true;
}

void ChildProcess::end() {
  close_input();
  if (pid_ > 0 && parent_ == ::getpid()) (void)ends_within(kTimeToEnd, nullptr);
  kill();
}

void ChildProcess::kill() {
  if (pid_ > 0 && parent_ == ::getpid()) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  for (int* file : {&input_, &output_}) {
    if (*file >= 0) ::close(*file);
    *file = -1;
  }
}

void ChildProcess::lose(const std::string& why) {
  kill();
  throw Lost{"the program " + why, std::nullopt};
}

/// It reads or writes no more: how did it end?
void ChildProcess::lose_ended() {
  constexpr std::chrono::milliseconds kSoon{200};
  int status = 0;
  const bool has_ended = ends_within(kSoon, &status);
  const std::string where = size_ > read_ ? " in the middle of a message" : "";
  if (!has_ended) lose("closed its standard input or output" + where + ", and did not end");
  kill();
  throw Lost{"the program " + ended_text(status) + where, status};
}

void ChildProcess::write(std::vector<iovec>& parts) {
  std::span<iovec> left(parts);
  while (!left.empty()) {
    std::size_t written = write_some(left.first(std::min<std::size_t>(left.size(), IOV_MAX)));
    while (!left.empty() && written >= left.front().iov_len) {
      written -= left.front().iov_len;
      left = left.subspan(1);
    }
    if (left.empty()) break;
    left.front().iov_base = static_cast<std::byte*>(left.front().iov_base) + written;
    left.front().iov_len -= written;
  }
}

std::size_t ChildProcess::write_some(std::span<iovec> parts) {
  while (true) {
    const ssize_t written = ::writev(input_, parts.data(), static_cast<int>(parts.size()));
    if (written >= 0) return static_cast<std::size_t>(written);
    if (errno == EAGAIN)
      wait_to_write();
    else if (errno != EINTR)
      lose_ended();
  }
}

/// Reads meanwhile: a program that waits for its own words to be read would never go on.
void ChildProcess::wait_to_write() {
  constexpr std::size_t kMostUnasked = std::size_t{1} << 24;
  pollfd files[] = {{input_, POLLOUT, 0}, {output_, POLLIN, 0}};
  ::poll(files, 2, -1);
  if (files[1].revents == 0) return;
  receive(1);
  if (size_ > kMostUnasked) lose("writes without end, and does not read what it is asked");
}

/// Appends to what was received, at least so much.
void ChildProcess::receive(std::size_t least_bytes) {
  const std::size_t until = size_ + least_bytes;
  if (received_.size() < until + kReadBytes / 2)
    received_.resize(std::max(until + kReadBytes / 2, std::min(2 * received_.size(), 2 * until)));
  while (size_ < until) {
    const ssize_t length = ::read(output_, received_.data() + size_, received_.size() - size_);
    if (length > 0)
      size_ += static_cast<std::size_t>(length);
    else if (length == 0 || errno != EINTR)
      lose_ended();
  }
}

std::uint32_t ChildProcess::number_at(std::size_t at) const {
  std::uint32_t number = 0;
  std::memcpy(&number, received_.data() + at, sizeof number);
  return number;
}

const MessageStrings& ChildProcess::read(MessageLimit limit) {
  const auto have = [this](std::uint64_t bytes) {
    if (size_ < bytes) receive(static_cast<std::size_t>(bytes) - size_);
  };
  const auto nonsense = [this](const std::string& what) {
    const std::string_view shown(reinterpret_cast<const char*>(received_.data()),
                                 std::min<std::size_t>(size_, 60));
    lose("wrote what is no message (" + what + "): " + base::in_quotes(shown));
  };
  size_ -= read_;
  std::memmove(received_.data(), received_.data() + read_, size_);
  read_ = 0;
  have(kNumberBytes);
  const std::uint64_t count = number_at(0);
  if (count == 0 || count > limit.strings)
    nonsense(std::to_string(count) + " strings, where 1 to " + std::to_string(limit.strings) +
             " are possible");
  const std::uint64_t head_bytes = kNumberBytes * (1 + count);
  have(head_bytes);
  std::uint64_t total = head_bytes;
  for (std::uint64_t i = 0; i < count; ++i) total += number_at(kNumberBytes * (1 + i));
  if (total > limit.bytes)
    nonsense(std::to_string(total) + " bytes, where at most " + std::to_string(limit.bytes) +
             " are possible");
  have(total);
  if (size_ > total)
    lose("wrote " + std::to_string(size_ - total) + " unexpected bytes after its reply");
  strings_.clear();
  std::size_t at = head_bytes;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t length = number_at(kNumberBytes * (1 + i));
    strings_.emplace_back(received_.data() + at, length);
    at += length;
  }
  read_ = total;
  return strings_;
}

void put_head(std::span<const std::span<const std::byte>> strings, std::vector<std::byte>& head) {
  const auto put = [&](std::uint64_t number) {
    const auto word = static_cast<std::uint32_t>(number);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(&word, 1));
    head.insert(head.end(), bytes.begin(), bytes.end());
  };
  put(strings.size());
  for (const std::span<const std::byte> string : strings) put(string.size());
}

}  // namespace opconform::backends
