#include "harness/base/kept_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): for kill(), of POSIX
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace opconform::base {
namespace {

enum class Order : char { kStart, kKill };

/// What a keeper tells of a process.
struct End {
  int status = SIGKILL;
  int error = 0;  ///< why it could not be started
};

/// The process's end of the channel, far above the numbers that code under test gets for its files:
/// where that closes everything, nothing of its own takes this place.
constexpr int kChannelPlace = 200;
/// As that: what the process prints goes there, too, whatever becomes of its standard files.
constexpr int kWordsPlace = 201;

/// What a process has once nothing more will be asked of it: it may have something to end itself.
constexpr std::chrono::milliseconds kTimeToEnd{800};

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::uint64_t writable_memory_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int field = 1; field <= 6; ++field) statm >> pages;  // the sixth: data and stack
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Puts the large parts of this process's own memory into huge pages, as far as the kernel does
/// that: the committed cases take 100 MB, and each fork() copies an entry a page, which took longer
/// than most cases.
void gather_memory() {
#ifdef MADV_COLLAPSE
  constexpr int kCollapse = MADV_COLLAPSE;
#else
  constexpr int kCollapse = 25;  // of Linux 6.1
#endif
  constexpr std::uintptr_t kHugePage = std::uintptr_t{1} << 21;
  constexpr std::uintptr_t kWorthIt = 2 * kHugePage;
  constexpr std::uintptr_t kReserved = std::uintptr_t{1} << 29;  // and hardly touched
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t first = 0;
    std::uintptr_t last = 0;
    char dash = 0;
    std::string permissions;
    std::string offset;
    std::string device;
    std::uint64_t file = 0;
    fields >> std::hex >> first >> dash >> last >> permissions >> offset >> device >> std::dec >>
        file;
    const std::uintptr_t size = last - first;
    if (permissions != "rw-p" || file != 0 || size < kWorthIt || size > kReserved) continue;
    first = (first + kHugePage - 1) / kHugePage * kHugePage;
    last = last / kHugePage * kHugePage;
    // It may be refused, and nothing is lost then but time.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    (void)::madvise(reinterpret_cast<void*>(first), last - first, kCollapse);
  }
}

void limit(decltype(RLIMIT_CORE) resource, std::uint64_t most) {
  const rlimit value{most, most};
  ::setrlimit(resource, &value);
}

void close_from(unsigned first, unsigned last) {
  constexpr unsigned kUsual = 1024;
  if (::close_range(first, last, 0) == 0) return;
  for (unsigned file = first; file <= std::min(last, kUsual); ++file)
    ::close(static_cast<int>(file));
}

/// Closes all files but the standard ones and those, which must be in ascending order.
void close_all_but(std::initializer_list<int> kept) {
  unsigned first = STDERR_FILENO + 1;
  for (const int file : kept) {
    const auto place = static_cast<unsigned>(file);
    if (first < place) close_from(first, place - 1);
    first = place + 1;
  }
  close_from(first, ~0U);
}

void replace_standard_files(int output) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  for (const int file : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(output < 0 ? nothing : output, file);
  ::close(nothing);
}

/// The children of this process, which has one thread.
std::vector<pid_t> own_children() {
  std::ifstream list("/proc/thread-self/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

/// Ends all that descends from a process that has ended: it has been adopted by this one.
void end_descendants(pid_t ended) {
  constexpr int kMostTries = 1000;
  ::kill(-ended, SIGKILL);  // those of its group at once, faster than they can start others
  for (int tries = 0; tries < kMostTries; ++tries) {
    pid_t gone = 0;
    while ((gone = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (gone < 0) return;  // there are none
    for (const pid_t child : own_children()) ::kill(child, SIGKILL);
    ::usleep(1000);
  }
}

void on_death(int /*signal*/) {}  // interrupts ppoll()

/// The life of a keeper.
class Keeper {
 public:
  Keeper(int orders, int channel, int words, std::uint64_t room_bytes,
         const KeptProcess::Work& work)
      : orders_(orders), channel_(channel), words_(words), room_bytes_(room_bytes), work_(work) {}

  /// Comes back when this is no longer needed: at the latest when the process is gone to which
  /// the other end of `orders` belongs.
  void run() {
    settle();
    std::optional<Order> order;
    for (std::uint64_t life = 1; (order = next_order());)
      if (*order == Order::kStart && !keep(life++)) return;  // a late order to kill says nothing
  }

 private:
  void settle() {
    ::setpgid(0, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) (void)::signal(signal, SIG_IGN);
    (void)::signal(SIGPIPE, SIG_DFL);
    struct sigaction action {};
    action.sa_handler = on_death;
    ::sigaction(SIGCHLD, &action, nullptr);
    sigset_t deaths;
    ::sigemptyset(&deaths);
    ::sigaddset(&deaths, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &deaths, &mask_);
    replace_standard_files(-1);
  }

  /// False where this keeper is no longer needed.
  [[nodiscard]] bool keep(std::uint64_t life) {
    const pid_t pid = ::fork();
    if (pid == 0) live(life);
    End end;
    if (pid < 0) {
      end.error = errno;
    } else {
      const std::optional<int> status = wait_for(pid);
      end_descendants(pid);
      if (!status) return false;
      end.status = *status;
    }
    return send_all(orders_, std::as_bytes(std::span(&end, 1)));
  }

  [[nodiscard]] std::optional<Order> next_order() const {
    Order order{};
    if (!receive_all(orders_, std::as_writable_bytes(std::span(&order, 1)))) return std::nullopt;
    return order;
  }

  /// Its status; nothing where this keeper is no longer needed.
  [[nodiscard]] std::optional<int> wait_for(pid_t pid) const {
    while (true) {
      int status = 0;
      pid_t gone = 0;
      while ((gone = ::waitpid(-1, &status, WNOHANG)) > 0)
        if (gone == pid) return status;
      pollfd orders{orders_, POLLIN, 0};
      if (::ppoll(&orders, 1, nullptr, &mask_) <= 0) continue;
      const bool is_needed = next_order().has_value();
      if (!is_needed && ends_soon(pid)) return std::nullopt;
      ::kill(-pid, SIGKILL);
      ::kill(pid, SIGKILL);  // it may not have come to be a group of its own
      if (is_needed) continue;
      ::waitpid(pid, nullptr, 0);
      return std::nullopt;
    }
  }

  /// Does it end by itself, now that its channel has?
  [[nodiscard]] bool ends_soon(pid_t pid) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point until = Clock::now() + kTimeToEnd;
    while (true) {
      pid_t gone = 0;
      while ((gone = ::waitpid(-1, nullptr, WNOHANG)) > 0)
        if (gone == pid) return true;
      const std::chrono::nanoseconds left = until - Clock::now();
      if (left.count() <= 0) return false;
      const timespec time{0, left.count()};
      ::ppoll(nullptr, 0, &time, &mask_);
    }
  }

  /// The process for which all this is.
  [[noreturn]] void live(std::uint64_t life) {
    const pid_t keeper = ::getppid();
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)::signal(SIGCHLD, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
    replace_standard_files(words_);
    // What is said by the line stays said, whatever comes.
    (void)std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    const bool has_moved = ::dup2(channel_, kChannelPlace) == kChannelPlace;
    const int channel = has_moved ? kChannelPlace : channel_;
    (void)::dup2(words_, kWordsPlace);
    close_all_but({channel, kWordsPlace});
    limit(RLIMIT_CORE, 0);
    // What can be written: engines reserve addresses by the gigabyte that they never touch.
    limit(RLIMIT_DATA, writable_memory_bytes() + room_bytes_);
    if (::getppid() != keeper) ::_exit(0);
    [&]() noexcept { work_(channel, life); }();  // an exception must not reach the parent's code
    ::_exit(0);
  }

  int orders_;
  int channel_;
  int words_;
  std::uint64_t room_bytes_;
  const KeptProcess::Work& work_;
  sigset_t mask_{};
};

struct Ends {
  int ours = -1;
  int theirs = -1;
};

Ends make_channel() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
  return {ends[0], ends[1]};
}

}  // namespace

KeptProcess::KeptProcess(std::uint64_t room_bytes, Work work)
    : room_bytes_(room_bytes), work_(std::move(work)) {
  make_keeper();
}

KeptProcess::~KeptProcess() { dismiss_keeper(); }

void KeptProcess::make_keeper() {
  lives_ = 0;
  const Ends channel = make_channel();
  const Ends orders = make_channel();
  const Ends words = make_channel();
  channel_ = channel.ours;
  orders_ = orders.ours;
  words_ = words.ours;
  ::fcntl(words_, F_SETFL, O_NONBLOCK);
  (void)std::fflush(nullptr);  // or the process would print it again
  gather_memory();
  keeper_ = ::fork();
  if (keeper_ == 0) {
    // What the program has opened, the ends of other keepers included.
    close_all_but({channel.theirs, orders.theirs, words.theirs});
    Keeper(orders.theirs, channel.theirs, words.theirs, room_bytes_, work_).run();
    ::_exit(0);
  }
  const int cause = errno;
  for (const int end : {channel.theirs, orders.theirs, words.theirs}) ::close(end);
  if (keeper_ >= 0) return;
  dismiss_keeper();
  errno = cause;
  fail("fork");
}

void KeptProcess::close() {
  for (int* end : {&orders_, &channel_, &words_}) {
    if (*end >= 0) ::close(*end);
    *end = -1;
  }
}

void KeptProcess::dismiss_keeper() {
  close();
  reap_keeper();
}

void KeptProcess::reap_keeper() {
  while (keeper_ > 0 && ::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  keeper_ = -1;
}

std::uint64_t KeptProcess::start() {
  constexpr Order kOrder = Order::kStart;
  if (keeper_ > 0 && send_all(orders_, std::as_bytes(std::span(&kOrder, 1)))) return ++lives_;
  dismiss_keeper();
  make_keeper();
  if (!send_all(orders_, std::as_bytes(std::span(&kOrder, 1)))) fail("send");
  return ++lives_;
}

void KeptProcess::kill() const {
  constexpr Order kOrder = Order::kKill;
  (void)send_all(orders_, std::as_bytes(std::span(&kOrder, 1)));
}

int KeptProcess::wait() {
  End end;
  if (!receive_all(orders_, std::as_writable_bytes(std::span(&end, 1)))) {
    // Whoever ended the keeper has ended the process as well, which does not outlive it.
    reap_keeper();
    return SIGKILL;
  }
  if (end.error != 0) throw std::system_error(end.error, std::generic_category(), "fork");
  return end.status;
}

bool send_all(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_all(int socket, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t received = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
  return true;
}

void mark_words(std::string_view mark) {
  (void)::send(kWordsPlace, mark.data(), mark.size(), MSG_NOSIGNAL);
}

std::string signal_text(int status) {
  if (!WIFSIGNALED(status)) return "";
  const int signal = WTERMSIG(status);
  return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

}  // namespace opconform::base
