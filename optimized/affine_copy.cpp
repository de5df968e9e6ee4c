#include "optimized/affine_copy.h"

#include "optimized/kernels/kernels.h"

namespace opconform::optimized {

AffineCopy copy_between(const Dims& sizes, const Dims& source_strides, const Dims& target_strides,
                        std::size_t width_bytes) {
  AffineCopy copy{.width_bytes = width_bytes, .loops = {}};
  for (std::size_t i = 0; i < sizes.size(); ++i)
    copy.loops.push_back({.count = static_cast<std::ptrdiff_t>(sizes[i]),
                          .source_stride = bytes(source_strides[i], width_bytes),
                          .target_stride = bytes(target_strides[i], width_bytes)});
  return copy;
}

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
