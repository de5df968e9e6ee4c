// The program `opconform`: finds the subcommand and turns everything that can go wrong into a
// documented exit code.

#include <algorithm>
#include <exception>
#include <new>

#include "cli/options.h"
#include "harness/base/bad_input.h"
#include "reports/run_info.h"

int main(int argc, char** argv) {
  using namespace opconform;
  int exit_code = tools::kAllAsExpected;
  tools::remember_command({argv, argv + argc});
  CLI::App app(
      "Does an implementation of tensor data-movement operators do what their documentation says?",
      "opconform");
  app.set_version_flag("--version", reports::program_text());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 all as expected, 1 nonconformance found, 2 bad usage or bad input, 3 the "
      "harness itself failed.\n"
      "Where several apply, the highest.");
  tools::add_run(app, exit_code);
  tools::add_fuzz(app, exit_code);
  tools::add_reduce(app, exit_code);
  tools::add_grid(app, exit_code);
  tools::add_selftest(app, exit_code);
  tools::add_coverage(app, exit_code);
  tools::add_report(app, exit_code);
  tools::add_compare(app, exit_code);
  tools::add_certify(app, exit_code);
  tools::add_list(app, exit_code);
  tools::add_show(app, exit_code);
  tools::add_validate(app, exit_code);
  tools::add_spec(app, exit_code);
  tools::add_corpus(app, exit_code);
  const std::vector<CLI::App*> commands = app.get_subcommands(nullptr);
  for (CLI::App* command : commands) command->fallthrough();  // for --version
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), is_named)) {
    tools::complain("no such command: " + harness::in_quotes(argv[1]) + "; see opconform --help");
    return tools::kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version come this way too.
    if (error.get_exit_code() == 0) return app.exit(error);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
    tools::complain(std::string(error.what()) + "; see opconform" + command + " --help");
    return tools::kBadInput;
  } catch (const harness::BadInput& error) {
    tools::complain(error.what());
    exit_code = std::max<int>(exit_code, tools::kBadInput);
  } catch (const std::bad_alloc&) {
    tools::complain("not enough memory");
    exit_code = tools::kHarnessFailed;
  } catch (const std::exception& error) {
    tools::complain(error.what());
    exit_code = tools::kHarnessFailed;
  }
  return exit_code;
}
