// Which implementation the targets hold against the reference.
#pragma once

#include <memory>

#include "harness/backends/backend.h"

namespace opconform::fuzz {

/// The optimized one; in the target that shows how a finding looks, one with a fault.
std::unique_ptr<backends::Backend> make_tested_backend();

}  // namespace opconform::fuzz
