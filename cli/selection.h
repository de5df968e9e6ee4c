// Options that choose among the cases: the same for each command that has them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/cases/case_reader.h"
#include "harness/running/selection.h"

namespace opconform::cli {

/// `--filter`, `--operator`, `--rule`, `--type` and `--feature-level`. What names nothing throws
/// CLI::ValidationError.
void add_selection(CLI::App& command, running::Selection& selection);

/// Why none of those cases is selected.
std::string selects_none_text(const running::Selection& selection,
                              const cases::LoadedCases& loaded);

/// `--operator` alone: places in all_operators(), each once, in their order.
CLI::Option* add_operators(CLI::App& command, std::vector<std::size_t>& operators,
                           const std::string& description);

}  // namespace opconform::cli
