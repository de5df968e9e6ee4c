#include "harness/campaigns/campaign.h"

#include <algorithm>
#include <bit>
#include <thread>

#include "harness/base/text.h"
#include "harness/campaigns/finding_diagnosis.h"
#include "harness/campaigns/workers.h"
#include "harness/coverage/coverage.h"
#include "harness/judging/many_plans.h"
#include "harness/relations/relations.h"
#include "harness/running/differential.h"

namespace opconform::campaigns {

void CaseRanges::add(CaseRange range) {
  if (range.first >= range.last) return;
  auto at =
      std::lower_bound(ranges_.begin(), ranges_.end(), range,
                       [](const CaseRange& a, const CaseRange& b) { return a.last < b.first; });
  while (at != ranges_.end() && at->first <= range.last) {
    range.first = std::min(range.first, at->first);
    range.last = std::max(range.last, at->last);
    at = ranges_.erase(at);
  }
  ranges_.insert(at, range);
}

std::vector<CaseRange> CaseRanges::gaps(CaseRange all) const {
  std::vector<CaseRange> gaps;
  for (const CaseRange& range : ranges_) {
    if (range.last <= all.first) continue;
    if (range.first >= all.last) break;
    if (range.first > all.first) gaps.push_back({all.first, range.first});
    all.first = range.last;
  }
  if (all.first < all.last) gaps.push_back(all);
  return gaps;
}

std::uint64_t CaseRanges::count() const {
  std::uint64_t count = 0;
  for (const CaseRange& range : ranges_) count += range.last - range.first;
  return count;
}

Tally& Tally::operator+=(const Tally& other) {
  valid += other.valid;
  broken += other.broken;
  relations += other.relations;
  freedom += other.freedom;
  unsupported += other.unsupported;
  failed += other.failed;
  bytes += other.bytes;
  return *this;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Runs `work(i)` for each operator, side by side: none of it forks.
template <class Work>
void for_each_in_threads(const std::vector<std::size_t>& operators, Work&& work) {
  std::vector<std::jthread> threads;
  threads.reserve(operators.size());
  for (const std::size_t op : operators) threads.emplace_back([&work, op] { work(op); });
}

class CampaignRun {
 public:
  CampaignRun(const CampaignOptions& options, backends::Backend& backend,
              const CampaignWatch& watch, const std::atomic<bool>& stop, Campaign& campaign)
      : options_(options),
        backend_(backend),
        watch_(watch),
        stop_(stop),
        campaign_(campaign),
        source_(options.source),
        seconds_before_(campaign.seconds) {}

  void all() {
    constexpr std::size_t kCoverageStrength = 3;
    if (options_.coverage) counters_.resize(coverage::Coverage::counter_count());
    if (options_.strength > 0) {
      start_combinations(options_.strength);
      run_with_combinations();
    } else {
      if (options_.coverage) start_combinations(kCoverageStrength);
      mark_done(options_.cases);
      complete_ = run_cases(options_.cases);
    }
    if (options_.coverage) collect_coverage();
    campaign_.seconds = seconds();
    auto diagnoses = diagnose(campaign_, options_, source_, backend_, stop_);
    campaign_.interrupted = stop_ && (!complete_ || !diagnoses);
    if (diagnoses) campaign_.diagnoses = *std::move(diagnoses);
  }

 private:
  [[nodiscard]] double seconds() const {
    return seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
  }
  [[nodiscard]] bool is_over() const {
    return stop_ || (options_.time && Clock::now() - start_ >= *options_.time);
  }

  /// Runs what of the range is not done yet. True if nothing is left.
  bool run_cases(CaseRange range) {
    const std::vector<CaseRange> gaps = campaign_.done.gaps(range);
    if (gaps.empty()) return true;
    if (is_over()) return false;
    CampaignEvents events;
    events.on_failure = [&](const FindingKey& key, std::uint64_t number) {
      const auto shrink = [&](std::uint64_t n) {
        return shrink_case(options_, source_, backend_, key.verdict, n, stop_);
      };
      if (campaign_.findings.probe(key, number, shrink) && watch_.on_finding)
        watch_.on_finding(campaign_);
    };
    events.on_done = [&](CaseRange done, const Tallies& tallies,
                         const judging::ChoiceCounts& choices,
                         std::span<const CampaignEvents::Failed> failed) {
      // Its cases are done when the examples among them are: else nobody would shrink them again.
      const auto is_interrupted = [&](const CampaignEvents::Failed& one) {
        return campaign_.findings.is_interrupted(one.key, one.number);
      };
      if (std::any_of(failed.begin(), failed.end(), is_interrupted)) return;
      campaign_.done.add(done);
      for (std::size_t i = 0; i < tallies.size(); ++i) campaign_.tallies[i] += tallies[i];
      for (std::size_t i = 0; i < choices.size(); ++i) campaign_.choices[i] += choices[i];
      for (const CampaignEvents::Failed& one : failed) campaign_.findings.add(one.key, one.number);
    };
    events.on_error = [&](std::uint64_t number, const std::string& message) {
      campaign_.harness_errors.push_back("case " + std::to_string(number) + ": " + message);
    };
    events.on_tick = [&](std::uint64_t running) {
      campaign_.seconds = seconds();
      if (watch_.on_tick) watch_.on_tick(campaign_, running);
      return !is_over();
    };
    run_workers(options_, source_, backend_, gaps, {bits_, counters_}, events);
    return campaign_.done.gaps(range).empty();
  }

  /// Cases by chance until few combinations are missing, then one for each of them, then by chance
  /// again. Where one part ends and the next begins depends on the combinations alone, so that a
  /// campaign that was interrupted goes the same way.
  void run_with_combinations() {
    std::uint64_t largest = 0;
    for (const generation::CombinationSpace& space : bits_.spaces)
      largest = std::max(largest, space.bit_count());
    std::uint64_t end = options_.cases.first;
    std::uint64_t round = std::max<std::uint64_t>(largest / 8, 4096);
    std::vector<CaseSource::Wanted> missing;
    while (true) {
      if (!run_part(end, round)) return finish_combinations();
      missing = missing_combinations();
      if (missing.size() <= (end - options_.cases.first) / 4) break;
      round *= 2;
    }
    const std::uint64_t count = missing.size();
    source_.want(end, std::move(missing));
    const bool covered = run_part(end, count);
    finish_combinations();
    if (!covered) return;
    complete_ = options_.until_covered || run_cases({end, options_.cases.last});
  }

  /// The `count` cases from `end` on, which moves behind them. False where that is the end of the
  /// campaign.
  bool run_part(std::uint64_t& end, std::uint64_t count) {
    const CaseRange part{end, std::min(end + count, options_.cases.last)};
    mark_done(part);
    const bool done = run_cases(part);
    end = part.last;
    complete_ = done && end == options_.cases.last;
    return done && !complete_ && !is_over();
  }

  void start_combinations(std::size_t strength) {
    for (const generation::FactorModel& model : source_.models()) {
      bits_.spaces.emplace_back(model, std::min(strength, model.factors().size()));
      bits_.words.emplace_back(bits_.spaces.back().word_count());
    }
  }

  void collect_coverage() {
    campaign_.coverage.counters = counters_;
    // Where tiers are a factor, combinations are others than those that coverage counts.
    if (options_.source.sizes == SizeProfile::kTiers) return;
    for (const std::size_t op : source_.operators())
      campaign_.coverage.combinations[{std::string(all_operators()[op].name),
                                       static_cast<unsigned>(bits_.spaces[op].strength())}] =
          bits_.words[op];
  }

  /// What an earlier part of a resumed campaign has reached.
  void mark_done(CaseRange part) {
    if (bits_.spaces.empty()) return;
    for (const CaseRange& done : campaign_.done.list())
      for (std::uint64_t n = std::max(done.first, part.first); n < std::min(done.last, part.last);
           ++n)
        if (n % 1024 == 0 && is_over()) {
          return;  // a state may claim any number of cases
        } else if (const auto made = source_.assignment(n)) {
          bits_.spaces[made->operator_index].mark(made->combination,
                                                  bits_.words[made->operator_index]);
        }
  }

  [[nodiscard]] std::vector<CaseSource::Wanted> missing_combinations() const {
    std::vector<std::vector<CaseSource::Wanted>> missing(bits_.spaces.size());
    for_each_in_threads(source_.operators(), [&](std::size_t op) {
      bits_.spaces[op].for_each_missing(bits_.words[op],
                                        [&](const generation::Assignment& combination) {
                                          missing[op].push_back({op, combination});
                                        });
    });
    std::vector<CaseSource::Wanted> all;
    for (const auto& part : missing) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  /// Counts, from the strength asked for downwards.
  void finish_combinations() {
    std::vector<std::vector<CombinationResult>> results(bits_.spaces.size());
    for_each_in_threads(source_.operators(), [&](std::size_t op) {
      generation::CombinationSpace space = bits_.spaces[op];
      std::vector<std::uint64_t> words = bits_.words[op];
      while (true) {
        results[op].push_back({op, space.strength(), space.count(words)});
        if (space.strength() == 2 || space.strength() == 1) break;
        generation::CombinationSpace smaller(space.model(), space.strength() - 1);
        std::vector<std::uint64_t> smaller_words(smaller.word_count());
        space.project(words, smaller, smaller_words);
        space = smaller;
        words = std::move(smaller_words);
      }
    });
    campaign_.combinations.clear();
    for (auto& part : results)
      campaign_.combinations.insert(campaign_.combinations.end(), part.begin(), part.end());
  }

  const CampaignOptions& options_;
  backends::Backend& backend_;
  const CampaignWatch& watch_;
  const std::atomic<bool>& stop_;
  Campaign& campaign_;
  CaseSource source_;
  CombinationBits bits_;                 // empty where no combinations are counted
  std::vector<std::uint64_t> counters_;  // of coverage, likewise
  bool complete_ = false;                // nothing is left to run
  double seconds_before_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

void run_campaign(const CampaignOptions& options, backends::Backend& backend,
                  const CampaignWatch& watch, const std::atomic<bool>& stop, Campaign& campaign) {
  CampaignRun(options, backend, watch, stop, campaign).all();
}

cases::Case campaign_case(const CaseSource& source, std::uint64_t number) {
  SourcedCase made;
  source.make(number, made);
  const std::string id = "fuzz/" + std::to_string(number);
  if (made.kind == CaseKind::kBroken) return generation::case_of(made.generated, id);
  generation::CaseMemory memory;
  memory.make(made.generated);
  return generation::case_of(made.generated, memory, id);
}

namespace {

/// A relation is a matter of several cases, so that none of them can be shrunk alone: of so many
/// further cases, the smallest that breaks it too.
constexpr std::uint64_t kFurtherCases = std::uint64_t{1} << 16;

Example smallest_relation(const CaseSource& source, backends::Backend& backend,
                          const judging::CheckOptions& check, std::uint64_t number,
                          const std::function<bool()>& enough) {
  Example example{number, number, "", {}};
  example.reduction.result.verdict = judging::Verdict::kPass;
  example.reduction.reproduced = false;
  SourcedCase made;
  source.make(number, made);
  const std::size_t relation = made.relation;
  const std::size_t op = made.generated.op.index();
  std::uint64_t smallest = ~std::uint64_t{0};
  for (std::uint64_t n = number; n < number + kFurtherCases; ++n) {
    if (source.kind(n) != CaseKind::kRelation) continue;
    if (enough()) break;
    source.make(n, made);
    const std::uint64_t size = total_elements(made.generated.op);
    if (made.relation != relation || made.generated.op.index() != op || size >= smallest) continue;
    const RelationCheck checked = check_relation(made, backend, check);
    ++example.reduction.checks;
    if (!judging::is_nonconformance(checked.result.verdict) || checked.culprit) continue;
    smallest = size;
    example.again = n;
    example.reduction.reproduced = true;
    example.reduction.smallest = campaign_case(source, n);
    example.reduction.result = checked.result;
  }
  return example;
}

}  // namespace

RelationCheck check_relation(const SourcedCase& sourced, backends::Backend& backend,
                             const judging::CheckOptions& check) {
  RelationCheck checked;
  judging::CaseResult& result = checked.result;
  result.backend = backend.name();
  result.verdict = judging::Verdict::kPass;
  result.rule = relations::all_relations()[sourced.relation].name;
  generation::RandomDraws draws(sourced.relation_seed);
  try {
    relations::RelationOutcome outcome =
        relations::check_relation(sourced.relation, sourced.generated, draws, backend);
    if (outcome.verdict != relations::RelationVerdict::kBroken) return checked;
    result.verdict = judging::Verdict::kMismatch;
    result.message = base::words_of_others(outcome.message);
    for (cases::Case& one : outcome.cases) {
      const judging::CaseResult alone = judging::check_case(one, backend, check);
      if (!judging::is_nonconformance(alone.verdict)) continue;
      result = alone;
      checked.culprit = std::move(one);
      break;
    }
  } catch (const std::exception& error) {
    result.verdict = judging::Verdict::kCrash;
    result.message = "ended by an exception: " + base::words_of_others(error.what());
  }
  return checked;
}

Example shrink_case(const CampaignOptions& options, const CaseSource& source,
                    backends::Backend& backend, judging::Verdict verdict, std::uint64_t number,
                    const std::atomic<bool>& stop) {
  const cases::Case failing = campaign_case(source, number);
  const auto unshrunk = [&](const std::string& message) {
    judging::CaseResult result;
    result.verdict = verdict;
    result.backend = backend.name();
    result.message = message;
    Example example{number, number, "", {failing, result, 0, false}};
    leave_out_many_values(example.reduction.smallest);
    return example;
  };
  // Each step of shrinking a hang would wait for it.
  if (verdict == judging::Verdict::kTimeout) {
    Example hanging = unshrunk(
        "did not end within " +
        std::to_string(running::limit_of(options.run.timeout, total_elements(failing.op)).count()) +
        " ms; not shrunk");
    add_least_at_once(hanging, backend, options.run, stop);
    return hanging;
  }
  const WorkerTask shrink_relation = [&](const std::function<bool()>& enough) {
    SourcedCase made;
    source.make(number, made);
    RelationCheck checked = check_relation(made, backend, options.run.check);
    if (!checked.culprit)
      return smallest_relation(source, backend, options.run.check, number, enough);
    const running::CheckOne check = [&](const cases::Case& one) {
      judging::CaseResult none;
      none.verdict = judging::Verdict::kPass;
      return enough() ? none : judging::check_case(one, backend, options.run.check);
    };
    return Example{number, number, "", running::reduce(*checked.culprit, check)};
  };
  std::optional<Example> example;
  if (source.kind(number) == CaseKind::kRelation && verdict != judging::Verdict::kCrash) {
    example = in_worker(shrink_relation, options.run, stop);
  } else {
    running::RunOptions run = options.run;
    run.jobs = 1;
    run.isolate |= verdict == judging::Verdict::kCrash;
    // The id of a case chooses what is there at once, and shrinking changes the id.
    run.check.threads = {judging::kUsualThreads, judging::kManyThreads};
    run.check.plans = judging::kManyPlans;
    example = Example{number, number, "", reduce_safely(failing, backend, run, stop)};
    add_least_at_once(*example, backend, run, stop);
  }
  const bool fails = example && judging::is_nonconformance(example->reduction.result.verdict);
  if (!fails)
    example = unshrunk(stop ? "interrupted before it was looked at again; not shrunk"
                            : "failed once, but not when it was looked at again; not shrunk");
  leave_out_many_values(example->reduction.smallest);
  example->interrupted = stop;
  return *std::move(example);
}

}  // namespace opconform::campaigns
