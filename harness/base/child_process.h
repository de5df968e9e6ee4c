// Processes for code that may crash, hang or take all memory.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace opconform::base {

/// A child and the end of a pipe on which its parent hears it.
struct ChildProcess {
  pid_t pid = -1;
  int result_end = -1;
};

/// Starts a child that runs `work` with the other end of the pipe and ends. It ignores the signals
/// that are sent to the whole group (the parent decides), dies with its parent, leaves no core, and
/// may allocate `room_bytes` more than it has. To be called while this process has one thread.
/// Throws std::system_error.
ChildProcess start_child(std::uint64_t room_bytes, const std::function<void(int)>& work);

/// Writes all, unless nobody reads any more.
void write_all(int file, std::span<const std::byte> bytes);

/// "signal 11 (Segmentation fault)", of the status that waitpid() gave; empty where no signal ended
/// it.
std::string signal_text(int status);

}  // namespace opconform::base
