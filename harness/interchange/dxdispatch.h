// Models for DxDispatch, the program of the DirectML repository that runs an operator on the real
// DirectML. Source of the format: DxDispatch/doc/Guide.md and models/_schema.json of
// microsoft/DirectML.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/json_document.h"
#include "harness/cases/case.h"

namespace opconform::interchange {

inline constexpr const char* kDxdispatchModel = "model.json";
inline constexpr const char* kDxdispatchScript = "run.ps1";

/// The model that runs a case whose buffers stand in inputs/, before/ and, afterwards, results/.
[[nodiscard]] base::Json dxdispatch_model(const cases::Case& one, bool has_buffers);

/// Model and buffers. Throws CannotSay for operators of other dialects.
void write_dxdispatch_case(const cases::Case& one, const std::filesystem::path& folder);

/// What runs all models of an export with PowerShell.
[[nodiscard]] std::string dxdispatch_script();

}  // namespace opconform::interchange
