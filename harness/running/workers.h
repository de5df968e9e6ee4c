// Worker processes: they do numbered work in order, and what they say is believed only as far as it
// went. A worker that dies, hangs or spoils its channel costs the number at hand; another goes on
// behind it. Everything that may crash runs in them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "harness/running/worker_channel.h"

namespace opconform::running {

/// With more elements, no case is executed: its descriptor is to be rejected.
inline constexpr std::uint64_t kMostTimedElements = std::uint64_t{1} << 31;
/// A number's limit of time: what was asked for, and a second more for each 2^20 elements, which
/// any implementation needs less for.
[[nodiscard]] std::chrono::milliseconds limit_of(std::chrono::milliseconds timeout,
                                                 std::uint64_t elements);

/// How a worker ended before it was done.
struct WorkerDeath {
  enum class Cause : std::uint8_t {
    kEnded,
    kTimedOut,
    kSpoiled,  ///< its channel was closed, or held what the worker did not say
    kLost,     ///< what it spoke to
    kStopped,  ///< it did not end soon enough when it was to stop
  };
  Cause cause = Cause::kEnded;
  int status = 0;                     ///< as waitpid() gives it
  std::chrono::milliseconds limit{};  ///< of the number at hand
  std::uint64_t ran_before = 0;       ///< numbers that the process had done
  std::string last_words{};           ///< the last line that it printed, or a sanitizer's summary
  std::string printed{};              ///< as of on_word()
  std::string lost{};                 ///< what became of what it spoke to
};

/// What the parent hears. `worker` is the place of one that runs at most one process at a time.
struct WorkerEvents {
  /// `printed` is the end of what the process wrote to its standard output and error since the word
  /// before.
  std::function<void(std::size_t worker, std::uint64_t number, std::string_view text,
                     std::string_view printed)>
      on_word;
  /// These are done, with what the work returned.
  std::function<void(std::size_t worker, NumberRange done, std::string_view text)> on_done;
  /// The worker died at that number; `done` were before it in the range, and are not told again.
  /// True: the number is tried again, as the first of a fresh process. Otherwise work goes on
  /// behind it.
  std::function<bool(std::size_t worker, NumberRange done, std::uint64_t number,
                     const WorkerDeath& death)>
      on_death;
  /// About ten times a second, with how many numbers are done of ranges that are not. False ends
  /// the work: workers that do not come to an end soon are killed.
  std::function<bool(std::uint64_t under_way)> on_tick;
};

/// The ranges, in their order.
struct RangeList {
  std::uint64_t count = 0;
  std::function<NumberRange(std::uint64_t place)> at;
  /// So many may be given to a worker beside the one at hand: a parent that is busy for a while
  /// does not keep it waiting.
  std::uint64_t ahead = 1;
};
/// The numbers below `count`, in ranges of at most `most` of which each worker gets several.
[[nodiscard]] RangeList ranges_of(std::uint64_t count, unsigned workers, std::uint64_t most = 64);

struct WorkerOptions {
  unsigned workers = 1;
  std::chrono::milliseconds timeout{10'000};  ///< of a number
  std::uint64_t room_bytes = 0;               ///< that a worker may allocate
  bool all_speak = false;  ///< of each number something is said: before that, it is not done
};

/// The same in this process, range by range, for a debugger: there are no limits, and a crash or
/// hang ends the whole run. Throws what the work throws.
void run_in_process(const RangeList& ranges, const RangeWork& work, const WorkerEvents& events);

/// Comes back when all is done, or soon after on_tick() said so. Must be called while this process
/// has one thread. Throws std::system_error where processes cannot be made.
void run_in_workers(const WorkerOptions& options, const RangeList& ranges, const RangeWork& work,
                    const WorkerEvents& events);

}  // namespace opconform::running
