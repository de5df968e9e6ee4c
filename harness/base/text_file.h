// Files that people give us, read whole and within bounds.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace opconform::base {

/// Against hostile files; far above what a case file needs.
inline constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;

/// Also from a pipe. Throws BadInput where the path leads to no file, the file cannot be read or is
/// too large.
std::string read_text_file(const std::filesystem::path& path,
                           std::size_t most_bytes = kMaxFileBytes);

}  // namespace opconform::base
