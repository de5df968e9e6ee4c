// What the documents say, as JSON: what `opconform spec --json` prints, and the report's `spec`.
#pragma once

#include "harness/base/json_document.h"
#include "spec/operator.h"

namespace opconform::reports {

/// The names of the data types as the operator's documents write them.
std::vector<std::string> type_names(DataTypeSet types, Dialect dialect);

/// {"operators": [{name, alias, versions, support}], "rules": […], "errata": […]}
base::Json spec_to_json();

}  // namespace opconform::reports
