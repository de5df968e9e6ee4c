// A process for code that may do anything: crash, hang, take all memory, close what it was given,
// start others.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace opconform::base {

/// One process after the other for such code. Between this process and that one stands a keeper,
/// which runs nothing but what belongs to this class: it starts the process, and when that has
/// ended, or this process has, ends everything that came of it. So nothing survives, even where
/// this process is killed.
class KeptProcess {
 public:
  /// What the process does, which ends when this returns. `life` is what start() gave.
  using Work = std::function<void(int channel, std::uint64_t life)>;

  /// The process may allocate `room_bytes` more than this one has. The constructor and start() are
  /// to be called while this process has one thread. They throw std::system_error.
  KeptProcess(std::uint64_t room_bytes, Work work);
  KeptProcess(const KeptProcess&) = delete;
  KeptProcess& operator=(const KeptProcess&) = delete;
  ~KeptProcess();

  /// To be called where none runs. It is a copy of this process as it was when this object was
  /// made. It ignores the signals that are sent to the whole group (its parent decides), leaves no
  /// core, prints into words(), and has none of this process's files. Gives it a number that none
  /// has had on this channel.
  [[nodiscard]] std::uint64_t start();
  /// Ends it; wait() tells when that is done.
  void kill() const;
  /// Nothing more will be asked: the process sees the end of its channel, and is killed where it
  /// does not end soon. The destructor does this, too, and waits until it is done.
  void close();
  /// The status of the process, as waitpid() gives it; to be called once keeper() is readable. All
  /// that it has written is in channel() and words() by then, and nothing more will come. Throws
  /// std::system_error where it could not be started.
  [[nodiscard]] int wait();

  /// Both ways. What was written for one process may be read by the next.
  [[nodiscard]] int channel() const { return channel_; }
  /// Readable when the process has ended.
  [[nodiscard]] int keeper() const { return orders_; }
  /// What it prints to standard output and standard error. Does not block.
  [[nodiscard]] int words() const { return words_; }

 private:
  void make_keeper();
  void dismiss_keeper();
  void reap_keeper();

  std::uint64_t room_bytes_;
  Work work_;
  std::uint64_t lives_ = 0;
  pid_t keeper_ = -1;
  int channel_ = -1;
  int orders_ = -1;
  int words_ = -1;
};

/// Writes all to a socket. False where nobody reads any more, or it is none.
[[nodiscard]] bool send_all(int socket, std::span<const std::byte> bytes);
/// Reads as much as the span holds. False where nothing more comes.
[[nodiscard]] bool receive_all(int socket, std::span<std::byte> bytes);

/// Writes a mark between what a kept process prints, where this is one and still has its files.
void mark_words(std::string_view mark);

/// "signal 11 (Segmentation fault)", of the status that waitpid() gave; empty where no signal ended
/// it.
[[nodiscard]] std::string signal_text(int status);

}  // namespace opconform::base
