// What goes wrong with elements taken along an axis is in planted/indices.cpp and planted/axes.cpp.

#include "planted/registry.h"

namespace opconform::planted {

Rows bugs_of(std::type_identity<OnnxGather> /*op*/) { return {}; }

std::string_view movement_rules(std::type_identity<OnnxGather> /*op*/) {
  return "gather.semantics";
}

}  // namespace opconform::planted
