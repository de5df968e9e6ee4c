#include "harness/backends/apart.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "harness/base/bad_input.h"
#include "harness/base/kept_process.h"
#include "harness/base/text.h"

namespace opconform::backends {
namespace {

constexpr std::uint64_t kRoomBytes = std::uint64_t{64} << 30;  // address space costs nothing
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
// Behind what is said: what was cut short says nothing.
constexpr char kNothing = '\0';
constexpr char kAnswered = '\1';
constexpr char kDoesNotStart = '\2';

/// Appends what there is; keeps the end of it.
void hear(int file, std::string& text) {
  char chunk[4096];
  ssize_t length = 0;
  while ((length = ::recv(file, chunk, sizeof chunk, MSG_DONTWAIT)) > 0) {
    text.append(chunk, static_cast<std::size_t>(length));
    if (text.size() > kMostBytes) text.erase(0, text.size() - kMostBytes);
  }
}

std::string end_text(int status) {
  if (WIFSIGNALED(status)) return "was ended by " + base::signal_text(status);
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

std::chrono::milliseconds limit_of_start() {
  constexpr std::chrono::milliseconds kUsual{120'000};
  constexpr double kMostSeconds = 86'400;
  const char* const wanted = std::getenv("OPCONFORM_START_SECONDS");
  if (wanted == nullptr || *wanted == '\0') return kUsual;
  char* end = nullptr;
  const double seconds = std::strtod(wanted, &end);
  if (*end != '\0' || !(seconds > 0 && seconds <= kMostSeconds))
    throw base::BadInput("environment", "",
                         "OPCONFORM_START_SECONDS must be a number of seconds of at most a day, "
                         "but is " +
                             base::in_quotes(wanted));
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000) + 1);
}

std::string ask_apart(const std::string& when, const std::function<std::string()>& question,
                      std::chrono::milliseconds timeout, const std::atomic<bool>* stop) {
  using Clock = std::chrono::steady_clock;
  base::KeptProcess process(kRoomBytes, [&](int channel, std::uint64_t) {
    std::string answer;
    try {
      answer = question() + kAnswered;
    } catch (const DoesNotStart& error) {
      answer = std::string(error.what()) + kDoesNotStart;
    }
    (void)base::send_all(channel, std::as_bytes(std::span(answer)));
    ::_exit(0);  // the code under test is not asked to clean up
  });
  (void)process.start();
  const Clock::time_point until = Clock::now() + timeout;
  std::string answer;
  std::string words;
  bool hangs = false;
  while (true) {
    pollfd files[] = {{process.keeper(), POLLIN, 0},
                      {process.channel(), POLLIN, 0},
                      {process.words(), POLLIN, 0}};
    ::poll(files, 3, 100);
    hear(process.channel(), answer);
    hear(process.words(), words);
    if (files[0].revents != 0) break;
    const bool is_stopped = stop != nullptr && *stop;
    if ((Clock::now() < until && !is_stopped) || hangs) continue;
    hangs = true;
    process.kill();
  }
  const int status = process.wait();
  hear(process.channel(), answer);
  hear(process.words(), words);
  const char end = answer.empty() || hangs ? kNothing : answer.back();
  if (end == kAnswered || end == kDoesNotStart) answer.pop_back();
  if (end == kAnswered) return answer;
  throw DoesNotStart((end == kDoesNotStart ? answer
                      : hangs              ? when + ", its process did not end within " +
                                    std::to_string(timeout.count()) + " ms"
                              : when + ", its process " + end_text(status)) +
                     (words.empty() ? "" : "; it printed: " + base::words_of_others(words)));
}

}  // namespace opconform::backends
