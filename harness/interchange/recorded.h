// What others computed for an export, as a backend: "recorded:DIR". The results of a case stand in
// its folder as results/FIELD.npy or results/FIELD.bin; results/refused.txt says that the
// descriptor was rejected, results/failed.txt that the execution failed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/backends/backend.h"

namespace opconform::interchange {

inline constexpr std::string_view kRecordedPrefix = "recorded:";

/// Throws BadInput where the folder holds no export, or no results at all.
[[nodiscard]] std::unique_ptr<backends::Backend> recorded_backend(const std::string& name);

}  // namespace opconform::interchange
