// What a generated case says: its factors as one sentence about behaviour.
#pragma once

#include <string>

#include "harness/cases/case.h"

namespace opconform::harness {

/// "a stride of -1 goes backward from the last element of a window inside dimension 2 of 3 …", from
/// the factors of the case and what it expects.
[[nodiscard]] std::string sentence_of(const Case& one);

}  // namespace opconform::harness
