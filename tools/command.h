// The subcommands of the program `opconform`, each in a file of its own under tools/commands/.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/case_reader.h"
#include "harness/coverage_file.h"
#include "harness/text.h"

namespace opconform::tools {

/// What the process ends with; where several apply, the highest.
enum ExitCode : int {
  kAllAsExpected = 0,
  kNonconformance = 1,  ///< a vacuous case or a stale expectation included
  kBadInput = 2,        ///< bad usage, or a file that could not be used
  kHarnessFailed = 3,
};

/// Adds a subcommand; its exit code arrives in `exit_code` once it has run.
void add_run(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_spec(CLI::App& app, int& exit_code);
void add_coverage(CLI::App& app, int& exit_code);

/// Where the committed cases are: $OPCONFORM_SPEC_CASES, ./spec_cases, or beside the installed
/// program. Empty where there are none.
std::filesystem::path default_case_directory();

/// Reads the cases below `paths`, or the committed ones where there are no paths. Prints every bad
/// input to standard error; its count raises `exit_code`.
harness::LoadedCases load(const std::vector<std::string>& paths, int& exit_code);

/// An option that takes a whole number of 64 bits. `value` keeps what it has where the option is
/// not given.
void add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                const std::string& description, const std::string& type_name);

/// For options that take a file: says what is wrong with an empty name.
std::string is_file_name(const std::string& text);

/// Writes a coverage file; throws reports::WriteError where that fails.
void write_coverage(const std::string& file, const harness::CollectedCoverage& coverage);

/// Prints "opconform: MESSAGE" to standard error, on one line and fit for a terminal.
void complain(const std::string& message);
/// Writes to standard output; throws reports::WriteError where that fails.
void print(const std::string& text);

}  // namespace opconform::tools
