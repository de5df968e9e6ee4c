#include "harness/campaigns/worker.h"

#include <exception>

namespace opconform::campaigns {

void Worker::collect_in(const std::vector<generation::CombinationSpace>& spaces,
                        std::span<std::uint64_t> shared) {
  for (const generation::CombinationSpace& space : spaces) {
    combinations_.push_back({&space, shared.first(space.word_count())});
    shared = shared.subspan(space.word_count());
  }
  if (!shared.empty()) coverage_.emplace(shared);
}

std::string Worker::work(CaseRange block, running::WorkerChannel& channel) {
  channel_ = &channel;
  count_ = {};
  backend_.start();
  for (std::uint64_t number = block.first; number < block.last && !channel.is_stopped(); ++number) {
    channel.begin(number);
    try {
      run(number);
    } catch (const std::exception& error) {  // not the backend's: that is caught where it is run
      CaseWord word{.is_error = true};
      word.set_text(error.what());
      channel.say(to_text(word));
    }
  }
  return to_text(count_);
}

void Worker::run(std::uint64_t number) {
  number_ = number;
  source_.make(number, case_);
  const bool is_large = case_.generated.contents.tier != generation::SizeTier::kSmall;
  if (is_large) channel_->begin(number, total_elements(case_.generated.op));
  const std::size_t op = failed_operator_ = case_.generated.op.index();
  Tally tally;  // counts once the case has come to an end
  const judging::CaseResult result = case_.kind == CaseKind::kValid    ? run_valid(tally)
                                     : case_.kind == CaseKind::kBroken ? run_broken(tally)
                                                                       : run_relation(tally);
  channel_->begin(number);  // no copy of this process counts
  if (!judging::was_judged(result.verdict)) ++tally.unsupported;
  const bool has_failed = judging::is_nonconformance(result.verdict);
  if (has_failed) ++tally.failed;
  count_.tallies[op] += tally;
  if (!has_failed) return;
  CaseWord word{.verdict = result.verdict, .operator_index = failed_operator_};
  word.set_text(result.rule);
  channel_->say(to_text(word));
}

judging::CaseResult Worker::run_valid(Tally& tally) {
  ++tally.valid;
  const generation::Generated& generated = case_.generated;
  if (!combinations_.empty()) {
    const auto& [space, words] = combinations_[generated.op.index()];
    space->mark(generated.assignment, words);
  }
  judging::CaseResult result;
  result.verdict = judging::Verdict::kPass;
  if (!differential_.agrees_on_valid(generated)) {
    result = differential_.judge_valid(generated);
    if (result.verdict == judging::Verdict::kPass) ++tally.freedom;
    for (const judging::Choice choice : result.choices) ++judging::count_of(choice, count_.choices);
  }
  tally.bytes += differential_.pristine().buffer_bytes();
  if (result.verdict == judging::Verdict::kPass && case_.is_checked_as_in_run())
    result = check_as_in_run();
  const std::string_view error = differential_.reference_error();
  observe(result, error.empty() ? coverage::Due::kAccepted : coverage::Due::kFailed, error,
          differential_.pristine().bindings().inputs);
  return result;
}

judging::CaseResult Worker::check_as_in_run() {
  channel_->begin(number_, total_elements(case_.generated.op));  // takes as long once more
  judging::CaseResult result =
      judging::check_case(campaign_case(source_, number_), backend_, check_);
  if (!judging::is_nonconformance(result.verdict)) result.verdict = judging::Verdict::kPass;
  return result;
}

judging::CaseResult Worker::run_broken(Tally& tally) {
  ++tally.broken;
  judging::CaseResult result;
  result.verdict = judging::Verdict::kPass;
  if (!differential_.rejects(case_.generated, case_.rule))
    result = differential_.judge_broken(case_.rule);
  observe(result, coverage::Due::kRejected, case_.rule, {});
  return result;
}

judging::CaseResult Worker::run_relation(Tally& tally) {
  ++tally.relations;
  const RelationCheck checked = check_relation(case_, backend_, check_);
  if (checked.culprit) failed_operator_ = checked.culprit->op.index();
  return checked.result;
}

void Worker::observe(const judging::CaseResult& result, coverage::Due due, std::string_view rule,
                     std::span<const std::span<const std::byte>> inputs) {
  if (!coverage_ || !judging::was_judged(result.verdict)) return;
  channel_->begin(number_, total_elements(case_.generated.op));  // no copy of this process counts
  coverage_->observe({.op = case_.generated.op,
                      .version = case_.generated.version,
                      .origin = coverage::Origin::kFuzzed,
                      .due = due,
                      .rules = {&rule, rule.empty() ? std::size_t{0} : std::size_t{1}},
                      .inputs = inputs});
}

}  // namespace opconform::campaigns
