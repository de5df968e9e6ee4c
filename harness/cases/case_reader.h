// Case files into cases. Format: shared with other tools; spec_cases/case.schema.json says it for
// machines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/cases/case.h"

namespace opconform::cases {

struct LoadedCases {
  std::vector<Case> cases;
  /// With a label, in files below a directory: who names the file itself wants them.
  std::vector<Case> left_out{};
  /// One message for each case or file that could not be read: file, JSON pointer, value.
  std::vector<std::string> bad_input;
  bool interrupted = false;  ///< before all files were read
};

/// Adds the cases of a document to `cases`. A bad case is reported and does not hide the others.
void read_cases(const base::Json& document, const std::string& file, LoadedCases& loaded);

/// The seeds that the header of a generated file names, which read_cases() has found no fault with:
/// none where there is no header, nothing is drawn, or the seed was not kept.
std::vector<std::uint64_t> seeds_of(const base::Json& document, const std::string& file);

/// Reads files, and all *.json files below directories except case.schema.json, in the order of
/// their names, while `goes_on`, where it is given. Reports a path that is absent, and every id
/// that appears twice, in what is left out as well.
[[nodiscard]] LoadedCases load_cases(const std::vector<std::filesystem::path>& paths,
                                     const std::function<bool()>& goes_on = {});

/// The case files that load_cases would read, with what could not be listed.
std::vector<std::filesystem::path> find_case_files(const std::vector<std::filesystem::path>& paths,
                                                   std::vector<std::string>& bad_input);

}  // namespace opconform::cases
