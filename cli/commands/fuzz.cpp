#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <sstream>

#include "cli/options.h"
#include "harness/base/bad_input.h"
#include "harness/base/text_file.h"
#include "harness/campaigns/state.h"
#include "harness/cases/case_writer.h"
#include "harness/relations/relations.h"
#include "reports/atomic_file.h"
#include "reports/campaign.h"

namespace opconform::tools {
namespace {

namespace fs = std::filesystem;
using harness::Campaign;
using harness::FindingKey;

constexpr std::uint64_t kStandardCases = 1'000'000;
constexpr std::string_view kStateFile = "campaign.json";
constexpr std::size_t kMostStateBytes = std::size_t{1} << 30;

struct FuzzArguments {
  std::string backend = "optimized";
  std::vector<std::string> operators;
  std::string feature_level;
  std::string directory;
  std::string json_file;
  std::string coverage_file;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t cases = 0;
  double seconds = 0;
  double timeout_seconds = 10;
  std::size_t strength = 0;
  unsigned jobs = 1;
  bool resume = false;
  bool isolate = false;
  bool quiet = false;
};

/// A new folder; where none can be made, the name that was tried last.
std::string make_new_directory(std::error_code& error) {
  const std::string name = "opconform-fuzz";
  std::string candidate = name;
  for (int i = 2; !fs::create_directory(candidate, error) && fs::exists(candidate); ++i)
    candidate = name + "-" + std::to_string(i);
  return candidate;
}

/// So that no two campaigns write into one folder. Ends with the process and its children.
void lock(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;  // what follows will tell
  // The children of a campaign that was killed are about to end.
  for (int tries = 0; ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++tries) {
    if (tries == 20) throw harness::BadInput(directory, "", "another campaign is at work there");
    ::usleep(100'000);
  }
}

/// The folder of a campaign: its state, and a case file for each example. That something cannot be
/// written is told once and does not end the campaign.
class Output {
 public:
  Output(const FuzzArguments& arguments, const harness::CampaignOptions& options,
         std::string backend)
      : arguments_(arguments),
        options_(options),
        backend_(std::move(backend)),
        directory_(arguments.directory) {}

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  [[nodiscard]] bool is_used() const { return !directory_.empty(); }
  [[nodiscard]] fs::path state_file() const { return fs::path(directory_) / kStateFile; }

  void make_directory() {
    std::error_code error;
    if (directory_.empty())
      directory_ = make_new_directory(error);
    else
      fs::create_directories(directory_, error);
    if (error) return tell(directory_ + ": cannot be made: " + error.message());
    lock(directory_);
    // What a campaign was writing when it was killed.
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error))
      if (entry.path().filename().string().find(".json.part") != std::string::npos)
        fs::remove(entry.path(), error);
  }

  void write_state(const Campaign& campaign) {
    if (!is_used()) return;
    const auto place = [&](const FindingKey& key, std::size_t i) { return place_of(key, i); };
    write(state_file(), json_text(campaign_to_json(campaign, options_, backend_, place)));
  }

  void write_examples(const Campaign& campaign) {
    if (!is_used()) make_directory();
    for (const auto& [key, finding] : campaign.findings.list()) {
      for (std::size_t i = 0; i < finding.examples.size(); ++i) {
        const std::string file = file_of(key, i);
        const std::string text = text_of(key, i, finding.examples[i]);
        const auto known = written_.find(file);
        if (known != written_.end() && known->second == text) continue;
        written_.erase(file);
        reproduced_[file] = finding.examples[i];
        if (write(file, text)) written_[file] = text;
      }
      // Examples that gave way to others of lower numbers, perhaps before this part of a campaign.
      std::error_code error;
      for (std::size_t i = finding.examples.size(); i < harness::Findings::kProbed; ++i)
        fs::remove(file_of(key, i), error);
    }
  }

  [[nodiscard]] harness::ExamplePlace place_of(const FindingKey& key, std::size_t i) const {
    const std::string file = file_of(key, i);
    const auto example = reproduced_.find(file);
    if (example == reproduced_.end()) return {};
    harness::ExamplePlace place{written_.contains(file) ? file : "", ""};
    place.repro = repro_environment();
    const bool hangs = key.verdict == harness::Verdict::kTimeout;
    const bool alone = harness::find_relation(key.rule) == nullptr &&
                       (hangs || example->second.reduction.reproduced);
    if (alone && !place.file.empty()) {
      place.repro += "opconform run " + shell_path(file) + " --backend " + shell_word(backend_);
      if (key.verdict == harness::Verdict::kCrash || hangs || arguments_.isolate)
        place.repro += " --isolate";
      if (hangs) place.repro += timeout();
    } else {
      place.repro += "opconform fuzz --backend " + shell_word(backend_) + " --seed " +
                     std::to_string(arguments_.seed) + " --first " +
                     std::to_string(example->second.again) + " --cases 1";
      for (const std::string& op : arguments_.operators) place.repro += " --operator " + op;
      if (!arguments_.feature_level.empty())
        place.repro += " --feature-level " + arguments_.feature_level;
      if (hangs) place.repro += timeout();
    }
    return place;
  }

  bool write(const std::string& file, const std::string& text) {
    try {
      reports::write_file(file, text);
      return true;
    } catch (const reports::WriteError& error) {
      tell(error.what());
      return false;
    }
  }

 private:
  [[nodiscard]] std::string timeout() const {
    std::ostringstream text;
    text << " --timeout " << arguments_.timeout_seconds;
    return text.str();
  }
  [[nodiscard]] std::string file_of(const FindingKey& key, std::size_t i) const {
    return (fs::path(directory_) /
            (key.name() + (i == 0 ? "" : "-" + std::to_string(i + 1)) + ".json"))
        .string();
  }
  [[nodiscard]] std::string text_of(const FindingKey& key, std::size_t i,
                                    const harness::Example& example) const {
    harness::Case written = example.reduction.smallest;
    written.id = "fuzz/" + key.name() + (i == 0 ? "" : "-" + std::to_string(i + 1));
    written.says = "Found on " + backend_ + " by opconform fuzz --seed " +
                   std::to_string(arguments_.seed) + ", case " + std::to_string(example.number) +
                   ": " + std::string(name(key.verdict)) + ". " + example.reduction.result.message;
    return harness::pretty(harness::cases_to_json({&written, 1}, ""));
  }
  void tell(const std::string& message) {
    if (!failed_) complain(message);
    failed_ = true;
  }

  const FuzzArguments& arguments_;
  const harness::CampaignOptions& options_;
  std::string backend_;
  std::string directory_;
  std::map<std::string, std::string> written_;          // by file
  std::map<std::string, harness::Example> reproduced_;  // by file, written or not
  bool failed_ = false;
};

harness::CampaignOptions options_of(const FuzzArguments& arguments) {
  harness::CampaignOptions options;
  options.source.seed = arguments.seed;
  options.source.at_most = feature_level_of(arguments.feature_level);
  for (const std::string& name : arguments.operators) {
    const std::optional<Operator> op = make_operator(name);
    if (!op) throw CLI::ValidationError("--operator", "no such operator: " + name);
    options.source.operators.push_back(op->index());
  }
  std::vector<std::size_t>& operators = options.source.operators;
  std::sort(operators.begin(), operators.end());
  operators.erase(std::unique(operators.begin(), operators.end()), operators.end());

  const bool has_limit = arguments.cases > 0 || arguments.seconds > 0;
  options.strength = arguments.strength;
  options.until_covered = arguments.strength > 0 && !has_limit;
  options.cases.first = arguments.first;
  const std::uint64_t cases = arguments.cases > 0                   ? arguments.cases
                              : has_limit || arguments.strength > 0 ? std::uint64_t{1} << 62
                                                                    : kStandardCases;
  if (arguments.first > std::uint64_t{1} << 62)
    throw CLI::ValidationError("--first", "must be at most 2^62");
  options.cases.last = arguments.first + std::min(cases, std::uint64_t{1} << 62);
  if (arguments.seconds > 0) options.time = milliseconds(arguments.seconds);
  options.coverage = !arguments.coverage_file.empty();
  options.run.jobs = arguments.jobs;
  options.run.isolate = arguments.isolate;
  options.run.timeout = milliseconds(arguments.timeout_seconds);
  (void)harness::CaseSource(options.source);  // says now whether anything is left to generate
  return options;
}

int fuzz_command(const FuzzArguments& arguments) {
  demand_distinct({arguments.json_file, arguments.coverage_file});
  const std::unique_ptr<harness::Backend> backend = backend_of(arguments.backend);
  const harness::CampaignOptions options = options_of(arguments);
  const std::atomic<bool>& stop = stop_on_signals();
  Output output(arguments, options, backend->name());
  Campaign campaign;
  if (output.is_used()) {
    const std::string state = output.state_file().string();
    std::error_code error;
    const bool exists = fs::exists(state, error);
    const auto read = [&] {
      return harness::campaign_from_json(harness::read_text_file(state, kMostStateBytes), state,
                                         options, backend->name());
    };
    if (arguments.resume)
      read();  // before anything is made
    else if (exists)
      throw harness::BadInput(state, "",
                              "is there already: add --resume to go on with that campaign, or name "
                              "another folder");
    output.make_directory();
    if (arguments.resume) campaign = read();  // as it is now that nobody else writes it
    if (!output.failed()) output.write_state(campaign);
    if (output.failed()) return kHarnessFailed;
    if (!campaign.findings.list().empty()) output.write_examples(campaign);
  } else if (arguments.resume) {
    throw CLI::ValidationError("--resume", "needs the folder of the campaign: --out DIR");
  }

  const auto place = [&](const FindingKey& key, std::size_t i) { return output.place_of(key, i); };
  const auto result_json = [&] {
    harness::Json json = campaign_to_json(campaign, options, backend->name(), place);
    json["run"] = run_info();
    return json;
  };
  write_interrupted(arguments.json_file, result_json());

  const reports::Style out_style(stdout);
  reports::StatusLine status(reports::Style(stderr).is_terminal() && !arguments.quiet);
  auto saved = std::chrono::steady_clock::now();
  harness::CampaignWatch watch;
  watch.on_finding = [&](const Campaign& now) {
    status.clear();
    output.write_examples(now);
    output.write_state(now);
  };
  watch.on_tick = [&](const Campaign& now, std::uint64_t running) {
    status.update([&] { return reports::campaign_progress_text(now, running); });
    if (std::chrono::steady_clock::now() - saved < std::chrono::seconds(1)) return;
    saved = std::chrono::steady_clock::now();
    output.write_state(now);
  };
  try {
    harness::run_campaign(options, *backend, watch, stop, campaign);
  } catch (const std::bad_alloc&) {
    campaign.harness_errors.emplace_back("ended early: not enough memory");
  } catch (const std::exception& error) {
    campaign.harness_errors.push_back(std::string("ended early: ") + error.what());
  }
  status.clear();
  if (output.failed()) output.write_examples(campaign);  // there may be room again
  output.write_state(campaign);

  int exit_code = kAllAsExpected;
  const auto raise = [&](ExitCode code) { exit_code = std::max<int>(exit_code, code); };
  if (!arguments.json_file.empty())
    raise(write_or_complain(arguments.json_file, json_text(result_json())));
  if (!arguments.coverage_file.empty())
    raise(write_coverage(arguments.coverage_file, campaign.coverage));
  if (!campaign.findings.list().empty()) raise(kNonconformance);
  if (arguments.json_file != "-")
    print(reports::campaign_text(campaign, backend->name(), arguments.seed, place, out_style));
  for (const std::string& message : campaign.harness_errors) complain(message);
  if (!campaign.harness_errors.empty() || output.failed()) raise(kHarnessFailed);
  if (campaign.interrupted) {
    complain(std::string("interrupted: this is what was found so far") +
             (output.is_used()
                  ? "; --out " + shell_path(output.directory()) + " --resume goes on with it"
                  : ""));
    raise(kHarnessFailed);
  }
  return exit_code;
}

}  // namespace

void add_fuzz(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<FuzzArguments>();
  CLI::App* fuzz = app.add_subcommand(
      "fuzz", "Generate cases and compare an implementation with the reference on each");
  fuzz->add_option("--backend", arguments->backend,
                   "Implementation to test (reference, optimized, faulty:NAME; default: optimized)")
      ->type_name("B");
  fuzz->add_option("--operator", arguments->operators, "Only this operator, repeatable")
      ->type_name("OP")
      ->allow_extra_args(false);
  fuzz->add_option("--feature-level", arguments->feature_level,
                   "Leave out DirectML cases of higher feature levels")
      ->type_name("L");
  add_number(*fuzz, "--seed", arguments->seed, "Of the cases (default 1)", "N");
  add_number(*fuzz, "--first", arguments->first, "Number of the first case (default 0)", "N");
  add_number(*fuzz, "--cases", arguments->cases,
             "How many cases (default 1000000, without --time and --strength)", "N")
      .check([](const std::string& text) {
        return text.find_first_not_of('0') == std::string::npos ? "must be at least 1" : "";
      });
  add_seconds(*fuzz, "--time", arguments->seconds, "How long at most");
  fuzz->add_option("--strength", arguments->strength,
                   "Go on until every feasible combination of so many factors has occurred, and "
                   "count them")
      ->type_name("T")
      ->check(CLI::Range(std::size_t{1}, harness::CombinationSpace::kMostStrength));
  fuzz->add_option("--jobs,-j", arguments->jobs, "Processes at once (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U));
  add_seconds(*fuzz, "--timeout", arguments->timeout_seconds, "Time for one case (default 10)");
  fuzz->add_flag("--isolate", arguments->isolate, "Shrink with each check in a process of its own");
  add_file(*fuzz, "--out", arguments->directory,
           "Folder for the findings and the state of the campaign (default: a new opconform-fuzz, "
           "once there is a finding)");
  fuzz->add_flag("--resume", arguments->resume, "Go on with the campaign in that folder");
  add_file(*fuzz, "--json", arguments->json_file, "Write the result; - is standard output");
  add_file(*fuzz, "--coverage", arguments->coverage_file,
           "Write what the cases cover, for opconform coverage")
      .check([](const std::string& text) {
        return text == "-" ? "standard output is for the result" : "";
      });
  fuzz->add_flag("--quiet,-q", arguments->quiet, "No progress");
  fuzz->callback([arguments, &exit_code] { exit_code = fuzz_command(*arguments); });
}

}  // namespace opconform::tools
