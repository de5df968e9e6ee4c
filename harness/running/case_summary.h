// What a case is, without its contents: for lists, files of results and whoever searches them.
#pragma once

#include "harness/base/json_document.h"
#include "harness/cases/case.h"

namespace opconform::running {

/// {"id", "says", "file", "line", "operator", "version", "data_type", "index_type", "rank",
/// "rules", "errata", "expect", "traits"}. Type and rank are those of the first tensor of values,
/// the type of indices that of the first tensor of indices, empty where none is.
///
/// "traits" holds what can be asked of a descriptor whatever its operator: {"axis": […], "stride":
/// […], "index": [least, greatest], "layout": […]}, each only where the case has such. Strides are
/// those of windows, each once; indices those that stand in the case one by one. A layout is
/// "strided" where elements are not packed, and "broadcast" where several places share one.
base::Json case_summary_to_json(const cases::Case& one);

}  // namespace opconform::running
