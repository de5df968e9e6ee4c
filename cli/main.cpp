// The program `opconform`: finds the subcommand and turns everything that can go wrong into a
// documented exit code.

#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/shell.h"
#include "cli/usage.h"
#include "harness/backends/apart.h"
#include "harness/base/bad_input.h"
#include "reports/run_info.h"

namespace opconform::cli {
namespace {

void add_commands(CLI::App& app, int& exit_code) {
  for (const auto add :
       {add_run, add_fuzz, add_reduce, add_grid, add_doctor, add_selftest, add_coverage, add_report,
        add_compare, add_certify, add_list, add_show, add_validate, add_spec, add_corpus,
        add_import, add_export, add_help, add_version})
    add(app, exit_code);
  for (CLI::App* command : app.get_subcommands(nullptr)) command->fallthrough();  // for --version
}

bool is_command(const CLI::App& app, const std::string& word) {
  const std::vector<const CLI::App*> commands = app.get_subcommands(nullptr);
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->get_name() == word; });
}

/// Parses, and so runs the command, whose exit code arrives in `exit_code`. Returns it, or that of
/// what went wrong.
int run_chosen(CLI::App& app, int argc, char** argv, const int& exit_code) {
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    // Help and version come this way too.
    if (error.get_exit_code() == 0) return app.exit(error);
    complain(bad_usage_text(app, error));
    return kBadInput;
  } catch (const backends::DoesNotStart& error) {
    complain(error.what());
    return std::max<int>(exit_code, kNonconformance);
  } catch (const base::BadInput& error) {
    complain(error.what());
    return std::max<int>(exit_code, kBadInput);
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
    return kHarnessFailed;
  } catch (const std::exception& error) {
    complain(error.what());
    return kHarnessFailed;
  }
}

int run_command_line(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  remember_command(words);
  int exit_code = kAllAsExpected;
  CLI::App app(
      "Test whether an implementation of tensor data-movement operators does what their "
      "documentation says",
      "opconform");
  app.set_version_flag("--version", reports::program_text());
  app.require_subcommand(1);
  app.footer(  // of each command
      "Exit codes: 0 everything is as expected, 1 an implementation does not conform or a check "
      "failed, 2 bad usage or bad\ninput, 3 the program itself failed or was interrupted. If "
      "several apply, the highest.");
  add_commands(app, exit_code);
  tell_case_folder(app);
  const std::string first = words.size() > 1 ? words[1] : "";
  if (first == kCompletionCommand) {
    print(completion_text(app, {words.begin() + 2, words.end()}));
    return kAllAsExpected;
  }
  if (words.size() < 2) {
    std::cerr << orientation_text();
    return kBadInput;
  }
  if (!first.starts_with('-') && !is_command(app, first)) {
    complain(no_such_command(app, first) + "; see opconform help");
    return kBadInput;
  }
  return run_chosen(app, argc, argv, exit_code);
}

}  // namespace
}  // namespace opconform::cli

int main(int argc, char** argv) {
  // By default each thread that executes a case has 64 MiB of addresses of its own, and keeps them.
  mallopt(M_ARENA_MAX, 2);
  return opconform::cli::run_command_line(argc, argv);
}
