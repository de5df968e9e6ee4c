// What commands work on: cases and backends.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/cases/case_reader.h"

namespace opconform::cli {

/// Where the committed cases are: $OPCONFORM_SPEC_CASES, ./spec_cases, or beside the installed
/// program. Empty where there are none.
std::filesystem::path default_case_directory();
/// The paths, or where there are none, the folder of the committed cases.
std::vector<std::string> case_paths(const std::vector<std::string>& paths);

/// Reads the cases below `paths`, or the committed ones where there are no paths. Prints every bad
/// input to standard error; its count raises `exit_code`.
cases::LoadedCases load(const std::vector<std::string>& paths, int& exit_code);
/// Of the cases below a folder (or the committed ones), those that its file LABEL.label names, a
/// line each: file and id. No other file is read. All of them where the label is empty.
cases::LoadedCases load_labelled(const std::string& label, const std::vector<std::string>& paths,
                                 int& exit_code);

/// The backend of that name; throws CLI::ValidationError where there is none.
std::unique_ptr<backends::Backend> backend_of(const std::string& name);

}  // namespace opconform::cli
