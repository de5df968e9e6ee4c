#include "harness/running/worker_channel.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "harness/backends/process_child.h"
#include "harness/base/kept_process.h"
#include "harness/base/text.h"
#include "harness/running/printed_words.h"
#include "harness/running/worker_messages.h"

namespace opconform::running {
namespace {

constexpr std::size_t kMostLost = 400;

/// A copy that code under test has made of its process by fork(): it must not go on with the work.
bool is_copy = false;

/// Says what became of the process to which this one spoke, on a line of its own.
[[noreturn]] void die_of(const backends::Lost& lost) {
  if (is_copy) ::_exit(0);
  const std::string line = "\n" + base::words_of_others(lost.message, kMostLost) + "\n";
  (void)(::write(STDERR_FILENO, line.data(), line.size()) < 0);
  ::_exit(kExitOfLost);
}

}  // namespace

WorkerChannel::WorkerChannel(int file, std::size_t worker, WorkerPlace& place,
                             const std::atomic<bool>& stop)
    : file_(file), worker_(worker), place_(place), stop_(stop) {}

void WorkerChannel::begin(std::uint64_t number, std::uint64_t elements) {
  if (is_copy) ::_exit(0);
  number_ = number;
  has_begun_ = true;
  place_.number.store(number, std::memory_order_relaxed);
  place_.elements.store(elements, std::memory_order_relaxed);
  place_.begun.fetch_add(1, std::memory_order_relaxed);
}

void WorkerChannel::say(std::string_view text) {
  if (hear_) return hear_(number_, text);
  if (!is_copy) mark_printed_words(number_);
  tell(kWord, number_, text);
}

void WorkerChannel::tell(std::uint64_t mark, std::uint64_t number, std::string_view text) const {
  if (is_copy) ::_exit(0);
  const MessageHead head{mark, number, text.size()};
  std::string message(sizeof head + text.size(), '\0');
  std::memcpy(message.data(), &head, sizeof head);
  std::copy(text.begin(), text.end(), message.begin() + sizeof head);
  if (!base::send_all(file_, std::as_bytes(std::span(message)))) ::_exit(kMute);
}

void WorkerChannel::serve(const RangeWork& work, std::uint64_t life) {
  ::pthread_atfork(nullptr, nullptr, [] { is_copy = true; });
  RangeOrder order{};
  while (base::receive_all(file_, std::as_writable_bytes(std::span(&order, 1)))) {
    if (order.life != life) continue;
    has_begun_ = false;
    try {
      const std::string text = work(order.range, *this);
      tell(kDone, has_begun_ ? number_ + 1 : order.range.first, text);
    } catch (const backends::Lost& lost) {
      die_of(lost);
    }
    if (backends::is_process_spoiled()) ::_exit(kRetired);
  }
  if (!is_copy) backends::ChildProcess::end_all();
  ::_exit(is_copy ? 0 : kMute);
}

}  // namespace opconform::running
