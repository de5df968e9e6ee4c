#include "harness/judging/check.h"

#include <algorithm>

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/judging/at_once.h"
#include "harness/judging/case_buffers.h"
#include "harness/judging/found_element.h"
#include "harness/judging/judge.h"
#include "harness/judging/late_rejection.h"
#include "harness/judging/many_plans.h"
#include "harness/judging/oracle.h"
#include "harness/judging/promised.h"
#include "harness/judging/siblings.h"
#include "harness/judging/zero_buffers.h"
#include "spec/fields.h"
#include "spec/validate.h"

namespace opconform::judging {
namespace {

std::vector<TensorBytes> bytes_of(std::span<const std::span<const std::byte>> buffers) {
  std::vector<TensorBytes> bytes;
  for (const std::span<const std::byte> buffer : buffers)
    bytes.emplace_back(buffer.begin(), buffer.end());
  return bytes;
}

/// What conforms, as far as it is known before inputs have contents.
cases::Expectation expectation_of(const cases::Case& tested, const Violations& violations) {
  cases::Expectation expected = tested.expect;
  if (expected.kind != cases::Expectation::Kind::kReference || violations.empty()) return expected;
  expected.kind = cases::Expectation::Kind::kRejected;
  for (const std::string_view rule : violations.rules()) expected.rules.emplace_back(rule);
  return expected;
}

/// One case on one backend. A step that returns false has made the result final.
class CaseCheck {
 public:
  CaseCheck(const cases::Case& tested, backends::Backend& backend, const CheckOptions& options)
      : tested_(tested),
        backend_(backend),
        options_(options),
        tensors_(tested.op),
        hash_(base::hash_text(tested.id)) {
    result_.case_id = tested.id;
    result_.backend = backend.name();
    result_.verdict = Verdict::kPass;
  }

  CaseResult run() {
    const Violations violations = validate(tested_.op, tested_.version);
    if (violations.list().empty() && !violations.undecided().empty())
      cannot_run(tested_, violations.undecided().front().message);
    expected_ = expectation_of(tested_, violations);
    if (prepare_siblings() && prepare() && may_be_executed(violations) && prepare_others())
      execute();
    return std::move(result_);
  }

 private:
  /// False where the backend throws.
  template <class Call>
  bool succeeds(Call&& call) {
    try {
      call();
      return true;
    } catch (const std::exception& error) {
      result_.verdict = Verdict::kCrash;
      result_.message = "ended by an exception: " + base::words_of_others(error.what());
      return false;
    }
  }

  void take_judgement(Judgement judgement) {
    checks_ += judgement.checks;
    take(std::move(judgement), result_);
  }

  /// Whoever takes the case for one of them gives a wrong result, or accepts what must be rejected.
  /// Which of them is the last differs from case to case.
  bool prepare_siblings() {
    if (!wants_others() || !backend_.has_many_plans()) return true;
    const std::vector<Sibling> all = siblings(tested_.op, tested_.version, hash_);
    for (const Sibling& one : all) {
      backends::Prepared prepared;
      if (!succeeds([&] { prepared = backend_.prepare(one.op, one.version); })) return false;
      siblings_.push_back(std::move(prepared));
    }
    if (!all.empty()) sibling_ = all.front();
    return true;
  }
  [[nodiscard]] bool wants_others() const {
    return backend_.promise().second_plan == backends::SecondPlan::kWanted;
  }

  /// False where the backend rejects the descriptor, rightly or not.
  bool prepare() {
    given_ = tested_.op;
    if (!succeeds([&] { prepared_ = backend_.prepare(given_, tested_.version); })) return false;
    const backends::Rejection* rejection = std::get_if<backends::Rejection>(&prepared_);
    if (rejection == nullptr) return true;
    take_judgement(judge_rejection(expected_, *rejection, backend_.names_rules()));
    return false;
  }
  [[nodiscard]] backends::Executable& plan() const {
    return *std::get<std::unique_ptr<backends::Executable>>(prepared_);
  }

  /// The backend accepted the descriptor. Was it right to?
  bool may_be_executed(const Violations& violations) {
    if (!permits_acceptance(expected_)) {
      std::optional<backends::Rejection> late;
      if (!succeeds([&] { late = late_rejection(plan(), tested_.op); })) return false;
      take_judgement(late ? judge_rejection(expected_, *late, backend_.names_rules())
                          : judge_acceptance(expected_));
      return false;
    }
    if (violations.empty()) return true;
    // No buffers can be made for it.
    const Violation& first = violations.list().front();
    result_.verdict = Verdict::kWrongRejection;
    result_.rule = first.rule;
    result_.message = "a result is expected of a descriptor that breaks a rule: " + first.message;
    return false;
  }

  /// A plan has what it needs: its descriptor changes, plans that were made before it are
  /// released, and others are there while it is executed.
  bool prepare_others() {
    if (!wants_others()) return true;
    return succeeds([&] {
      siblings_.clear();
      if (sibling_) younger_ = backend_.prepare(sibling_->op, sibling_->version);
      given_ = with_single_elements(tested_.op);
      another_ = backend_.prepare(given_, tested_.version);
    });
  }
  /// What it does to its own buffers is judged where it is the case.
  bool execute_sibling() {
    auto* const plan = std::get_if<std::unique_ptr<backends::Executable>>(&younger_);
    if (plan == nullptr || !*plan) return true;
    const ZeroBuffers buffers(sibling_->op);
    return succeeds([&] {
      if (buffers.are_made()) (void)(*plan)->execute(buffers.bindings());
    });
  }

  void execute() {
    const bool pass = all_executions_pass();
    if (!pass) {
      result_.weak = false;
      result_.choices.clear();
    }
    if (pass && checks_ == 0) result_.verdict = Verdict::kVacuous;
  }

  bool all_executions_pass() {
    // Where there is no third execution, every second case has no page where its buffers end.
    const bool is_odd =
        backend_.promise().executions == backends::Executions::kOne && hash_ % 2 != 0;
    CaseBuffers first(tested_, tensors_, options_, is_odd ? Base::kOdd : Base::kAtEnd);
    if (expected_.kind == cases::Expectation::Kind::kReference)
      expected_ = reference_expectation(tested_.op, tested_.version, tensors_, first.inputs());
    follow_promise(first);
    if (!passes(first, tested_, 1, "")) return false;
    result_.weak = !failure_ && first.contents_are_weak();
    if (first.size_bytes() > options_.most_executed_again_bytes) return true;
    result_.choices = choices_made(tested_.op, tested_.version, first.observed_inputs(),
                                   first.observed_outputs(), failure_.has_value());
    if (backend_.promise().executions == backends::Executions::kOne) return true;
    // The first buffers stay: a plan that holds on to them must not find its new ones there.
    if (!execute_sibling()) return false;
    CaseBuffers second(tested_, tensors_, options_, Base::kAtStart);
    if (!passes(second, tested_, 2, " (in the second execution)")) return false;
    younger_ = {};
    const cases::Expectation own = expected_;
    // The reference says what is due: that it is right was seen with the case's own inputs.
    const cases::Case other = with_other_inputs(tested_, backend_.promise());
    CaseBuffers third(other, tensors_, options_, Base::kOdd);
    expected_ = reference_expectation(tested_.op, tested_.version, tensors_, third.inputs());
    follow_promise(third);
    const bool pass = passes(third, other, 3, " (in the third execution, with other inputs)") &&
                      all_pass_at_once({&tested_, own}, {&other, expected_}, first.size_bytes()) &&
                      passes_with_many_plans();
    if (evidence_ && result_.failed_execution == 3)
      evidence_->first_inputs = bytes_of(first.inputs());
    return pass;
  }

  /// Inputs, and what conforms.
  struct Executed {
    const cases::Case* executed;
    cases::Expectation expected;
  };
  [[nodiscard]] std::vector<unsigned> thread_counts() const {
    if (backend_.at_once() == backends::AtOnce::kNothing) return {};
    if (!options_.threads.empty()) return options_.threads;
    if (hash_ % kSampledByMany == 0) return {kUsualThreads, kManyThreads};
    if (hash_ % kSampledAtOnce == 0) return {kUsualThreads};
    return {};
  }
  bool all_pass_at_once(const Executed& own, const Executed& other, std::uint64_t size_bytes) {
    constexpr std::size_t kMostBuffers = 3100;  // of three threads with 1,025 outputs each
    const std::size_t buffers = tensors_.inputs.size() + tensors_.outputs.size();
    const std::vector<unsigned> counts = thread_counts();
    return std::all_of(counts.begin(), counts.end(), [&](unsigned threads) {
      return threads <= 1 || buffers > kMostBuffers / threads ||
             size_bytes > options_.most_executed_again_bytes / threads ||
             passes_at_once(threads, own, other, size_bytes);
    });
  }
  /// Neighbours have different inputs. Of three threads, two execute the case's plan, where that is
  /// offered, and one a plan of its own. In several turns, each judged: what goes wrong once in a
  /// while is written over where no more than the last of many executions is.
  bool passes_at_once(unsigned threads, const Executed& own, const Executed& other,
                      std::uint64_t size_bytes) {
    const bool small = size_bytes <= std::uint64_t{1} << 16;
    const unsigned turns = small ? 2 : 1;
    const unsigned rounds = small ? 4 : 1;
    const bool shares = backend_.at_once() == backends::AtOnce::kExecutions;
    const auto executed = [&](unsigned i) -> const Executed& { return i % 2 == 0 ? own : other; };
    std::vector<CaseBuffers> buffers;
    buffers.reserve(threads);
    for (unsigned i = 0; i < threads; ++i)
      buffers.emplace_back(*executed(i).executed, tensors_, options_,
                           i % 2 == 0 ? Base::kOdd : Base::kWide);
    for (unsigned turn = 0; turn < turns; ++turn) {
      std::vector<Lane> lanes;
      for (unsigned i = 0; i < threads; ++i) {
        const cases::Expectation& expected = executed(i).expected;
        buffers[i].prepare_outputs(expected, options_.seed);
        lanes.push_back({shares && i % 3 != 2 ? &plan() : nullptr, tested_.op, tested_.version,
                         buffers[i].bindings(), expected.kind == cases::Expectation::Kind::kError});
      }
      execute_at_once(backend_, lanes, rounds);
      for (unsigned i = 0; i < threads; ++i) {
        expected_ = executed(i).expected;
        const std::string which =
            " (in thread " + std::to_string(i + 1) + " of " + std::to_string(threads) + " at once)";
        const bool pass = succeeds([&] {
          if (lanes[i].thrown) std::rethrow_exception(lanes[i].thrown);
        });
        if (pass &&
            judge(buffers[i], lanes[i].ending, *executed(i).executed, i % 2 == 0 ? 2 : 3, which))
          continue;
        if (!pass) result_.message += which;
        result_.threads = threads;
        return false;
      }
    }
    return true;
  }

  bool passes_with_many_plans() {
    const unsigned count = plan_count(options_, hash_);
    if (count == 0 || !may_have_many_plans(tested_.op, tested_.version) || !wants_others() ||
        !backend_.has_many_plans())
      return true;
    // So many, and no others.
    prepared_ = {};
    another_ = {};
    const unsigned threads = options_.threads.empty() ? kUsualThreads : options_.threads.front();
    std::optional<Judgement> failed =
        judge_many_plans(tested_, backend_, options_, hash_, count, threads);
    if (!failed) return true;
    take_judgement(*std::move(failed));
    result_.plans = count;
    return false;
  }

  void follow_promise(const CaseBuffers& buffers) {
    expected_ = promised_expectation(backend_.promise(), std::move(expected_), tested_.op,
                                     tested_.version, tensors_, buffers.inputs());
  }

  /// Executes in the buffers, which hold what `executed` says. `which` ends the message where that
  /// does not pass.
  bool passes(CaseBuffers& buffers, const cases::Case& executed, unsigned execution,
              const char* which) {
    buffers.prepare_outputs(expected_, options_.seed);
    backends::Ending ending;
    if (!succeeds([&] { ending = plan().execute(buffers.bindings()); })) return false;
    return judge(buffers, ending, executed, execution, which);
  }

  bool judge(const CaseBuffers& buffers, const backends::Ending& ending,
             const cases::Case& executed, unsigned execution, const std::string& which) {
    if (const auto* rejection = std::get_if<backends::Rejection>(&ending)) {
      take_judgement(judge_rejection(expected_, *rejection, backend_.names_rules()));
      return false;
    }
    const auto* const failure = std::get_if<backends::Failure>(&ending);
    failure_ = failure == nullptr ? std::nullopt : std::optional(*failure);
    const std::vector<ObservedInput> inputs = buffers.observed_inputs();
    const std::vector<ObservedOutput> outputs = buffers.observed_outputs();
    take_judgement(buffers.judge_canaries());
    take_judgement(judge_inputs(inputs));
    take_judgement(buffers.judge_touches());
    take_judgement(failure_ ? judge_failure(expected_, *failure_, backend_.names_rules(), outputs)
                            : judge_outputs(expected_, inputs, outputs, options_.strict_gaps));
    if (result_.verdict == Verdict::kPass) return true;
    result_.message += which;
    result_.failed_execution = execution;
    if (buffers.size_bytes() <= options_.most_evidence_bytes)
      keep(inputs, outputs, executed.strings);
    if (evidence_) keep_memory(buffers, inputs, outputs);
    return false;
  }

  void keep(std::span<const ObservedInput> inputs, std::span<const ObservedOutput> outputs,
            const std::shared_ptr<cases::StringPool>& strings) {
    evidence_ = std::make_shared<Evidence>();
    for (const ObservedInput& input : inputs)
      evidence_->inputs.emplace_back(input.before.begin(), input.before.end());
    for (const ObservedOutput& output : outputs) {
      evidence_->outputs_before.emplace_back(output.before.begin(), output.before.end());
      evidence_->outputs.emplace_back(output.after.begin(), output.after.end());
    }
    evidence_->has_failed = failure_.has_value();
    evidence_->expected = expected_;
    evidence_->strings = strings;
    result_.evidence = evidence_;
  }

  /// What was changed that is no output, and what is no longer there after the execution.
  void keep_memory(const CaseBuffers& buffers, std::span<const ObservedInput> inputs,
                   std::span<const ObservedOutput> outputs) {
    evidence_->outside = buffers.changed_outside();
    if (judge_inputs(inputs).verdict != Verdict::kPass)
      for (const ObservedInput& input : inputs)
        evidence_->inputs_after.emplace_back(input.after.begin(), input.after.end());
    evidence_->found_strings = std::make_shared<cases::StringPool>();
    for (std::size_t i = 0; i < outputs.size(); ++i)
      keep_strings(inputs, outputs[i], *evidence_->found_strings, evidence_->outputs[i]);
  }

  const cases::Case& tested_;
  backends::Backend& backend_;
  const CheckOptions& options_;
  const cases::TensorList tensors_;
  const std::uint64_t hash_;  // of what is done for some cases alone
  cases::Expectation expected_;
  Operator given_;  // what the backend was given, overwritten once it has a plan
  std::vector<backends::Prepared> siblings_;  // older than the plan
  std::optional<Sibling> sibling_;
  backends::Prepared prepared_;
  backends::Prepared younger_;  // of a sibling
  backends::Prepared another_;
  std::optional<backends::Failure> failure_;
  std::uint64_t checks_ = 0;
  std::shared_ptr<Evidence> evidence_;
  CaseResult result_;
};

}  // namespace

cases::Case with_other_inputs(const cases::Case& tested, const backends::Promise& promise) {
  // Random indices repeat: where that is an error, little else would be seen.
  const bool keeps_indices = promise.operators[tested.op.index()].overlapping_writes ==
                             backends::OverlappingWrites::kError;
  cases::Case other;
  other.id = tested.id;
  other.file = tested.file;
  other.op = tested.op;
  other.version = tested.version;
  other.inputs = tested.inputs;
  std::uint64_t number = 0;
  const cases::TensorList tensors(tested.op);
  for (cases::Contents& input : other.inputs) {
    const std::uint64_t seed = base::random_bits(base::hash_text(tested.id), number);
    const bool is_kept = keeps_indices && tensors.inputs[number].field.content == Content::kIndices;
    if (!is_kept) input = {cases::Contents::Kind::kRandom, {}, seed};
    ++number;
  }
  other.strings = std::make_shared<cases::StringPool>();
  return other;
}

CaseResult check_case(const cases::Case& tested, backends::Backend& backend,
                      const CheckOptions& options) {
  return CaseCheck(tested, backend, options).run();
}

}  // namespace opconform::judging
