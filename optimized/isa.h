// The choice behind isa_in_use(), with its two inputs as arguments.
#pragma once

#include "opconform/optimized.h"

namespace opconform::optimized {

[[nodiscard]] bool machine_has(Isa isa);

/// `forced` is the value of OPCONFORM_FORCE_ISA, or null where it is not set. Throws
/// std::runtime_error.
[[nodiscard]] Isa choose_isa(const char* forced, bool machine_has_avx2);

}  // namespace opconform::optimized
