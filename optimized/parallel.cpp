#include "optimized/parallel.h"

#include <algorithm>
#include <thread>
#include <vector>

#if defined(OPCONFORM_THREADS)
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#endif

#include "optimized/loops.h"
#include "optimized/machine.h"

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
#if defined(OPCONFORM_OWN_THREADS)
  std::vector<std::jthread> threads;
  for (std::ptrdiff_t part = 0; part < parts; ++part) threads.emplace_back(do_part, part);
#elif defined(OPCONFORM_THREADS)
  tbb::parallel_for(std::ptrdiff_t{0}, parts, do_part, tbb::static_partitioner());
#else
  for (std::ptrdiff_t part = 0; part < parts; ++part) do_part(part);
#endif
}

}  // namespace opconform::optimized
