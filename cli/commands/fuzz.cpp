#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/fuzz/arguments.h"
#include "cli/fuzz/campaign_folder.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/selection.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "harness/base/bad_input.h"
#include "harness/campaigns/state.h"
#include "harness/generation/combinations.h"
#include "harness/running/expected_failures.h"
#include "reports/campaign.h"
#include "reports/promise_text.h"
#include "reports/terminal.h"

namespace opconform::cli {
namespace {

using campaigns::Campaign;
using campaigns::FindingKey;

/// One part of a campaign: its steps, in their order, and what they hand on.
class FuzzCommand {
 public:
  explicit FuzzCommand(const FuzzArguments& arguments)
      : arguments_(arguments),
        backend_(backend_of(arguments.backend, arguments.profile)),
        options_(campaign_options_of(arguments)),
        folder_(arguments, options_, backend_->name()) {
    if (!arguments.expect_file.empty())
      expected_failures_ = running::ExpectedFailures::read(arguments.expect_file);
  }

  int execute() {
    if (!open_folder()) return kHarnessFailed;
    write_interrupted(arguments_.json_file, result_json());
    generate();
    settle_expected();
    write_files();
    print_result();
    return exit_code_;
  }

 private:
  /// Takes up the campaign that is to go on. False where nothing can be written there.
  bool open_folder() {
    if (!folder_.is_used()) {
      if (arguments_.resume)
        throw CLI::ValidationError("--resume", "needs --out DIR, the folder of the campaign");
      return true;
    }
    if (arguments_.resume)
      (void)folder_.read_state();  // before anything is made
    else if (folder_.has_state())
      throw base::BadInput(
          folder_.state_file(), "",
          "exists already: add --resume to continue that campaign, or name another folder");
    folder_.make();
    if (arguments_.resume)
      campaign_ = folder_.read_state();  // as it is now that nobody else writes it
    if (!folder_.failed()) folder_.write_state(campaign_);
    if (folder_.failed()) return false;
    if (has_findings()) folder_.write_examples(campaign_);
    return true;
  }

  void generate() {
    reports::StatusLine status(reports::Style(stderr).is_terminal() && !arguments_.quiet);
    auto saved = std::chrono::steady_clock::now();
    campaigns::CampaignWatch watch;
    watch.on_finding = [&](const Campaign& now) {
      status.clear();
      folder_.write_examples(now);
      folder_.write_state(now);
    };
    watch.on_tick = [&](const Campaign& now, std::uint64_t running) {
      status.update([&] { return reports::campaign_progress_text(now, running); });
      if (std::chrono::steady_clock::now() - saved < std::chrono::seconds(1)) return;
      saved = std::chrono::steady_clock::now();
      folder_.write_state(now);
    };
    try {
      campaigns::run_campaign(options_, *backend_, watch, stop_, campaign_);
    } catch (const std::bad_alloc&) {
      campaign_.harness_errors.emplace_back("ended early: not enough memory");
    } catch (const std::exception& error) {
      campaign_.harness_errors.push_back(std::string("ended early: ") + error.what());
    }
    status.clear();
  }

  /// What the list of expected failures makes of the findings.
  void settle_expected() {
    if (!expected_failures_) return;
    for (const auto& [key, finding] : campaign_.findings.list())
      if (auto reason = expected_failures_->reason_of(key.case_id()))
        campaign_.expected.emplace(key, *std::move(reason));
    if (campaign_.interrupted || !campaign_.harness_errors.empty()) return;
    stale_ = expected_failures_->stale_of_campaign(untested());
  }
  /// What begins the ids of findings that cannot be there.
  [[nodiscard]] std::vector<std::string> untested() const {
    const std::vector<std::size_t> tested = campaigns::CaseSource(options_.source).operators();
    std::vector<std::string> beginnings;
    for (std::size_t op = 0; op < all_operators().size(); ++op)
      if (std::find(tested.begin(), tested.end(), op) == tested.end())
        beginnings.push_back(std::string(running::kFound) + std::string(all_operators()[op].name) +
                             "-");
    return beginnings;
  }
  /// How many cases fit into a limit of time is left to the machine. What is missing in few of them
  /// is told, and is no error.
  [[nodiscard]] bool may_have_missed() const {
    const std::uint64_t enough = arguments_.cases > 0 ? arguments_.cases : kStandardCases;
    return arguments_.time && campaign_.done.count() < enough;
  }

  void write_files() {
    if (folder_.failed()) folder_.write_examples(campaign_);  // there may be room again
    folder_.write_state(campaign_);
    if (!arguments_.json_file.empty())
      raise_to(exit_code_, write_or_complain(arguments_.json_file, json_text(result_json())));
    if (!arguments_.coverage_file.empty())
      raise_to(exit_code_, write_coverage(arguments_.coverage_file, campaign_.coverage));
  }

  void print_result() {
    if (campaign_.findings.list().size() > campaign_.expected.size())
      raise_to(exit_code_, kNonconformance);
    if (arguments_.json_file != "-")
      print(reports::promises_text(promises_json({&backend_, 1}), arguments_.quiet));
    if (arguments_.json_file != "-")
      print(arguments_.quiet ? reports::campaign_summary_text(campaign_, reports::Style(stdout))
                             : reports::campaign_text(campaign_, backend_->name(), arguments_.seed,
                                                      place(), reports::Style(stdout)));
    for (const std::string& message : stale_) complain(message);
    if (!stale_.empty() && !may_have_missed()) raise_to(exit_code_, kNonconformance);
    for (const std::string& message : campaign_.harness_errors) complain(message);
    if (!campaign_.harness_errors.empty() || folder_.failed()) raise_to(exit_code_, kHarnessFailed);
    if (!campaign_.interrupted) return;
    complain(std::string("interrupted: these are the findings so far") +
             (folder_.is_used()
                  ? "; --out " + shell_path(folder_.path()) + " --resume continues the campaign"
                  : ""));
    raise_to(exit_code_, kHarnessFailed);
  }

  [[nodiscard]] bool has_findings() const { return !campaign_.findings.list().empty(); }
  [[nodiscard]] campaigns::PlaceOf place() const {
    return [&](const FindingKey& key, std::size_t i) { return folder_.place_of(key, i); };
  }
  [[nodiscard]] base::Json result_json() const {
    base::Json json = campaigns::campaign_to_json(campaign_, options_, backend_->name(), place());
    if (!stale_.empty() && !may_have_missed()) json["stale_expectations"] = stale_;
    json["run"] = run_info();
    add_promises({&backend_, 1}, json);
    return json;
  }

  const FuzzArguments& arguments_;
  const std::unique_ptr<backends::Backend> backend_;
  const campaigns::CampaignOptions options_;
  const std::atomic<bool>& stop_ = stop_on_signals();
  CampaignFolder folder_;
  Campaign campaign_;
  std::optional<running::ExpectedFailures> expected_failures_;
  std::vector<std::string> stale_;  ///< lines of --expect that are due for removal
  int exit_code_ = kAllAsExpected;
};

void add_generated(CLI::App& fuzz, FuzzArguments& arguments) {
  add_operators(fuzz, arguments.operators, "Test only this operator");
  add_feature_level(fuzz, arguments.feature_level);
  fuzz.add_option("--sizes", arguments.sizes,
                  "Generate small tensors; small ones, with a tenth of the time for tensors up to "
                  "128 MiB (mixed, the default); large ones alone; or small ones beside tensors up "
                  "to 32 KiB and 1 MiB, which --strength counts as values of a factor (tiers)")
      ->type_name("small|mixed|large|tiers")
      ->check(CLI::IsMember(campaigns::kSizeProfileNames));
  add_number(fuzz, "--seed", arguments.seed, "Set the seed of the cases (default: 1)");
  add_number(fuzz, "--first", arguments.first, "Start with case number N (default: 0)");
  add_number(fuzz, "--cases", arguments.cases,
             "Run N cases (default: 1000000, unless --time or --strength is given)")
      .check([](const std::string& text) {
        return text.find_first_not_of('0') == std::string::npos ? "must be at least 1" : "";
      });
  add_seconds(fuzz, "--time", arguments.time, "Set the time limit of the campaign");
  fuzz.add_option(
          "--strength", arguments.strength,
          "Continue until every feasible combination of T factors has occurred, and count them")
      ->type_name("T")
      ->check(whole_number(1, generation::CombinationSpace::kMostStrength));
}

}  // namespace

void add_fuzz(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<FuzzArguments>();
  CLI::App* fuzz = app.add_subcommand(
      "fuzz", "Generate cases and compare an implementation with the reference on each of them");
  add_backend(*fuzz, arguments->backend,
              "Test this implementation: reference, optimized, faulty:NAME, plugin:PATH, "
              "process:COMMAND or adapter:NAME (default: optimized)");
  add_profile(*fuzz, arguments->profile);
  add_generated(*fuzz, *arguments);
  add_jobs(*fuzz, arguments->jobs, "Use N processes (default: 1)");
  add_seconds(*fuzz, "--timeout", arguments->timeout, "Set the time limit of a case (default: 10)");
  CLI::Option* isolate =
      fuzz->add_flag("--isolate", arguments->isolate,
                     "While reducing a case, run each check in a process of its own");
  fuzz->add_flag("--in-process", arguments->in_process,
                 "Run the cases in this process, for a debugger: a crash ends the campaign, and no "
                 "time limit holds")
      ->excludes(isolate);
  add_file(*fuzz, "--out", arguments->directory,
           "Write findings and the state of the campaign to this folder (default: a new folder "
           "opconform-fuzz, at the first finding)",
           kFolderType);
  fuzz->add_flag("--resume", arguments->resume, "Continue the campaign in the folder of --out");
  add_file(*fuzz, "--expect", arguments->expect_file,
           "Read known failures; each line holds a glob of findings, as fuzz/OPERATOR-mismatch, "
           "and a reason");
  add_file(*fuzz, "--json", arguments->json_file, "Write the result as JSON; - is standard output");
  add_coverage_file(*fuzz, arguments->coverage_file);
  add_quiet(*fuzz, arguments->quiet);
  fuzz->callback([arguments, &exit_code] {
    demand_distinct({arguments->json_file, arguments->coverage_file});
    exit_code = FuzzCommand(*arguments).execute();
  });
}

}  // namespace opconform::cli
