// How a target says that something is wrong: in words and as a case file, then as the crash that a
// fuzzing engine looks for.
#pragma once

#include <string>

#include "harness/cases/case.h"

namespace opconform::fuzz {

/// Prints and aborts.
[[noreturn]] void fail(const std::string& why);

/// Prints the case, writes it into the working directory if that can be done, and says how to run
/// it.
void show(const cases::Case& one);

/// Shows the case, then prints and aborts.
[[noreturn]] void fail(const std::string& why, const cases::Case& found);

}  // namespace opconform::fuzz
