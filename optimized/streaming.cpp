#include "optimized/streaming.h"

namespace opconform::optimized {

StreamBuffer::~StreamBuffer() {
  flush({});
  kAvx2Stream(nullptr, 0, {});
}

std::byte* StreamBuffer::room(std::ptrdiff_t size_bytes, std::ptrdiff_t runs,
                              const Footprint& next) {
  constexpr std::ptrdiff_t kLine = 64;  // runs start on lines, so that the kernels' stores do too
  if (used_bytes_ + size_bytes > kStageBytes || run_count_ + runs > kMostRuns) flush(next);
  std::byte* const result = stage_.data() + used_bytes_;
  used_bytes_ += (size_bytes + kLine - 1) / kLine * kLine;
  return result;
}

void StreamBuffer::flush(const Footprint& next) {
  if (run_count_ > 0) kAvx2Stream(runs_.data(), run_count_, next);
  run_count_ = used_bytes_ = 0;
}

}  // namespace opconform::optimized
