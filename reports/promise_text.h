// What implementations promise, for a terminal.
#pragma once

#include <string>

#include "harness/base/json_document.h"

namespace opconform::reports {

/// Of the "promises" of results: which it is, and where it differs from the documents; `quiet`
/// only counts. Empty where nobody promises anything.
std::string promises_text(const base::Json& promises, bool quiet);
/// "NAME promises torch, which says something else than the documents in 2 points and less in 3"
std::string promise_line(const base::Json& promise);

}  // namespace opconform::reports
