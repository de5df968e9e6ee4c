// The picture of a failing case: its tensors as grids of elements, as reports/results.schema.json
// describes it.
#pragma once

#include "reports/json_node.h"

namespace opconform::reports {

/// A copy of the picture, in which every number fits what it counts. Throws base::BadInput.
base::Json picture_to_json(const JsonNode& picture);

}  // namespace opconform::reports
