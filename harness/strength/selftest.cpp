#include "harness/strength/selftest.h"

#include <algorithm>
#include <map>

#include "harness/base/shared_memory.h"
#include "harness/base/text.h"
#include "harness/campaigns/case_source.h"
#include "harness/diagnosis/groups.h"
#include "harness/running/differential.h"
#include "harness/running/isolation.h"
#include "harness/running/result_json.h"

namespace opconform::strength {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t size_bytes(const cases::Case& one) {
  std::uint64_t all = 0;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    all += buffer_size_bytes(tensor.desc, one.version.dialect());
  });
  return all;
}

/// A case with more bytes takes as long as hundreds of others.
constexpr std::uint64_t kManyBytes = 32 << 10;

/// So many cases of an operator catch a bug: those with many bytes have nothing to add.
constexpr std::uint64_t kEnoughOfManyBytes = 8;

/// The cases that are about one of those operators, those with many bytes last, the smallest first.
std::vector<const cases::Case*> cases_about(const Suspect& suspect,
                                            std::span<const cases::Case> cases) {
  std::vector<std::pair<std::uint64_t, const cases::Case*>> about;
  for (const cases::Case& one : cases)
    if (std::find(suspect.operators.begin(), suspect.operators.end(), one.op.index()) !=
        suspect.operators.end())
      about.emplace_back(std::max(size_bytes(one), kManyBytes), &one);
  std::stable_sort(about.begin(), about.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const cases::Case*> sorted;
  sorted.reserve(about.size());
  for (const auto& [bytes, one] : about) sorted.push_back(one);
  return sorted;
}

/// Which cases of a suspect are run, asked in their order.
class Wanted {
 public:
  Wanted(const Suspect& suspect, const SelftestOptions& options)
      : enough_(suspect.until_caught ? 1 : options.enough.value_or(UINT64_MAX)) {}
  [[nodiscard]] bool wants(const cases::Case& one) const {
    const auto caught = caught_.find(one.op.index());
    if (caught == caught_.end()) return true;
    return caught->second < enough_ &&
           (caught->second < kEnoughOfManyBytes || size_bytes(one) <= kManyBytes);
  }
  void caught_by(const cases::Case& one) { ++caught_[one.op.index()]; }

 private:
  std::uint64_t enough_;
  std::map<std::size_t, std::uint64_t> caught_;  // cases, by operator
};

void count(const cases::Case& one, bool is_caught, Stage& stage) {
  ++stage.cases;
  if (!is_caught) return;
  if (!stage.caught_after) stage.caught_after = stage.cases;
  stage.caught_by.push_back(one.id);
}

std::string message_of(const judging::CaseResult& result) {
  return std::string(judging::name(result.verdict)) + ": " + result.message;
}

/// Generated cases, as a campaign makes them, until one is no pass, as JSON. Where nothing has
/// caught the suspect so far, they go on for some time. `goes_on` is asked before each.
std::string fuzz(const Suspect& suspect, const SelftestOptions& options, backends::Backend& backend,
                 bool is_caught, const std::function<bool()>& goes_on) {
  campaigns::SourceOptions source_options;
  source_options.seed = options.seed;
  source_options.operators = suspect.operators;
  const campaigns::CaseSource source(source_options);
  running::Differential differential(backend);
  const bool takes_time = suspect.is_bug && !is_caught;
  const Clock::time_point end = Clock::now() + options.fuzz_time;
  campaigns::SourcedCase made;
  base::Json json;
  std::uint64_t number = 0;
  for (bool is_over = false; !is_over && goes_on();) {
    if (number >= options.fuzz_cases && !(takes_time && Clock::now() < end)) break;
    source.make(number++, made);
    const bool is_broken = made.kind == campaigns::CaseKind::kBroken;
    const bool agrees = is_broken ? differential.rejects(made.generated, made.rule)
                                  : differential.agrees_on_valid(made.generated);
    if (agrees) continue;
    const judging::CaseResult verdict =
        is_broken ? differential.judge_broken(made.rule) : differential.judge_valid(made.generated);
    if (!judging::is_nonconformance(verdict.verdict)) continue;
    json["message"] = message_of(verdict);
    json["caught_by"] =
        "seed " + std::to_string(options.seed) + ", case " + std::to_string(number - 1);
    is_over = true;
  }
  json["cases"] = number;
  return json.dump(-1, ' ', false, base::Json::error_handler_t::replace);
}

/// The suspects in worker processes. A number is a case on a suspect: of each, all cases about it,
/// then one number for all generated cases. A worker says nothing of a case that passes, of another
/// its outcome as JSON.
class SelftestRun {
 public:
  SelftestRun(std::span<const Suspect> suspects, std::span<const cases::Case> cases,
              const SelftestOptions& options, const std::function<void()>& on_suspect,
              const std::atomic<bool>& stop)
      : suspects_(suspects),
        options_(options),
        on_suspect_(on_suspect),
        stop_(stop),
        words_(suspects.size()),
        is_caught_(suspects.size()) {
    selftest_.results.resize(suspects.size());
    for (const Suspect& suspect : suspects) {
      cases_.push_back(cases_about(suspect, cases));
      first_.push_back(first_.back() + cases_.back().size() + 1);
    }
  }

  Selftest run() && {
    const running::RangeList ranges{suspects_.size(),
                                    [&](std::uint64_t place) {
                                      return running::NumberRange{first_[place], first_[place + 1]};
                                    },
                                    0};
    const running::RangeWork work = [&](running::NumberRange range,
                                        running::WorkerChannel& channel) {
      examine(range, channel);
      return std::string();
    };
    running::WorkerEvents events;
    events.on_word = [&](std::size_t, std::uint64_t number, std::string_view word,
                         std::string_view /*printed*/) {
      words_[suspect_of(number)][number] = word;
    };
    events.on_done = [&](std::size_t, running::NumberRange done, std::string_view) {
      finish_if_last(done.last - 1);
    };
    events.on_death = [&](std::size_t, running::NumberRange, std::uint64_t number,
                          const running::WorkerDeath& death) {
      take(number, death);
      return false;
    };
    events.on_tick = [&](std::uint64_t) { return !stop_; };
    running::WorkerOptions workers = running::worker_options(run_options());
    workers.workers = options_.jobs;
    running::run_in_workers(workers, ranges, work, events);
    std::sort(selftest_.bad_input.begin(), selftest_.bad_input.end());
    selftest_.interrupted = stop_;
    return std::move(selftest_);
  }

 private:
  [[nodiscard]] running::RunOptions run_options() const {
    running::RunOptions run;
    run.check = options_.check;
    return run;
  }
  [[nodiscard]] std::size_t suspect_of(std::uint64_t number) const {
    return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), number) -
                                    first_.begin() - 1);
  }

  /// In a worker.
  void examine(running::NumberRange range, running::WorkerChannel& channel) const {
    const std::size_t place = suspect_of(range.first);
    const Suspect& suspect = suspects_[place];
    const std::unique_ptr<backends::Backend> backend = suspect.make();
    const std::uint64_t last = first_[place + 1] - 1;
    Wanted wanted(suspect, options_);
    for (std::uint64_t n = range.first; n < std::min(range.last, last); ++n) {
      if (channel.is_stopped()) return;
      const cases::Case& one = *cases_[place][n - first_[place]];
      if (!wanted.wants(one)) continue;
      channel.begin(n);
      const running::JobOutcome outcome =
          running::run_here({0, &one, backend.get()}, options_.check, explainer_);
      if (outcome.result && outcome.result->verdict == judging::Verdict::kPass) continue;
      if (outcome.result && judging::is_nonconformance(outcome.result->verdict)) {
        is_caught_[place] = true;
        wanted.caught_by(one);
      }
      channel.say(outcome_text(outcome));
    }
    if (range.last <= last || channel.is_stopped()) return;
    channel.begin(last);
    const auto goes_on = [&] {
      channel.begin(last);
      return !channel.is_stopped();
    };
    channel.say(fuzz(suspect, options_, *backend, is_caught_[place], goes_on));
  }

  static std::string outcome_text(const running::JobOutcome& outcome) {
    return running::outcome_to_json(outcome).dump(-1, ' ', false,
                                                  base::Json::error_handler_t::replace);
  }

  /// What a worker dies of has caught the suspect.
  void take(std::uint64_t number, const running::WorkerDeath& death) {
    if (death.cause == running::WorkerDeath::Cause::kStopped) return;
    const std::size_t place = suspect_of(number);
    is_caught_[place] = true;
    const std::uint64_t i = number - first_[place];
    const judging::CaseResult result = running::result_of(
        death, i < cases_[place].size() ? cases_[place][i]->id : "", suspects_[place].name);
    words_[place][number] = i < cases_[place].size()
                                ? outcome_text({result, ""})
                                : base::Json{{"cases", 1},  // at least: which it was is not known
                                             {"message", message_of(result)},
                                             {"caught_by", "seed " + std::to_string(options_.seed)}}
                                      .dump();
    finish_if_last(number);
  }

  void finish_if_last(std::uint64_t number) {
    const std::size_t place = suspect_of(number);
    if (number + 1 < first_[place + 1]) return;
    finish(place);
    words_[place].clear();
    if (on_suspect_) on_suspect_();
  }

  void finish(std::size_t place) {
    SuspectResult& result = selftest_.results[place];
    std::vector<judging::CaseResult> verdicts;
    verdicts.reserve(cases_[place].size());  // addresses stay
    std::vector<diagnosis::Judged> judged;
    Wanted wanted(suspects_[place], options_);
    for (std::size_t i = 0; i < cases_[place].size(); ++i) {
      const cases::Case& one = *cases_[place][i];
      if (!wanted.wants(one)) continue;
      running::JobOutcome outcome = outcome_of(place, i);
      if (!outcome.result) {
        add_bad_input(outcome.bad_input);
        continue;
      }
      verdicts.push_back(*std::move(outcome.result));
      judged.push_back({&one, &verdicts.back()});
      const bool is_caught = judging::is_nonconformance(verdicts.back().verdict);
      if (is_caught && !result.is_caught()) result.first_message = message_of(verdicts.back());
      if (is_caught) wanted.caught_by(one);
      if (one.is_documented()) count(one, is_caught, result.documents);
      count(one, is_caught, result.suite);
    }
    for (const diagnosis::Group& group : diagnosis::group(judged))
      result.diagnosed.push_back({group.rule, group.says, group.members.size(), group.contradicted,
                                  !group.explanation.empty()});
    take_fuzz(place, result);
    result.is_complete = !stop_;
  }

  /// What a worker said of the case; a pass where it said nothing.
  [[nodiscard]] running::JobOutcome outcome_of(std::size_t place, std::size_t i) const {
    judging::CaseResult result;
    result.case_id = cases_[place][i]->id;
    result.backend = suspects_[place].name;
    result.verdict = judging::Verdict::kPass;
    const auto word = words_[place].find(first_[place] + i);
    if (word == words_[place].end()) return {std::move(result), ""};
    if (auto outcome = running::outcome_from_json(word->second)) {
      if (outcome->result) outcome->result->backend = suspects_[place].name;
      return *std::move(outcome);
    }
    result.verdict = judging::Verdict::kCrash;
    return {std::move(result), ""};
  }

  void add_bad_input(const std::string& message) {
    // A case that cannot be run cannot be run on any suspect: one message is enough.
    std::vector<std::string>& all = selftest_.bad_input;
    if (std::find(all.begin(), all.end(), message) == all.end()) all.push_back(message);
  }

  void take_fuzz(std::size_t place, SuspectResult& result) const {
    const auto word = words_[place].find(first_[place + 1] - 1);
    if (word == words_[place].end()) return;
    const base::Json json = base::Json::parse(word->second, nullptr, false);
    if (!json.is_object()) return;
    result.fuzz.cases = json.value("cases", std::uint64_t{0});
    if (!json.contains("caught_by")) return;
    if (!result.is_caught()) result.first_message = json.value("message", "");
    result.fuzz.caught_after = result.fuzz.cases;
    result.fuzz.caught_by = {json.value("caught_by", "")};
  }

  std::span<const Suspect> suspects_;
  const SelftestOptions& options_;
  const std::function<void()>& on_suspect_;
  const std::atomic<bool>& stop_;
  std::vector<std::vector<const cases::Case*>> cases_;  // by suspect
  std::vector<std::uint64_t> first_{0};                 // number of each suspect, and their end
  std::vector<std::map<std::uint64_t, std::string>> words_;  // by suspect, of its numbers
  mutable diagnosis::Explainer explainer_;                   // a worker has its own
  const base::SharedMemory<std::atomic<bool>> is_caught_;    // by suspect, as workers know it
  Selftest selftest_;
};

base::Json stage_json(const Stage& stage) {
  base::Json json = {
      {"cases", stage.cases}, {"caught_after", nullptr}, {"caught_by", stage.caught_by}};
  if (stage.caught_after) json["caught_after"] = *stage.caught_after;
  return json;
}

}  // namespace

Naming naming_of(const Suspect& suspect, const SuspectResult& result) {
  if (result.diagnosed.empty() || result.diagnosed.front().rule.empty()) return Naming::kNone;
  const std::string& rule = result.diagnosed.front().rule;
  const bool is_right =
      std::find(suspect.rules.begin(), suspect.rules.end(), rule) != suspect.rules.end();
  return is_right ? Naming::kRight : Naming::kWrong;
}

bool is_as_it_should(const Suspect& suspect, const SuspectResult& result) {
  return suspect.is_bug == result.is_caught();
}

Selftest run_selftest(std::span<const Suspect> suspects, std::span<const cases::Case> cases,
                      const SelftestOptions& options, const std::function<void()>& on_suspect,
                      const std::atomic<bool>& stop) {
  return SelftestRun(suspects, cases, options, on_suspect, stop).run();
}

base::Json selftest_to_json(std::span<const Suspect> suspects, const Selftest& selftest,
                            const SelftestOptions& options) {
  base::Json json = {{"kind", "selftest"},
                     {"version", 1},
                     {"seed", options.seed},
                     {"suspects", base::Json::array()}};
  if (options.enough) json["enough"] = *options.enough;
  const std::vector<OperatorText> operators = all_operators();
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    const Suspect& suspect = suspects[i];
    const SuspectResult& result = selftest.results[i];
    if (!result.is_complete) continue;
    base::Json names = base::Json::array();
    for (const std::size_t place : suspect.operators) names.push_back(operators[place].name);
    base::Json diagnosed = base::Json::array();
    for (const Diagnosed& one : result.diagnosed)
      diagnosed.push_back({{"rule", one.rule},
                           {"says", one.says},
                           {"failures", one.failures},
                           {"contradicted", one.contradicted},
                           {"explained", one.is_explained}});
    json["suspects"].push_back({{"name", suspect.name},
                                {"kind", suspect.is_bug ? "bug" : "permitted"},
                                {"says", suspect.says},
                                {"operators", names},
                                {"rules", suspect.rules},
                                {"diagnosed", std::move(diagnosed)},
                                {"as_it_should", is_as_it_should(suspect, result)},
                                {"message", base::printable(result.first_message)},
                                {"documents", stage_json(result.documents)},
                                {"suite", stage_json(result.suite)},
                                {"fuzz", stage_json(result.fuzz)}});
  }
  json["bad_input"] = selftest.bad_input;
  json["interrupted"] = selftest.interrupted;
  return json;
}

}  // namespace opconform::strength
