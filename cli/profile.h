// `--profile`: the promise that the implementations of a command are held to.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/base/json_document.h"

namespace opconform::cli {

using Backends = std::vector<std::unique_ptr<backends::Backend>>;

void add_profile(CLI::App& command, std::string& profile);
/// Holds the backends that are not built in to it, or all where all are built in. Empty: none.
/// Throws BadInput where it is no profile.
void apply_profile(const std::string& profile, Backends& backends);
/// The backend of that name, held to that profile. As backend_of() and apply_profile().
std::unique_ptr<backends::Backend> backend_of(const std::string& name, const std::string& profile);
/// " --profile NAME" for a command line that is to do the same again, or nothing.
std::string profile_option(const std::string& profile);

/// What each backend promises, of those that promise anything but the documents: the key
/// "promises" of results.
base::Json promises_json(std::span<const std::unique_ptr<backends::Backend>> backends);
/// Adds that to results, where any does.
void add_promises(std::span<const std::unique_ptr<backends::Backend>> backends, base::Json& json);

/// What `opconform list profiles` prints.
std::string profiles_text();

}  // namespace opconform::cli
