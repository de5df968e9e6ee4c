// What adds options to a subcommand: an option that several commands have is described once.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "spec/version.h"

namespace opconform::cli {

/// What an option takes, as help prints it. Completion offers words, or names of files, by these.
inline constexpr const char* kBackendType = "BACKEND";
inline constexpr const char* kOperatorType = "OPERATOR";
inline constexpr const char* kRuleType = "RULE";
inline constexpr const char* kDataTypeType = "TYPE";
inline constexpr const char* kLevelType = "LEVEL";
inline constexpr const char* kGuardType = "KIND";
inline constexpr const char* kProfileType = "PROFILE";
inline constexpr const char* kLabelType = "LABEL";
inline constexpr const char* kCaseIdType = "CASE-ID";
inline constexpr const char* kCommandType = "COMMAND";
inline constexpr const char* kFileType = "FILE";
inline constexpr const char* kFolderType = "DIR";
inline constexpr const char* kCaseFilesType = "CASE-FILE|DIR";

/// What `--guard` takes.
std::vector<std::string> guard_names();

/// Lets help say where the cases come from that a command uses without a path.
void tell_case_folder(CLI::App& command);
/// Case files and directories, where none means the committed cases.
CLI::Option& add_case_paths(
    CLI::App& command, std::vector<std::string>& paths,
    const std::string& description = "Case files and directories (default: the committed cases)");
CLI::Option& add_backend(CLI::App& command, std::string& backend, const std::string& description);
CLI::Option& add_backends(CLI::App& command, std::vector<std::string>& backends,
                          const std::string& description);
/// `--label`, for load_labelled(); `verb` is what the command does with the cases: "Run".
void add_label(CLI::App& command, std::string& label, const std::string& verb);
void add_jobs(CLI::App& command, unsigned& jobs, const std::string& description);
/// `--feature-level`; throws CLI::ValidationError where it is none.
void add_feature_level(CLI::App& command, std::optional<Version>& level);

/// Nothing where the text is no decimal number without sign and exponent.
std::optional<double> parse_decimal(const std::string& text);
/// What an option must be that takes a whole number within limits; help shows these.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
/// An option that takes a whole number of 64 bits. `value` keeps what it has where the option is
/// not given.
CLI::Option& add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                        const std::string& description, const std::string& type_name = "N");
/// An option that takes a time in seconds, at least a millisecond and at most a day.
void add_seconds(CLI::App& command, const std::string& name, std::chrono::milliseconds& value,
                 const std::string& description);
void add_seconds(CLI::App& command, const std::string& name,
                 std::optional<std::chrono::milliseconds>& value, const std::string& description);
/// The time as add_seconds() reads it again: "0.5".
std::string seconds_option(std::chrono::milliseconds time);

/// An option that takes the name of a file, or of a folder; an empty one is bad usage.
CLI::Option& add_file(CLI::App& command, const std::string& name, std::string& path,
                      const std::string& description, const char* type_name = kFileType);
/// `--quiet`: of what a command found, it prints the last lines alone, which sum it up.
void add_quiet(CLI::App& command, bool& quiet);
/// `--coverage` of a command whose result may go to standard output.
void add_coverage_file(CLI::App& command, std::string& path);
/// `--html`, `--markdown`, `--junit` and `--sarif`.
void add_report_files(CLI::App& command, ReportFiles& files);

/// Throws CLI::ValidationError where an output is to be written over another or over an input, or
/// among the cases of a folder that is an input; reports::WriteError where one cannot be written.
/// Empty names are none.
void demand_distinct(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs = {});

}  // namespace opconform::cli
