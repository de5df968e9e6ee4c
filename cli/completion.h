// What may be typed next on a command line: asked by the completion of a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace opconform::cli {

/// `opconform complete WORD ...` prints completion_text(). Help does not list it: scripts call it.
inline constexpr std::string_view kCompletionCommand = "complete";

/// What can stand in place of the last of the words that follow the program's name, a line each:
///   "word W"      the word W
///   "files"       any file
///   "case-files"  a file of JSON, or a folder
///   "folders"     a folder
/// Commands and options are those that `app` has. What an option takes follows from the name of its
/// type: kBackendType and its like.
std::string completion_text(const CLI::App& app, const std::vector<std::string>& typed);

}  // namespace opconform::cli
