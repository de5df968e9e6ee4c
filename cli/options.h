// The subcommands of the program `opconform`, each in a file of its own under cli/commands/.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/base/text.h"
#include "harness/cases/case_reader.h"
#include "harness/coverage/file.h"

namespace opconform::tools {

/// What the process ends with; where several apply, the highest.
enum ExitCode : int {
  kAllAsExpected = 0,
  kNonconformance = 1,  ///< a vacuous case or a stale expectation included
  kBadInput = 2,        ///< bad usage, or a file that could not be used
  kHarnessFailed = 3,
};

/// So many of a kind are named on a terminal; their number is told in any case.
inline constexpr std::size_t kMostNamed = 20;

/// Adds a subcommand; its exit code arrives in `exit_code` once it has run.
void add_run(CLI::App& app, int& exit_code);
void add_fuzz(CLI::App& app, int& exit_code);
void add_reduce(CLI::App& app, int& exit_code);
void add_grid(CLI::App& app, int& exit_code);
void add_selftest(CLI::App& app, int& exit_code);
void add_coverage(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_certify(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_spec(CLI::App& app, int& exit_code);
void add_corpus(CLI::App& app, int& exit_code);

/// What the program was called with, from its name on, and that it has just begun.
void remember_command(const std::vector<std::string>& words);
/// How what is being written came about, for its "run".
harness::Json run_info();

/// Where the committed cases are: $OPCONFORM_SPEC_CASES, ./spec_cases, or beside the installed
/// program. Empty where there are none.
std::filesystem::path default_case_directory();

/// Reads the cases below `paths`, or the committed ones where there are no paths. Prints every bad
/// input to standard error; its count raises `exit_code`.
harness::LoadedCases load(const std::vector<std::string>& paths, int& exit_code);

/// Of the cases below a folder (or the committed ones), those that its file LABEL.label names, a
/// line each: file and id. No other file is read.
harness::LoadedCases load_labelled(const std::string& label, const std::vector<std::string>& paths,
                                   int& exit_code);

/// An option that takes a whole number of 64 bits. `value` keeps what it has where the option is
/// not given.
CLI::Option& add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                        const std::string& description, const std::string& type_name);

/// `--label`, for load_labelled().
void add_label(CLI::App& command, std::string& label);
/// An option that takes the name of a file; an empty one is bad usage.
CLI::Option& add_file(CLI::App& command, const std::string& name, std::string& path,
                      const std::string& description);
/// An option that takes a time in seconds, at least a millisecond and at most a day.
void add_seconds(CLI::App& command, const std::string& name, double& value,
                 const std::string& description);
std::chrono::milliseconds milliseconds(double seconds);

/// Throws CLI::ValidationError where an output is to be written over another or over an input, or
/// among the cases of a folder that is an input.
/// Empty names are none.
void demand_distinct(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs = {});

/// The files that a report is written to; empty names are not.
struct ReportFiles {
  std::string html{};
  std::string markdown{};
  std::string junit{};
  std::string sarif{};
  [[nodiscard]] bool any() const;
  [[nodiscard]] std::vector<std::string> all() const { return {html, markdown, junit, sarif}; }
};
/// `--html`, `--markdown`, `--junit` and `--sarif`.
void add_report_files(CLI::App& command, ReportFiles& files);
/// Writes each; complains of those that cannot be written, and gives kHarnessFailed then.
ExitCode write_report(const harness::Json& report, const ReportFiles& files);

/// The backend of that name; throws CLI::ValidationError where there is none.
std::unique_ptr<harness::Backend> backend_of(const std::string& name);
/// Nothing for the empty text; throws CLI::ValidationError where it is no feature level.
std::optional<Version> feature_level_of(const std::string& text);

/// SIGINT, SIGTERM and SIGHUP make the result true from now on; a third one ends the process, for
/// a case that runs in it cannot be stopped otherwise.
const std::atomic<bool>& stop_on_signals();

/// A word, and a path (which must not look like an option), as a shell reads it again.
std::string shell_word(const std::string& word);
std::string shell_path(const std::string& path);
/// The variable that chooses the kernels, where it is set, with a space behind it.
std::string repro_environment();

/// What a file of JSON holds. With an indent of -1 it is one line, in half as many bytes.
std::string json_text(const harness::Json& json, int indent = 1);
/// Complains where the file cannot be written, and gives kHarnessFailed then: whatever else was
/// found is told nevertheless.
ExitCode write_or_complain(const std::string& file, std::string_view text);
/// Until the result is written, the file says that the command was interrupted, with nothing found:
/// a kill leaves no result of an earlier run that could be taken for one of this. `empty` is a
/// result without any. Does nothing where the file cannot be replaced as a whole (a device, a
/// pipe), and leaves complaints to the end.
void write_interrupted(const std::string& file, harness::Json empty);
/// Is the name of a file that is none yet, or a regular one?
bool is_replaceable(const std::string& file);
ExitCode write_coverage(const std::string& file, const harness::CollectedCoverage& coverage);

/// Prints "opconform: MESSAGE" to standard error, on one line and fit for a terminal.
void complain(const std::string& message);
/// Writes to standard output; throws reports::WriteError where that fails.
void print(const std::string& text);

}  // namespace opconform::tools
