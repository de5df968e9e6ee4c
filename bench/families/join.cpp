#include "bench/operators/join.h"
#include "bench/families/parts.h"

namespace opconform::bench {

void add_families(std::type_identity<DmlJoin> /*op*/, std::vector<Family>& families) {
  add_part_families<DmlJoin, join, &DmlJoin::inputs>(
      {"join, last axis", "join, runs", "join, many parts", "join, 4 and 1 and the rest"},
      families);
}

}  // namespace opconform::bench
