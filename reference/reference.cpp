#include "reference/reference.h"

namespace opconform::reference {

ExecutionResult execute(const Operator& op, Version version, const Bindings& bindings) {
  return std::visit([&](const auto& o) { return execute(o, version, bindings); }, op);
}

AlsoPermitted also_permitted(const Operator& op, Version version, InputBuffers inputs) {
  return std::visit([&](const auto& o) { return also_permitted(o, version, inputs); }, op);
}

}  // namespace opconform::reference
