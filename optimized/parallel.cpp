#include "optimized/parallel.h"

#include <algorithm>

#if defined(OPCONFORM_THREADS)
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#endif

namespace opconform::optimized {

void for_parts(std::ptrdiff_t count, std::ptrdiff_t grain, unsigned threads,
               const std::function<void(std::ptrdiff_t, std::ptrdiff_t)>& work) {
  const std::ptrdiff_t parts =
      std::clamp(count / std::max(grain, std::ptrdiff_t{1}), std::ptrdiff_t{1},
                 std::max(std::ptrdiff_t{threads}, std::ptrdiff_t{1}));
  const std::ptrdiff_t each = count / parts;
  const std::ptrdiff_t longer = count % parts;  // that many have a step more
  const auto begin = [&](std::ptrdiff_t part) { return part * each + std::min(part, longer); };
  const auto do_part = [&](std::ptrdiff_t part) {
    work(begin(part), begin(part + 1) - begin(part));
  };
#if defined(OPCONFORM_THREADS)
  if (parts > 1)
    return tbb::parallel_for(std::ptrdiff_t{0}, parts, do_part, tbb::static_partitioner());
#endif
  for (std::ptrdiff_t part = 0; part < parts; ++part) do_part(part);
}

}  // namespace opconform::optimized
