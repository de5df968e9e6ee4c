// What the program says of itself to somebody who calls it for the first time, or wrongly.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace opconform::cli {

/// A few commands to begin with.
std::string orientation_text();

/// Of a word that is none of its commands, with the one that was meant.
std::string no_such_command(const CLI::App& app, const std::string& word);
/// What is wrong with the command line, on one line; of an option that there is not, with the one
/// that was meant. Ends with the command that helps.
std::string bad_usage_text(const CLI::App& app, const CLI::ParseError& error);

}  // namespace opconform::cli
