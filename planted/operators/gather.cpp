// What goes wrong with elements taken along an axis is in planted/indices.cpp and planted/axes.cpp.

#include "planted/registry.h"

namespace opconform::planted {

Rows bugs_of(std::type_identity<OnnxGather> /*op*/) { return {}; }

OwnRules own_rules(std::type_identity<OnnxGather> /*op*/) {
  return {.movement = "gather.semantics",
          .along_axis = "gather.semantics",
          .negative_index = "gather.negative-index",
          .index_range = "gather.index-range"};
}

}  // namespace opconform::planted
