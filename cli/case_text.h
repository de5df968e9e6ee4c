// A case laid out for a person.
#pragma once

#include <string>

#include "harness/cases/case.h"

namespace opconform::cli {

enum class Shown : std::uint8_t { kShortened, kWhole };

/// Descriptor as a table, contents and what conforms in rows of the last dimension, factors, rules
/// and errata in words. Shortened: long rows as runs and ramps, the rest of many rows as a count.
/// `picture` is the case's, as text; in its place, a descriptor that breaks rules has what it
/// breaks.
std::string case_text(const cases::Case& one, Shown shown, const std::string& picture);

}  // namespace opconform::cli
