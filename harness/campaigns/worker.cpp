#include "harness/campaigns/worker.h"

#include <exception>

#include "harness/base/child_process.h"

namespace opconform::campaigns {

void Worker::collect_in(const std::vector<generation::CombinationSpace>& spaces,
                        std::span<std::uint64_t> shared) {
  for (const generation::CombinationSpace& space : spaces) {
    combinations_.push_back({&space, shared.first(space.word_count())});
    shared = shared.subspan(space.word_count());
  }
  if (!shared.empty()) coverage_.emplace(shared);
}

void Worker::work(const CaseBlocks& blocks, CaseRange first) {
  if (first.first < first.last) work(first);
  for (std::uint64_t block = 0;
       !control_.stop && (block = control_.next_block.fetch_add(1)) < blocks.count();)
    work(blocks[block]);
  send({});
}

void Worker::work(CaseRange block) {
  slot_.number = kNoCase;
  slot_.tallies = {};
  slot_.choices = {};
  slot_.block = block;
  std::uint64_t number = block.first;
  for (; number < block.last && !control_.stop; ++number) {
    slot_.number = number;
    try {
      run(number);
    } catch (const std::exception& error) {  // not the backend's: that is caught where it is run
      WorkerMessage message{.kind = WorkerMessage::Kind::kError, .number = number};
      message.set_text(error.what());
      send(message);
    }
    ++slot_.finished;
  }
  send({.kind = WorkerMessage::Kind::kDone,
        .range = {block.first, number},
        .tallies = slot_.tallies,
        .choices = slot_.choices});
}

void Worker::run(std::uint64_t number) {
  source_.make(number, case_);
  failed_operator_ = case_.generated.op.index();
  Tally& tally = slot_.tallies[failed_operator_];
  const judging::CaseResult result = case_.kind == CaseKind::kValid    ? run_valid(tally)
                                     : case_.kind == CaseKind::kBroken ? run_broken(tally)
                                                                       : run_relation(tally);
  if (result.verdict == judging::Verdict::kUnsupported) ++tally.unsupported;
  if (!judging::is_nonconformance(result.verdict)) return;
  ++tally.failed;
  WorkerMessage message{.kind = WorkerMessage::Kind::kFailure,
                        .verdict = result.verdict,
                        .operator_index = failed_operator_,
                        .number = number};
  message.set_text(result.rule);
  send(message);
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
    for (const judging::Choice choice : result.choices) ++judging::count_of(choice, slot_.choices);
  }
  const std::string_view error = differential_.reference_error();
  observe(result, error.empty() ? coverage::Outcome::kAccepted : coverage::Outcome::kFailed, error,
          differential_.pristine().bindings().inputs);
  return result;
}

judging::CaseResult Worker::run_broken(Tally& tally) {
  ++tally.broken;
  judging::CaseResult result;
  result.verdict = judging::Verdict::kPass;
  if (!differential_.refuses(case_.generated, case_.rule))
    result = differential_.judge_broken(case_.rule);
  observe(result, coverage::Outcome::kRefused, case_.rule, {});
  return result;
}

judging::CaseResult Worker::run_relation(Tally& tally) {
  ++tally.relations;
  const RelationCheck checked = check_relation(case_, backend_, check_);
  if (checked.culprit) failed_operator_ = checked.culprit->op.index();
  return checked.result;
}

void Worker::observe(const judging::CaseResult& result, coverage::Outcome outcome,
                     std::string_view rule, std::span<const std::span<const std::byte>> inputs) {
  if (!coverage_ || result.verdict == judging::Verdict::kUnsupported) return;
  coverage_->observe({.op = case_.generated.op,
                      .version = case_.generated.version,
                      .origin = coverage::Origin::kFuzzed,
                      .outcome = outcome,
                      .rules = {&rule, rule.empty() ? std::size_t{0} : std::size_t{1}},
                      .inputs = inputs});
}

void Worker::send(const WorkerMessage& message) const {
  base::write_all(result_end_, std::as_bytes(std::span(&message, 1)));
}

}  // namespace opconform::campaigns
