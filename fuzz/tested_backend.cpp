#include "fuzz/tested_backend.h"

namespace opconform::fuzz {

std::unique_ptr<backends::Backend> make_tested_backend() {
  return backends::make_backend("optimized");
}

}  // namespace opconform::fuzz
