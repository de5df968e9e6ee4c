// Elements that an implementation under test wrote. A string among them may be a view of anything.
#pragma once

#include <cstddef>
#include <string>

#include "spec/data_type.h"

namespace opconform::judging {

/// As same_element(); a view of memory that cannot be read is the same as nothing but itself.
bool same_found(DataType type, const std::byte* a, const std::byte* b);
/// As element_text().
std::string found_text(DataType type, const std::byte* found);

}  // namespace opconform::judging
