#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/signals.h"
#include "harness/base/bad_input.h"
#include "harness/campaigns/findings.h"
#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"
#include "harness/running/isolation.h"
#include "reports/atomic_file.h"
#include "reports/terminal.h"

namespace opconform::cli {
namespace {

struct ReduceArguments {
  std::string path;
  std::string id;
  std::string backend = "optimized";
  std::string profile;
  std::string out_file = "-";
  std::chrono::milliseconds timeout{10'000};
  std::uint64_t seed = 1;
  bool isolate = false;
};

/// The case of that id, or the only one.
const cases::Case& case_to_reduce(const cases::LoadedCases& loaded,
                                  const ReduceArguments& arguments) {
  const auto is_wanted = [&](const cases::Case& one) { return one.id == arguments.id; };
  if (!arguments.id.empty()) {
    const auto found = std::find_if(loaded.cases.begin(), loaded.cases.end(), is_wanted);
    if (found == loaded.cases.end())
      throw base::BadInput(arguments.path, "", no_such_case(loaded.cases, arguments.id));
    return *found;
  }
  if (loaded.cases.size() != 1)
    throw base::BadInput(
        arguments.path, "",
        "holds " + std::to_string(loaded.cases.size()) + " cases: choose one with --case ID");
  return loaded.cases.front();
}

int reduce_command(const ReduceArguments& arguments) {
  int exit_code = kAllAsExpected;
  const std::unique_ptr<backends::Backend> backend =
      backend_of(arguments.backend, arguments.profile);
  const cases::LoadedCases loaded = load({arguments.path}, exit_code);
  if (loaded.cases.empty()) return exit_code;
  const cases::Case& failing = case_to_reduce(loaded, arguments);
  running::RunOptions options;
  options.isolate = arguments.isolate;
  options.timeout = arguments.timeout;
  options.check.seed = arguments.seed;

  const std::atomic<bool>& stop = stop_on_signals();
  // Where nothing can go wrong: in a process of its own.
  const running::JobOutcome first = running::run_alone(failing, *backend, options, stop);
  if (!first.bad_input.empty()) {
    complain(first.bad_input);
    return kBadInput;
  }
  options.isolate |= first.result && (first.result->verdict == judging::Verdict::kCrash ||
                                      first.result->verdict == judging::Verdict::kTimeout);
  const running::Reduction reduction = campaigns::reduce_safely(failing, *backend, options, stop);
  const judging::CaseResult& result = reduction.result;
  const bool fails = judging::is_nonconformance(result.verdict);
  if (stop) {
    complain(fails ? "interrupted: a smaller case may exist"
                   : "interrupted before the case failed");
    exit_code = kHarnessFailed;
  }
  if (!fails) {
    if (stop) return exit_code;
    complain(failing.id + " does not fail on " + backend->name() + ": " +
             std::string(judging::name(result.verdict)));
    return std::max<int>(exit_code, kBadInput);
  }
  const reports::Style style(stderr);
  std::string message = reports::result_text(result, nullptr, style);
  if (!reduction.reproduced)
    message +=
        running::is_too_large_to_reduce(failing)
            ? "  not reduced: it does not fail with patterns, and its values are more than 16 MiB\n"
            : "  not reduced: the case fails against its own expectation, not against the "
              "reference\n";
  message += "  checks   " + std::to_string(reduction.checks) + "\n";
  (void)std::fputs(message.c_str(), stderr);
  cases::Case smallest = reduction.smallest;
  const std::string text = cases::pretty(cases::cases_to_json({&smallest, 1}, ""));
  if (write_or_complain(arguments.out_file, text) != kAllAsExpected) {
    if (arguments.out_file != "-") print(text);  // it may have taken long to find
    return kHarnessFailed;
  }
  return std::max<int>(exit_code, kNonconformance);
}

}  // namespace

void add_reduce(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ReduceArguments>();
  CLI::App* reduce = app.add_subcommand(
      "reduce", "Reduce a failing case to a smallest one that fails in the same way");
  reduce->add_option("path", arguments->path, "The file with the case")
      ->type_name("CASE-FILE")
      ->required();
  reduce
      ->add_option("--case", arguments->id,
                   "Reduce the case with this id, if the file holds several")
      ->type_name("ID");
  add_backend(*reduce, arguments->backend,
              "Test this implementation, on which the case fails (default: optimized)");
  add_profile(*reduce, arguments->profile);
  add_file(*reduce, "--out", arguments->out_file,
           "Write the smallest case to this file (default: standard output)");
  add_number(*reduce, "--seed", arguments->seed,
             "Set the seed of gap bytes, canaries and base addresses (default: 1)");
  add_seconds(*reduce, "--timeout", arguments->timeout,
              "Set the time limit of one isolated check (default: 10)");
  reduce->add_flag("--isolate", arguments->isolate,
                   "Run each check in a process of its own, for cases that crash only sometimes");
  reduce->callback([arguments, &exit_code] { exit_code = reduce_command(*arguments); });
}

}  // namespace opconform::cli
