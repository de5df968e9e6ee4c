// Files that are there whole or not at all.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace opconform::reports {

/// The file could not be written; names path and cause.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes beside the path and renames, so that a full disk or a killed run leaves what stood there.
/// A link stays one: the file that it names is written. "-" is standard output; what exists and is
/// no regular file (a pipe, /dev/null) is written to directly. Throws WriteError.
void write_file(const std::string& path, std::string_view text);
/// Before long work: throws WriteError where write_file() could not even begin.
void demand_writable(const std::string& path);

}  // namespace opconform::reports
