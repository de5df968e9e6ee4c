#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "reports/run_info.h"

namespace opconform::cli {
namespace {

/// The help of the command that the words name, from the program's name on.
std::string help_text(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string before;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> commands = command->get_subcommands(nullptr);
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CLI::App* one) { return one->get_name() == word; });
    if (found == commands.end()) throw CLI::ValidationError(no_such_command(*command, word));
    before += (before.empty() ? "" : " ") + command->get_name();
    command = *found;
  }
  // Not app.help(): that would be the help of this very command.
  if (command == &app)
    return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
  return command->help(before);
}

}  // namespace

void add_help(CLI::App& app, int& exit_code) {
  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* help = app.add_subcommand("help", "Explain a command, or list all");
  help->add_option("command", *words, "The command; opconform COMMAND --help prints the same")
      ->type_name(kCommandType);
  help->callback([&app, words, &exit_code] {
    print(help_text(app, *words));
    exit_code = kAllAsExpected;
  });
}

void add_version(CLI::App& app, int& exit_code) {
  CLI::App* version = app.add_subcommand("version", "Print the version of the program");
  version->callback([&exit_code] {
    print(reports::program_text() + "\n");
    exit_code = kAllAsExpected;
  });
}

}  // namespace opconform::cli
