// What the documents say, as JSON: what `opconform spec --json` prints, and the report's `spec`.
#pragma once

#include "harness/base/json_document.h"
#include "spec/operator.h"

namespace opconform::reports {

/// {"operators": [{name, alias, versions, support}], "rules": […], "errata": […]}
base::Json spec_to_json();

}  // namespace opconform::reports
