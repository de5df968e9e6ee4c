#include "cli/run/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <set>

#include "cli/loading.h"
#include "cli/options.h"
#include "cli/shell.h"

namespace opconform::cli {

namespace {

struct Shard {
  std::size_t number = 1;  ///< from 1 on
  std::size_t count = 1;
};

/// Of the form I/N.
std::optional<Shard> parse_shard(const std::string& text) {
  const char* const end = text.data() + text.size();
  Shard shard;
  const auto number = std::from_chars(text.data(), end, shard.number);
  if (number.ec != std::errc{} || number.ptr == end || *number.ptr != '/') return std::nullopt;
  const auto count = std::from_chars(number.ptr + 1, end, shard.count);
  if (count.ec != std::errc{} || count.ptr != end) return std::nullopt;
  if (shard.number < 1 || shard.number > shard.count) return std::nullopt;
  return shard;
}

/// The options that change what a result can be, as they were given.
std::string repro_options(const RunArguments& arguments) {
  const RunArguments standard;
  std::string text = profile_option(arguments.profile);
  if (arguments.guard != standard.guard) text += " --guard " + arguments.guard;
  if (arguments.seed != standard.seed) text += " --seed " + std::to_string(arguments.seed);
  if (arguments.strict_gaps) text += " --strict-gaps";
  if (arguments.plans > 0) text += " --plans " + std::to_string(arguments.plans);
  for (std::size_t i = 0; i < arguments.threads.size(); ++i)
    text += (i == 0 ? " --threads " : ",") + std::to_string(arguments.threads[i]);
  if (arguments.isolate) text += " --isolate";
  if (arguments.in_process) text += " --in-process";
  if (arguments.timeout != standard.timeout)
    text += " --timeout " + seconds_option(arguments.timeout);
  if (arguments.memory_limit_bytes != standard.memory_limit_bytes)
    text += " --memory-limit " + std::to_string(arguments.memory_limit_bytes);
  return text;
}

}  // namespace

running::Selection selection_of(const RunArguments& arguments) {
  running::Selection selection = arguments.selection;
  if (arguments.shard.empty()) return selection;
  const std::optional<Shard> shard = parse_shard(arguments.shard);
  if (!shard)
    throw CLI::ValidationError("--shard",
                               "not of the form I/N with 1 <= I <= N: " + arguments.shard);
  selection.shard = shard->number - 1;
  selection.shard_count = shard->count;
  return selection;
}

Backends backends_of(const RunArguments& arguments) {
  Backends backends;
  std::set<std::string> names;
  for (const std::string& name : arguments.backends)
    for (std::unique_ptr<backends::Backend>& backend : backends_of(name))
      if (names.insert(backend->name()).second) backends.push_back(std::move(backend));
  apply_profile(arguments.profile, backends);
  return backends;
}

running::RunOptions run_options_of(const RunArguments& arguments) {
  running::RunOptions options;
  options.check = {*judging::parse_guard(arguments.guard), arguments.strict_gaps, arguments.seed,
                   arguments.memory_limit_bytes};
  options.jobs = arguments.jobs;
  options.isolate = arguments.isolate;
  options.in_process = arguments.in_process;
  options.pictures = arguments.verbose;
  options.timeout = arguments.timeout;
  options.check.threads = arguments.threads;
  options.check.plans = arguments.plans;
  options.repro = [&](const cases::Case& tested, const judging::CaseResult& result) {
    RunArguments own = arguments;
    if (result.threads > 0) own.threads = {result.threads};
    if (result.plans > 0) own.plans = result.plans;
    return repro_text(tested, result.backend, own);
  };
  return options;
}

std::string repro_text(const cases::Case& tested, const std::string& backend,
                       const RunArguments& arguments) {
  return repro_environment() + "opconform run " + shell_path(tested.file) + " --filter " +
         shell_word(tested.id) + " --backend " + shell_word(backend) + repro_options(arguments);
}

}  // namespace opconform::cli
