// Which operator a differential target is for: all that its programs differ in.
#pragma once

#include <cstddef>

namespace opconform::fuzz {

/// Its place in spec/operators.def.
std::size_t fuzzed_operator();

}  // namespace opconform::fuzz
