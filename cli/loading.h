// What commands work on: cases and backends.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/cases/case_reader.h"

namespace opconform::cli {

/// Reads the cases below `paths`, or the committed ones where there are no paths. Prints every bad
/// input to standard error; its count raises `exit_code`. Ends early where this command is asked to
/// stop.
cases::LoadedCases load(const std::vector<std::string>& paths, int& exit_code);
/// The same with the cases that a label keeps out of a run: for commands that execute nothing.
cases::LoadedCases load_all(const std::vector<std::string>& paths, int& exit_code);
/// Of the cases below `paths` (or the committed ones), those with that label: one of
/// cases::kCaseLabels, or one of a folder, whose file LABEL.label names them, a line each: file and
/// id. No other file is read then. Where the label is empty, what load() gives.
cases::LoadedCases load_labelled(const std::string& label, const std::vector<std::string>& paths,
                                 int& exit_code);

/// What `run` says of cases that it leaves out, a line a label; empty where there are none.
std::string left_out_text(const std::vector<const cases::Case*>& left_out);

/// The names of the labels in a folder of cases, and those that a file may give its cases, sorted.
std::vector<std::string> labels_in(const std::filesystem::path& folder);

/// What to say of an id that no case has.
std::string no_such_case(const std::vector<cases::Case>& cases, const std::string& id);

/// What to say of a name that no backend has.
std::string no_such_backend(const std::string& name);
/// The backends of that name, as backends::make_backends() makes them; throws CLI::ValidationError
/// where there is none.
std::vector<std::unique_ptr<backends::Backend>> backends_of(const std::string& name);
/// The first of them.
std::unique_ptr<backends::Backend> backend_of(const std::string& name);

}  // namespace opconform::cli
