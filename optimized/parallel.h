// Several threads: oneTBB's, where this was built with it (CMake's OPCONFORM_THREADS).
#pragma once

#include <cstddef>
#include <functional>

namespace opconform::optimized {

/// Calls `work(first, count)` for parts of [0, count), at once as far as there are threads: at most
/// `threads` parts of equal size, none smaller than `grain`; 0 is 1. One part is done by the
/// caller. Precondition: count > 0.
void for_parts(std::ptrdiff_t count, std::ptrdiff_t grain, unsigned threads,
               const std::function<void(std::ptrdiff_t first, std::ptrdiff_t count)>& work);

}  // namespace opconform::optimized
