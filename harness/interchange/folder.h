// What an export is on disk: a folder for each case, which holds the case itself and its buffers in
// another's format, and later the results.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/interchange/filled_case.h"

namespace opconform::interchange {

inline constexpr const char* kCaseFile = "case.json";
inline constexpr const char* kResults = "results";

struct Exported {
  struct LeftOut {
    std::string id;
    std::string why;
  };
  std::size_t written = 0;
  std::vector<LeftOut> left_out;
};

/// Writes what one case needs beside its file. Throws CannotSay where the format cannot say it.
using WriteCase = std::function<void(const cases::Case& one, const std::filesystem::path& folder)>;

/// Writes the cases below `to`, each into a folder of its own, named after its id. `to` must be new
/// or empty. Stops where `goes_on` says so. Throws BadInput where it is not, std::runtime_error
/// where something cannot be written.
Exported export_cases(const std::vector<const cases::Case*>& cases, const std::filesystem::path& to,
                      const WriteCase& write, const std::function<bool()>& goes_on);

inline constexpr const char* kInputs = "inputs";
inline constexpr const char* kExpected = "expected";
inline constexpr const char* kRejected = "refused.txt";
inline constexpr const char* kFailed = "failed.txt";

/// Writes the inputs, and one way in which the case may end, as its results would have it.
/// `bytes_of` makes a file of a buffer.
void write_buffers(
    const cases::Case& one, const FilledCase& filled, const std::filesystem::path& folder,
    const std::string& ending,
    const std::function<std::string(const TensorDesc&, std::span<const std::byte>)>& bytes_of);

/// The name of a tensor's file, without its ending: "OutputTensors.0".
[[nodiscard]] std::string file_name(const FieldPath& path);

/// A file of buffers or of a model, whole. Throws BadInput where it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);
/// Throws std::runtime_error where it cannot be written.
void write_file(const std::filesystem::path& file, std::string_view bytes);
[[nodiscard]] std::string_view text_of(std::span<const std::byte> bytes);

/// The folders below `path`, and itself, that hold such a file, in the order of their names. Throws
/// BadInput where the path is no folder.
[[nodiscard]] std::vector<std::filesystem::path> folders_with(const std::filesystem::path& path,
                                                              const std::string& file);

/// The case of a folder. Throws BadInput.
[[nodiscard]] cases::Case read_case_file(const std::filesystem::path& folder);

}  // namespace opconform::interchange
