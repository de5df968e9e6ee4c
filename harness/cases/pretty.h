// JSON as text for people.
#pragma once

#include <string>

#include "harness/base/json_document.h"

namespace opconform::cases {

/// All on one line.
std::string on_one_line(const base::Json& value);

/// Objects and arrays of arrays one line an entry, whatever fits into 100 columns on one line.
std::string pretty(const base::Json& value);

}  // namespace opconform::cases
