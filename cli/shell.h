// Command lines as a shell reads them again, and the one that this process was called with.
#pragma once

#include <string>
#include <vector>

#include "harness/base/json_document.h"

namespace opconform::cli {

/// A word, and a path (which must not look like an option).
std::string shell_word(const std::string& word);
std::string shell_path(const std::string& path);
/// A command of this program, from its name on.
std::string shell_text(const std::vector<std::string>& words);
/// The variable that chooses the kernels, where it is set, with a space behind it.
std::string repro_environment();

/// What the program was called with, from its name on, and that it has just begun.
void remember_command(const std::vector<std::string>& words);
/// As a shell reads it again.
const std::string& this_command();
/// What a backend from outside says that it is, for run_info().
void remember_implementation(const std::string& backend, const std::string& implementation);
/// How what is being written came about, for its "run".
base::Json run_info();

}  // namespace opconform::cli
