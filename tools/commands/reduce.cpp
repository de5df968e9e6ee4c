#include <algorithm>
#include <memory>

#include "harness/bad_input.h"
#include "harness/case_writer.h"
#include "harness/findings.h"
#include "reports/atomic_file.h"
#include "reports/terminal.h"
#include "tools/command.h"

namespace opconform::tools {
namespace {

struct ReduceArguments {
  std::string path;
  std::string id;
  std::string backend = "optimized";
  std::string out_file = "-";
  double timeout_seconds = 10;
  std::uint64_t seed = 1;
  bool isolate = false;
};

/// The case of that id, or the only one.
const harness::Case& case_to_reduce(const harness::LoadedCases& loaded,
                                    const ReduceArguments& arguments) {
  const auto is_wanted = [&](const harness::Case& one) { return one.id == arguments.id; };
  if (!arguments.id.empty()) {
    const auto found = std::find_if(loaded.cases.begin(), loaded.cases.end(), is_wanted);
    if (found == loaded.cases.end())
      throw harness::BadInput(arguments.path, "",
                              "no case has the id " + harness::in_quotes(arguments.id));
    return *found;
  }
  if (loaded.cases.size() != 1)
    throw harness::BadInput(
        arguments.path, "",
        "holds " + std::to_string(loaded.cases.size()) + " cases: say which one with --case");
  return loaded.cases.front();
}

int reduce_command(const ReduceArguments& arguments) {
  int exit_code = kAllAsExpected;
  const std::unique_ptr<harness::Backend> backend = backend_of(arguments.backend);
  const harness::LoadedCases loaded = load({arguments.path}, exit_code);
  if (loaded.cases.empty()) return exit_code;
  const harness::Case& failing = case_to_reduce(loaded, arguments);
  harness::RunOptions options;
  options.isolate = arguments.isolate || backend->needs_isolation();
  options.timeout = milliseconds(arguments.timeout_seconds);
  options.check.seed = arguments.seed;

  const std::atomic<bool>& stop = stop_on_signals();
  const harness::Reduction reduction = harness::reduce_safely(failing, *backend, options, stop);
  const harness::CaseResult& result = reduction.result;
  if (stop) {
    complain("interrupted: what follows may not be the smallest case");
    exit_code = kHarnessFailed;
  }
  if (!harness::is_nonconformance(result.verdict)) {
    complain(failing.id + " does not fail on " + backend->name() + ": " +
             std::string(name(result.verdict)));
    return std::max<int>(exit_code, kBadInput);
  }
  const reports::Style style(stderr);
  std::string message = reports::result_text(result, nullptr, style);
  if (!reduction.reproduced)
    message +=
        "  not shrunk: the case's own expectation says that it fails, the reference does not\n";
  message += "  checks   " + std::to_string(reduction.checks) + "\n";
  std::fputs(message.c_str(), stderr);
  harness::Case smallest = reduction.smallest;
  reports::write_file(arguments.out_file,
                      harness::pretty(harness::cases_to_json({&smallest, 1}, "")));
  return std::max<int>(exit_code, kNonconformance);
}

}  // namespace

void add_reduce(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ReduceArguments>();
  CLI::App* reduce =
      app.add_subcommand("reduce", "Shrink a failing case to a smallest one that fails as it does");
  reduce->add_option("path", arguments->path, "The file of the case")
      ->type_name("CASE-FILE")
      ->required();
  reduce->add_option("--case", arguments->id, "Its id, where the file holds more than one")
      ->type_name("ID");
  reduce
      ->add_option("--backend", arguments->backend,
                   "Implementation on which it fails (default: optimized)")
      ->type_name("B");
  add_file(*reduce, "--out", arguments->out_file,
           "Write the case there (default: standard output)");
  add_number(*reduce, "--seed", arguments->seed,
             "Of gap bytes, canaries and base addresses (default 1)", "N");
  add_seconds(*reduce, "--timeout", arguments->timeout_seconds,
              "Time for one isolated check (default 10)");
  reduce->add_flag("--isolate", arguments->isolate,
                   "Each check in a process of its own, for what crashes now and then");
  reduce->callback([arguments, &exit_code] { exit_code = reduce_command(*arguments); });
}

}  // namespace opconform::tools
