#include "tools/command.h"

namespace opconform::tools {

std::unique_ptr<harness::Backend> backend_of(const std::string& name) {
  std::unique_ptr<harness::Backend> backend = harness::make_backend(name);
  if (backend == nullptr) throw CLI::ValidationError("--backend", "no such backend: " + name);
  return backend;
}

}  // namespace opconform::tools
