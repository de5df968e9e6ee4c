#include "bench/operators/split.h"
#include "bench/families/parts.h"

namespace opconform::bench {

void add_families(std::type_identity<Split> /*op*/, std::vector<Family>& families) {
  add_part_families<Split, split, &Split::outputs>(
      {"split, last axis", "split, runs", "split, many parts", "split, 4 and 1 and the rest"},
      families);
}

}  // namespace opconform::bench
