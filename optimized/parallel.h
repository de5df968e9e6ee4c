// Several threads: oneTBB's, where this was built with it (CMake's OPCONFORM_THREADS).
#pragma once

#include <cstddef>
#include <functional>

namespace opconform::optimized {

/// Steps worth a thread, at least 1; of a loop of `count`, or 0, whose output has so many bytes.
[[nodiscard]] std::ptrdiff_t steps_of_part(std::ptrdiff_t count, std::ptrdiff_t output_bytes);

/// How many parts of equal size `count` steps are done in: at most `threads`, and where several,
/// none smaller than `least`; 0 of either is 1. Precondition: count > 0.
[[nodiscard]] std::ptrdiff_t part_count(std::ptrdiff_t count, std::ptrdiff_t least,
                                        unsigned threads);

/// Calls `work(first, count)` for that many parts of [0, count), at once as far as threads go.
void do_parts(std::ptrdiff_t parts, std::ptrdiff_t count,
              const std::function<void(std::ptrdiff_t first, std::ptrdiff_t count)>& work);

/// Both. One part is done by the caller, without an allocation.
template <class Work>
void for_parts(std::ptrdiff_t count, std::ptrdiff_t least, unsigned threads, const Work& work) {
  const std::ptrdiff_t parts = part_count(count, least, threads);
  if (parts == 1) return work(std::ptrdiff_t{0}, count);
  do_parts(parts, count, std::cref(work));
}

}  // namespace opconform::optimized
