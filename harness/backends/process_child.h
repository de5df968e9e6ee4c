// A program that speaks messages over its standard input and output: docs/protocol.md.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/spoiled.h"

namespace opconform::backends {

/// Of the count of a message, and of each length.
inline constexpr std::size_t kNumberBytes = sizeof(std::uint32_t);

/// How long a program may take to end when its standard input has.
inline constexpr std::chrono::milliseconds kTimeToEnd{500};

/// The strings of a message.
using MessageStrings = std::vector<std::span<const std::byte>>;

/// What a message may have at most.
struct MessageLimit {
  std::uint64_t strings;
  std::uint64_t bytes;
};

/// The running program. It has none of this process's files but standard error, and does not
/// outlive it. Whatever goes wrong kills it and throws Lost, which says what that was. In the end,
/// its standard input is closed; what does not end within kTimeToEnd is killed.
class ChildProcess {
 public:
  /// Gives the command to the shell, which becomes it.
  explicit ChildProcess(const std::string& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Writes messages, each as put_head() begins it.
  void write(std::vector<iovec>& parts);
  /// The next message, which stays until the next call. What comes behind it, or has come before
  /// anything was written, is an error: nobody asked for it.
  const MessageStrings& read(MessageLimit limit);
  /// Kills the program, and says why.
  [[noreturn]] void lose(const std::string& why);
  void kill();

  /// Ends all programs of this process, for a process that ends without destructors.
  static void end_all();

 private:
  void start(const std::string& command);
  [[nodiscard]] std::size_t write_some(std::span<iovec> parts);
  void wait_to_write();
  void receive(std::size_t least_bytes);
  [[nodiscard]] std::uint32_t number_at(std::size_t at) const;
  [[noreturn]] void lose_ended();
  void close_input();
  [[nodiscard]] bool ends_within(std::chrono::milliseconds time, int* status);
  void end();

  pid_t pid_ = -1;
  pid_t parent_ = -1;  ///< whose child it is: a copy of that process has it only by name
  int input_ = -1;     ///< of the program
  int output_ = -1;    ///< of the program
  std::vector<std::byte> received_;
  std::size_t size_ = 0;  ///< received, and not read
  std::size_t read_ = 0;  ///< bytes of the message that read() returned
  MessageStrings strings_;
};

/// The count and the lengths of a message.
void put_head(std::span<const std::span<const std::byte>> strings, std::vector<std::byte>& head);

[[nodiscard]] inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}
[[nodiscard]] inline std::string_view view_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline iovec part_of(std::span<const std::byte> bytes) {
  return {const_cast<std::byte*>(bytes.data()), bytes.size()};  // is read alone
}

}  // namespace opconform::backends
