// How a file of results came about: what ran, when, on what machine. It stands in every file that a
// command writes, so that a report can say it.
#pragma once

#include <chrono>
#include <string>

#include "harness/base/json_document.h"

namespace opconform::reports {

/// "opconform 0.1.0"
std::string program_text();
/// "AMD EPYC 7B13"; "unknown" where the system does not say.
std::string processor_text();
/// "Linux 6.1.0 x86_64"
std::string system_text();
/// UTC, as ISO 8601: "2026-11-21T07:55:31Z".
std::string time_text(std::chrono::system_clock::time_point time);

/// {"program", "command", "started", "seconds", "system", "processor", "kernels", "compiler"}
base::Json run_info_to_json(const std::string& command,
                            std::chrono::system_clock::time_point started);

}  // namespace opconform::reports
