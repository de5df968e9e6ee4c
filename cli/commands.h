// The subcommands of the program `opconform`, each in a file of its own under cli/commands/.
#pragma once

namespace CLI {
class App;
}

namespace opconform::cli {

/// Adds a subcommand; its exit code arrives in `exit_code` once it has run.
void add_run(CLI::App& app, int& exit_code);
void add_fuzz(CLI::App& app, int& exit_code);
void add_reduce(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
void add_grid(CLI::App& app, int& exit_code);
void add_selftest(CLI::App& app, int& exit_code);
void add_coverage(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_certify(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_spec(CLI::App& app, int& exit_code);
void add_corpus(CLI::App& app, int& exit_code);
void add_help(CLI::App& app, int& exit_code);
void add_version(CLI::App& app, int& exit_code);

}  // namespace opconform::cli
