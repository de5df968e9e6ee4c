#include "optimized/parallel.h"

#include <algorithm>

#if defined(OPCONFORM_THREADS)
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#endif

#include "optimized/loops.h"
#include "optimized/machine.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
extern "C" void __tsan_acquire(void* address);  // NOLINT(bugprone-reserved-identifier)
extern "C" void __tsan_release(void* address);  // NOLINT(bugprone-reserved-identifier)
#define OPCONFORM_UNSEEN __attribute__((no_sanitize("thread")))
#define OPCONFORM_ACQUIRE(point) __tsan_acquire(&(point))
#define OPCONFORM_RELEASE(point) __tsan_release(&(point))
#endif
#endif
#if !defined(OPCONFORM_UNSEEN)
#define OPCONFORM_UNSEEN
#define OPCONFORM_ACQUIRE(point) static_cast<void>(point)
#define OPCONFORM_RELEASE(point) static_cast<void>(point)
#endif

namespace opconform::optimized {

std::ptrdiff_t steps_of_part(std::ptrdiff_t count, std::ptrdiff_t output_bytes) {
  return fitting(machine_in_use().least_part_bytes, fitting(output_bytes, count));
}

std::ptrdiff_t part_count(std::ptrdiff_t count, std::ptrdiff_t least, unsigned threads) {
  if (threads <= 1) return 1;  // most often, and divisions are slow
  return std::min(fitting(count, least), std::ptrdiff_t{threads});
}

void do_parts(std::ptrdiff_t parts, std::ptrdiff_t count,
              const std::function<void(std::ptrdiff_t, std::ptrdiff_t)>& work) {
  const std::ptrdiff_t each = count / parts;
  const std::ptrdiff_t longer = count % parts;  // that many have a step more
  const auto begin = [&](std::ptrdiff_t part) { return part * each + std::min(part, longer); };
  const auto do_part = [&](std::ptrdiff_t part) {
    work(begin(part), begin(part + 1) - begin(part));
  };
#if defined(OPCONFORM_THREADS)
  // What ThreadSanitizer is told of oneTBB, which is not instrumented: parts begin behind what the
  // caller did before, and he goes on behind them. Nothing puts one part before another, so that
  // parts which touch the same bytes are seen. What is here is the caller's, too.
  char begins = 0;
  char ends = 0;
  const auto seen_part = [&](std::ptrdiff_t part) OPCONFORM_UNSEEN {
    OPCONFORM_ACQUIRE(begins);
    do_part(part);
    OPCONFORM_RELEASE(ends);
  };
  OPCONFORM_RELEASE(begins);
  tbb::parallel_for(std::ptrdiff_t{0}, parts, seen_part, tbb::static_partitioner());
  OPCONFORM_ACQUIRE(ends);
#else
  for (std::ptrdiff_t part = 0; part < parts; ++part) do_part(part);
#endif
}

}  // namespace opconform::optimized
