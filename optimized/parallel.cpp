#include "optimized/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>

namespace opconform::optimized {

void for_parts(std::ptrdiff_t count, std::ptrdiff_t grain, unsigned threads,
               const std::function<void(std::ptrdiff_t, std::ptrdiff_t)>& work) {
  const std::ptrdiff_t parts =
      std::clamp(count / std::max(grain, std::ptrdiff_t{1}), std::ptrdiff_t{1},
                 std::max(std::ptrdiff_t{threads}, std::ptrdiff_t{1}));
  const std::ptrdiff_t each = count / parts;
  const std::ptrdiff_t longer = count % parts;  // that many have a step more
  const auto begin = [&](std::ptrdiff_t part) { return part * each + std::min(part, longer); };
  if (parts == 1) return work(0, count);
  tbb::parallel_for(
      std::ptrdiff_t{0}, parts,
      [&](std::ptrdiff_t part) { work(begin(part), begin(part + 1) - begin(part)); },
      tbb::static_partitioner());
}

}  // namespace opconform::optimized
