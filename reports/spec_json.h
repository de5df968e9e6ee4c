// What the documents say, as JSON: what `opconform spec --json` prints, and the report's `spec`.
#pragma once

#include <string>
#include <vector>

#include "harness/base/json_document.h"
#include "spec/operator.h"

namespace opconform::reports {

/// A field of an operator's document, as a plug-in gets it.
struct FieldText {
  std::string name;
  std::string kind;  ///< "tensor", "tensors", "number" or "numbers"
  std::string role;  ///< "input, indices", "axis, may be left out"; empty where it has none
};
/// In the document's order.
[[nodiscard]] std::vector<FieldText> fields_of(const OperatorText& op);

/// {"operators": [{name, alias, fields, versions, support}], "rules": […], "errata": […]}
base::Json spec_to_json();

}  // namespace opconform::reports
