// Storing past the cache. Where an output is larger than the cache, a line that is stored there is
// read first and written back later: twice the traffic. Kernels know nothing of that. They write to
// a small staging buffer, which stays in the cache and is streamed out from there, while what they
// will read next is fetched.
#pragma once

#include <array>

#include "optimized/kernels/kernels.h"
#include "optimized/tuning.h"

namespace opconform::optimized {

class StreamBuffer {
 public:
  /// Precondition: the machine has AVX2.
  StreamBuffer() = default;
  StreamBuffer(const StreamBuffer&) = delete;
  StreamBuffer& operator=(const StreamBuffer&) = delete;
  ~StreamBuffer();

  /// Room for `size_bytes`, at most kStageBytes, of `runs` runs, at most kMostRuns, which follow
  /// with put(). Where there is not enough, what was put so far is stored, and `next` fetched
  /// meanwhile.
  [[nodiscard]] std::byte* room(std::ptrdiff_t size_bytes, std::ptrdiff_t runs,
                                const Footprint& next);
  /// The source stays as it is until the buffer is flushed.
  void put(const Run& run) { runs_[static_cast<std::size_t>(run_count_++)] = run; }
  void flush(const Footprint& next);

 private:
  std::ptrdiff_t run_count_ = 0;
  std::ptrdiff_t used_bytes_ = 0;
  std::array<Run, kMostRuns> runs_;
  alignas(64) std::array<std::byte, kStageBytes> stage_;
};

}  // namespace opconform::optimized
