// Values that may stand for one another, because an implementation promises no more.
#pragma once

#include <cstddef>

#include "harness/cases/expectation.h"
#include "spec/data_type.h"

namespace opconform::judging {

/// May the one that was found stand for the expected one, though it has other bits?
[[nodiscard]] bool stands_for(DataType type, const std::byte* found, const std::byte* expected,
                              const cases::Leeway& leeway);

}  // namespace opconform::judging
