#include "reference/reference.h"

namespace opconform::reference {

ExecutionResult execute(const Operator& op, Version version, const Bindings& bindings) {
  return std::visit([&](const auto& o) { return execute(o, version, bindings); }, op);
}

Freedom freedom(const Operator& op, Version version, InputBuffers inputs) {
  return std::visit([&](const auto& o) { return freedom(o, version, inputs); }, op);
}

}  // namespace opconform::reference
