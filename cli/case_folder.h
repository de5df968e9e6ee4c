// The folder of the committed cases: what commands use where they are given no path.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace opconform::cli {

/// How help says what find_case_folder() does.
inline constexpr const char* kCaseFolderHelp =
    "Without a path, commands use the cases in $OPCONFORM_SPEC_CASES; if that is not set, those in "
    "./spec_cases;\nif there is no such folder, those that came with the program "
    "(../share/opconform/spec_cases, seen from its folder).";

/// A folder that came with the program: ../share/opconform/FOLDER, seen from its own. Links to the
/// program count as the program. Empty where nobody knows where the program is.
std::filesystem::path beside_program(std::string_view folder);

/// $OPCONFORM_SPEC_CASES where it is set; else the first that exists of ./spec_cases and
/// ../share/opconform/spec_cases beside the program, which a build has as well. Empty where there
/// is none.
std::filesystem::path find_case_folder();
/// The same; throws CLI::ValidationError where there is none.
std::filesystem::path case_folder();
/// What to say then: the places where it was looked for.
std::string no_case_folder_text();

/// The paths, or where there are none, the folder of the committed cases.
std::vector<std::string> case_paths(const std::vector<std::string>& paths);

}  // namespace opconform::cli
