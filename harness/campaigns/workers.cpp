#include "harness/campaigns/workers.h"

#include <optional>
#include <set>

#include "harness/base/shared_memory.h"
#include "harness/campaigns/worker.h"
#include "harness/running/isolation.h"

namespace opconform::campaigns {
namespace {

/// So many blocks wait for each worker while the parent shrinks a failure.
constexpr std::uint64_t kBlocksAhead = 32;

std::size_t words_of_one_worker(const Collected& collected) {
  std::size_t count = collected.counters.size();
  for (const generation::CombinationSpace& space : collected.combinations.spaces)
    count += space.word_count();
  return count;
}

std::uint64_t cases_of(const BlockCount& count) {
  std::uint64_t cases = 0;
  for (const Tally& tally : count.tallies) cases += tally.cases();
  return cases;
}

/// What the parent makes of what the workers say.
class CampaignWorkers {
 public:
  CampaignWorkers(const CampaignOptions& options, const CaseSource& source,
                  backends::Backend& backend, std::span<const CaseRange> work,
                  const Collected& collected, const CampaignEvents& events)
      : options_(options),
        source_(source),
        backend_(backend),
        blocks_(work),
        collected_(collected),
        events_(events),
        counts_(options.run.jobs),
        words_(options.run.jobs * words_of_one_worker(collected)),
        failed_(options.run.jobs) {}

  void run() {
    const running::RangeList blocks{
        blocks_.count(), [&](std::uint64_t block) { return blocks_[block]; }, kBlocksAhead};
    // Made in the process that begins with a block, once.
    std::optional<Worker> worker;
    const running::RangeWork work = [&](CaseRange block, running::WorkerChannel& channel) {
      if (!worker) {
        worker.emplace(source_, backend_, options_.run.check, counts_[channel.worker()]);
        worker->collect_in(collected_.combinations.spaces, words_of(channel.worker()));
      }
      return worker->work(block, channel);
    };
    running::WorkerEvents events;
    events.on_word = [&](std::size_t place, std::uint64_t number, std::string_view text,
                         std::string_view /*printed*/) {
      if (const auto word = from_text<CaseWord>(text)) take(place, number, *word);
    };
    events.on_done = [&](std::size_t place, CaseRange done, std::string_view text) {
      finish(place, done, from_text<BlockCount>(text).value_or(BlockCount{}));
    };
    events.on_death = [&](std::size_t place, CaseRange done, std::uint64_t number,
                          const running::WorkerDeath& death) {
      return take(place, done, number, death);
    };
    events.on_tick = events_.on_tick;
    if (options_.run.in_process)
      running::run_in_process(blocks, work, events);
    else
      running::run_in_workers(running::worker_options(options_.run), blocks, work, events);
    collect();
  }

 private:
  [[nodiscard]] std::span<std::uint64_t> words_of(std::size_t place) const {
    const std::size_t count = words_of_one_worker(collected_);
    return words_.all().subspan(place * count, count);
  }

  void take(std::size_t place, std::uint64_t number, const CaseWord& word) {
    if (word.is_error) return events_.on_error(number, word.get_text());
    if (word.operator_index >= std::variant_size_v<Operator>) return;
    take_failure(place, {{word.operator_index, word.verdict, word.get_text()}, number});
  }

  void take_failure(std::size_t place, const CampaignEvents::Failed& failed) {
    failed_[place].push_back(failed);
    events_.on_failure(failed.key, failed.number);
  }

  void finish(std::size_t place, CaseRange done, const BlockCount& count) {
    events_.on_done(done, count.tallies, count.choices, failed_[place]);
    failed_[place].clear();
  }

  /// The case at hand is what the worker died of, unless it had to be killed at the end. True where
  /// it is to be run again.
  bool take(std::size_t place, CaseRange done, std::uint64_t number,
            const running::WorkerDeath& death) {
    using Cause = running::WorkerDeath::Cause;
    BlockCount count = counts_[place];
    if (done.first == done.last) count = {};  // it may be that of an earlier block
    std::set<std::uint64_t> blamed;
    if (death.cause == Cause::kSpoiled) blamed = spoilers({done.first, number + 1});
    if (death.cause != Cause::kStopped && blamed.empty()) blamed = {number};
    // It may have come to an end, and was not heard.
    const bool is_counted = cases_of(count) > done.last - done.first;
    const bool is_done = is_counted || blamed.contains(number);
    if (is_done) done.last = number + 1;
    for (const std::uint64_t one : blamed) {
      SourcedCase died_of;
      source_.make(one, died_of);
      const std::size_t op = died_of.generated.op.index();
      Tally& tally = count.tallies[op];
      if (one == number && !is_counted)
        ++(died_of.kind == CaseKind::kValid    ? tally.valid
           : died_of.kind == CaseKind::kBroken ? tally.broken
                                               : tally.relations);
      ++tally.failed;
      const judging::Verdict verdict =
          death.cause == Cause::kTimedOut ? judging::Verdict::kTimeout : judging::Verdict::kCrash;
      take_failure(place, {{op, verdict, ""}, one});
    }
    finish(place, done, count);
    return !is_done;
  }

  /// Which of those cases spoil the channel of their worker: seen late where nothing is to be said.
  [[nodiscard]] std::set<std::uint64_t> spoilers(CaseRange range) const {
    const running::RangeWork work = [&](CaseRange cases, running::WorkerChannel& channel) {
      running::Differential differential(backend_);
      SourcedCase made;
      backend_.start();
      for (std::uint64_t n = cases.first; n < cases.last && !channel.is_stopped(); ++n) {
        channel.begin(n);
        source_.make(n, made);
        if (made.kind == CaseKind::kRelation)
          (void)check_relation(made, backend_, options_.run.check);
        else if (made.kind == CaseKind::kBroken)
          (void)differential.rejects(made.generated, made.rule);
        else if (differential.agrees_on_valid(made.generated) && made.is_checked_as_in_run())
          (void)judging::check_case(campaign_case(source_, n), backend_, options_.run.check);
        channel.say("");
      }
      return std::string();
    };
    std::set<std::uint64_t> found;
    running::WorkerEvents events;
    events.on_death = [&](std::size_t, CaseRange, std::uint64_t number,
                          const running::WorkerDeath& death) {
      if (death.cause != running::WorkerDeath::Cause::kStopped) found.insert(number);
      return false;
    };
    events.on_tick = events_.on_tick;
    running::WorkerOptions workers = running::worker_options(options_.run);
    workers.workers = 1;
    workers.all_speak = true;
    running::run_in_workers(workers, {1, [&](std::uint64_t) { return range; }}, work, events);
    return found;
  }

  void collect() {
    for (std::size_t place = 0; place < options_.run.jobs; ++place) {
      std::span<const std::uint64_t> from = words_of(place);
      for (std::vector<std::uint64_t>& words : collected_.combinations.words) {
        for (std::size_t i = 0; i < words.size(); ++i) words[i] |= from[i];
        from = from.subspan(words.size());
      }
      for (std::size_t i = 0; i < collected_.counters.size(); ++i)
        collected_.counters[i] += from[i];
    }
  }

  const CampaignOptions& options_;
  const CaseSource& source_;
  backends::Backend& backend_;
  const CaseBlocks blocks_;
  const Collected& collected_;
  const CampaignEvents& events_;
  const base::SharedMemory<BlockCount> counts_;              // by worker, of the block at hand
  const base::SharedMemory<std::uint64_t> words_;            // by worker
  std::vector<std::vector<CampaignEvents::Failed>> failed_;  // by worker, of the block at hand
};

}  // namespace

void run_workers(const CampaignOptions& options, const CaseSource& source,
                 backends::Backend& backend, std::span<const CaseRange> work, Collected collected,
                 const CampaignEvents& events) {
  CampaignWorkers(options, source, backend, work, collected, events).run();
}

}  // namespace opconform::campaigns
