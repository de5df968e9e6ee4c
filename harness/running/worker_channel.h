// The worker's side of run_in_workers(): what its work sees of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "harness/backends/spoiled.h"

namespace opconform::running {

/// Numbers [first, last).
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

/// What a worker and its parent share.
struct WorkerPlace {
  std::atomic<std::uint64_t> number;    ///< at hand
  std::atomic<std::uint64_t> begun;     ///< how often a number was begun
  std::atomic<std::uint64_t> elements;  ///< that it takes
};

class WorkerChannel;
/// Does a range in a worker, number by number, until is_stopped(). What it returns is told when the
/// range is done. Must not throw.
using RangeWork = std::function<std::string(NumberRange, WorkerChannel&)>;

/// The worker's side: what it is at, and what it has to say.
class WorkerChannel {
 public:
  WorkerChannel(int file, std::size_t worker, WorkerPlace& place, const std::atomic<bool>& stop);
  /// That of work in the parent's own process, which `hear` is told of.
  using Hear = std::function<void(std::uint64_t number, std::string_view text)>;
  WorkerChannel(WorkerPlace& place, const std::atomic<bool>& stop, Hear hear);

  /// The number at hand from now on; its limit of time begins. Beginning the same number again
  /// says that it goes on. A copy of the process that code under test has made ends here.
  void begin(std::uint64_t number, std::uint64_t elements = 0);
  /// Tells the parent something of the number at hand, which is over with that.
  void say(std::string_view text);
  /// The work is to end after the number at hand.
  [[nodiscard]] bool is_stopped() const {
    return stop_ || (!hear_ && backends::is_process_spoiled());
  }
  /// Which of the workers this is.
  [[nodiscard]] std::size_t worker() const { return worker_; }

  /// The life of a worker: does the ranges that its parent gives it in this life. Where the process
  /// is spoiled, it ends after the number at hand, and another goes on. Where the work throws
  /// backends::Lost, it dies of that.
  [[noreturn]] void serve(const RangeWork& work, std::uint64_t life);

 private:
  void tell(std::uint64_t mark, std::uint64_t number, std::string_view text) const;

  int file_ = -1;
  std::size_t worker_ = 0;
  WorkerPlace& place_;
  const std::atomic<bool>& stop_;
  Hear hear_{};
  std::uint64_t number_ = 0;
  bool has_begun_ = false;  // in the range at hand
};

}  // namespace opconform::running
