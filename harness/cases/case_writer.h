// Cases into case files: what a finding is written as, and what a person reads.
#pragma once

#include <span>
#include <string>

#include "harness/base/json_document.h"
#include "harness/cases/case.h"

namespace opconform::harness {

/// The case as an element of "cases". Reading it again gives an equal case.
Json case_to_json(const Case& one);

/// A whole file. All cases must be of one operator.
Json cases_to_json(std::span<const Case> cases, const std::string& schema);

/// JSON for people: objects and arrays of arrays one line an entry, whatever fits into 100 columns
/// on one line.
std::string pretty(const Json& value);

}  // namespace opconform::harness
