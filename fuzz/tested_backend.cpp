#include "fuzz/tested_backend.h"

namespace opconform::fuzz {

std::unique_ptr<harness::Backend> make_tested_backend() {
  return harness::make_backend("optimized");
}

}  // namespace opconform::fuzz
