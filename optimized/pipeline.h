// How reading, copying and storing overlap where operands are larger than the caches.
//
// Fetched blocks: while a block is copied, the source of the next one is on its way. Streamed ones,
// for the largest outputs: a line that is stored through the cache is read first and written back
// later, twice the traffic. So kernels write to a small staging buffer, which stays in the cache
// and is stored past it from there, while the source of the next block is on its way.
#pragma once

#include <array>

#include "optimized/kernels/kernels.h"
#include "optimized/tuning.h"

namespace opconform::optimized {

/// For the length of an execution, of one thread. Precondition: the machine has AVX2.
class Pipeline {
 public:
  Pipeline() = default;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  /// Finishes what is left.
  ~Pipeline();

  struct Block {
    PlaneKernel kernel;
    std::byte* target;
    const std::byte* source;
    Plane plane;
  };
  /// Fetches what the block will read, copies the one before, and keeps this until the next call.
  void fetch(const Block& block, const Footprint& footprint);

  /// Room for `size_bytes`, at most kStageBytes, of `runs` runs, at most kMostRuns, which follow
  /// with put(). Where there is not enough, what was put is streamed, and `next` fetched; room for
  /// which nothing was put is given again.
  [[nodiscard]] std::byte* room(std::ptrdiff_t size_bytes, std::ptrdiff_t runs,
                                const Footprint& next);
  /// The source stays as it is until all is finished.
  void put(const Run& run) { runs_[static_cast<std::size_t>(run_count_++)] = run; }

 private:
  void flush(const Footprint& next);

  Block waiting_{};
  bool streamed_ = false;
  std::ptrdiff_t run_count_ = 0;
  std::ptrdiff_t used_bytes_ = 0;
  std::array<Run, kMostRuns> runs_;
  alignas(64) std::array<std::byte, kStageBytes> stage_;
};

}  // namespace opconform::optimized
