#include "optimized/affine_copy.h"

#include "optimized/kernels/kernels.h"

namespace opconform::optimized {

AffineCopy normalised(AffineCopy copy) {
  if (is_empty(copy.loops)) return copy;
  normalise(copy.loops, &Loop::target_stride);
  if (copy.loops.empty()) return copy;
  const Loop& run = copy.loops.back();
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  const std::size_t run_bytes = static_cast<std::size_t>(run.count) * copy.width_bytes;
  if (run.source_stride == width && run.target_stride == width && is_width(run_bytes)) {
    copy.width_bytes = run_bytes;
    copy.loops.pop_back();
  }
  return copy;
}

}  // namespace opconform::optimized
