#include "cli/usage.h"

#include <CLI/CLI.hpp>

#include "cli/case_folder.h"
#include "harness/base/suggestion.h"
#include "harness/base/text.h"
#include "reports/run_info.h"

namespace opconform::cli {
namespace {

using Words = std::vector<std::string>;

std::string did_you_mean(const std::string& wrong, const Words& known) {
  return base::did_you_mean(wrong, {known.begin(), known.end()});
}

Words names_of_options(const CLI::App& command) {
  Words names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Words names_of_commands(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

/// What the command must be given and was not, by its name or by what it is; empty where it has it.
std::string missing_argument(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      return option->get_positional() ? option->get_type_name() : option->get_name();
  return "";
}

/// Of a word that the command does not take.
std::string unexpected_text(const CLI::App& command, const std::string& word) {
  if (!word.starts_with('-'))
    return command.get_require_subcommand_min() > 0
               ? no_such_command(command, word)
               : "unexpected argument: " + base::in_quotes(word);
  const std::string name = word.substr(0, word.find('='));
  return "no such option: " + base::in_quotes(name) + did_you_mean(name, names_of_options(command));
}

}  // namespace

std::string orientation_text() {
  const std::string folder = find_case_folder().string();
  return reports::program_text() +
         " tests whether tensor data-movement operators do what their documentation says.\n\n"
         "  opconform run                      run all cases on the implementations that come with "
         "the program\n"
         "  opconform run --operator OPERATOR  run those of one operator\n"
         "  opconform run FILE                 run your own\n"
         "  opconform list backends            list what can be tested\n"
         "  opconform show CASE-ID             explain a case: what goes in, what must come out\n"
         "  opconform help                     list all commands\n"
         "  opconform help COMMAND             explain one\n\n" +
         (folder.empty() ? no_case_folder_text() : "Cases: " + base::printable(folder)) + "\n";
}

std::string no_such_command(const CLI::App& app, const std::string& word) {
  return "no such command: " + base::in_quotes(word) + did_you_mean(word, names_of_commands(app));
}

std::string bad_usage_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string name = "opconform";
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  const Words words = app.remaining(true);
  const bool is_required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const bool lacks_command = is_required && command->get_require_subcommand_min() > 0;
  std::string text = error.what();
  if (!words.empty() &&
      (lacks_command || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)) {
    text = unexpected_text(*command, words.front());
  } else if (lacks_command) {
    const Words names = names_of_commands(*command);
    text = "lacks one of its commands: " + base::listed({names.begin(), names.end()});
  } else if (const std::string missing = missing_argument(*command);
             is_required && !missing.empty()) {
    text = "lacks " + missing;
  }
  return text + "; see " + name + (name == "opconform help" ? "" : " --help");
}

}  // namespace opconform::cli
