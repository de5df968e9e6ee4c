#include "optimized/pipeline.h"

#include <cassert>

namespace opconform::optimized {
namespace {

OPCONFORM_PREFETCHES void fetch_rows(const Rows& rows) {
  for (std::ptrdiff_t row = 0; row < rows.count; ++row)
    for (std::ptrdiff_t at = 0; at < rows.row_bytes + kCacheLineBytes - 1; at += kCacheLineBytes)
      __builtin_prefetch(rows.first + row * rows.pitch + at);
}

}  // namespace

Pipeline::~Pipeline() {
  if (waiting_.kernel != nullptr) waiting_.kernel(waiting_.target, waiting_.source, waiting_.plane);
  flush({});
  if (streamed_) kAvx2Stream(nullptr, 0, {});
}

void Pipeline::fetch(const Block& block, const Footprint& footprint) {
  for (const Rows& rows : footprint) fetch_rows(rows);
  if (waiting_.kernel != nullptr) waiting_.kernel(waiting_.target, waiting_.source, waiting_.plane);
  waiting_ = block;
}

std::byte* Pipeline::room(std::ptrdiff_t size_bytes, std::ptrdiff_t runs, const Footprint& next) {
  assert(size_bytes <= kStageBytes && runs <= kMostRuns);
  if (used_bytes_ + size_bytes > kStageBytes || run_count_ + runs > kMostRuns) flush(next);
  std::byte* const result = stage_.data() + used_bytes_;
  // Runs start on lines, so that the kernels' stores do, too.
  used_bytes_ += (size_bytes + kCacheLineBytes - 1) / kCacheLineBytes * kCacheLineBytes;
  return result;
}

void Pipeline::flush(const Footprint& next) {
  if (run_count_ > 0) kAvx2Stream(runs_.data(), run_count_, next);
  streamed_ = streamed_ || run_count_ > 0;
  run_count_ = used_bytes_ = 0;
}

}  // namespace opconform::optimized
