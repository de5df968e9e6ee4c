// How often operator new was called in this program so far.
#pragma once

#include <cstddef>

namespace opconform::test {

[[nodiscard]] std::size_t allocation_count();

}  // namespace opconform::test
