#include "harness/judging/many_plans.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/bad_input.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/judging/at_once.h"
#include "harness/judging/case_buffers.h"
#include "harness/judging/oracle.h"
#include "harness/judging/promised.h"
#include "harness/judging/siblings.h"

namespace opconform::judging {
namespace {

/// Distinct descriptors; plans are many of each.
constexpr std::size_t kMostMembers = 16;
/// Steps in one field: descriptors that differ in that field alone from one another, too.
constexpr int kSteps = 3;

/// A descriptor with buffers, inputs, and what conforms.
struct Member {
  Member(cases::Case made, const backends::Promise& promise, const CheckOptions& options)
      : tested(std::move(made)),
        tensors(tested.op),
        buffers(tested, tensors, options, Base::kOdd),
        expected(promised_expectation(
            promise, reference_expectation(tested.op, tested.version, tensors, buffers.inputs()),
            tested.op, tested.version, tensors, buffers.inputs())) {}

  cases::Case tested;
  cases::TensorList tensors;
  CaseBuffers buffers;
  cases::Expectation expected;
  bool is_left_out = false;  // fails alone, or is not offered
  bool was_accepted = false;
};

/// Each order of that many plans is a part of it; nothing that is shorter has all.
std::string_view every_order(std::size_t count) {
  constexpr std::string_view kOrders[kFewPlans + 1] = {"", "00", "010", "012010210",
                                                       "012301203120132010231021302103210"};
  return kOrders[count];
}

class ManyPlans {
 public:
  ManyPlans(const cases::Case& tested, backends::Backend& backend, CheckOptions options,
            std::uint64_t hash)
      : backend_(backend), options_(std::move(options)), hash_(hash) {
    options_.guard = base::Guard::kCanary;
    add(tested, tested.op, tested.version);
    // Where indices are kept, they are those of the case's own sizes.
    const bool keeps_inputs = backend.promise().operators[tested.op.index()].overlapping_writes ==
                              backends::OverlappingWrites::kError;
    if (!keeps_inputs) add_siblings(tested);
  }

  std::optional<Judgement> run(unsigned count, unsigned threads) {
    if (members_.empty()) return std::nullopt;
    // As often as a member is left out: what it does alone is no matter of many.
    for (std::size_t i = 0; i <= members_.size(); ++i) {
      position_ = 0;
      failure_.reset();
      culprit_ = nullptr;
      if (all_pass(count, threads)) return std::nullopt;
      if (culprit_ == members_.front().get() || passes_alone(*culprit_)) return failed(count);
      culprit_->is_left_out = true;
    }
    return std::nullopt;
  }

 private:
  struct Plan {
    Member* member;
    std::unique_ptr<backends::Executable> made;
  };

  void add(const cases::Case& tested, const Operator& op, Version version) {
    cases::Case own = tested;
    own.op = op;
    own.version = version;
    try {
      members_.push_back(std::make_unique<Member>(with_other_inputs(own, backend_.promise()),
                                                  backend_.promise(), options_));
    } catch (const base::BadInput&) {
      // Needs more memory than the options allow.
    }
  }
  void add_siblings(const cases::Case& tested) {
    const std::size_t ways = sibling_count(tested.op);
    for (std::size_t i = 0; i < ways; ++i) {
      Sibling last{tested.op, tested.version};
      for (int step = 0; step < kSteps && members_.size() < kMostMembers; ++step) {
        auto next = sibling(last.op, last.version, (hash_ + i) % ways);
        if (!next || !may_have_many_plans(next->op, next->version)) break;
        last = *std::move(next);
        add(tested, last.op, last.version);
      }
    }
  }
  std::uint64_t below(std::uint64_t bound) { return base::random_bits(hash_, position_++) % bound; }
  /// In an order by chance.
  template <class F>
  bool each_by_chance(F&& passes) {
    std::vector<std::size_t> order(plans_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    return std::all_of(order.begin(), order.end(), passes);
  }

  /// Each member once, and then any.
  Member* next_member(std::size_t place) {
    for (std::size_t i = place; i < members_.size(); ++i)
      if (!members_[i]->is_left_out) return members_[i].get();
    Member* const any = members_[below(members_.size())].get();
    return any->is_left_out ? members_.front().get() : any;
  }

  bool all_pass(unsigned count, unsigned threads) {
    plans_.clear();
    plans_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      if (!prepare(i, next_member(i))) return false;
    const bool pass = count <= kFewPlans
                          ? passes_in_every_order(count)
                          : passes_by_chance() && passes_at_once(threads) && passes_renewed();
    return pass && passes_while_released();
  }
  bool prepare(std::size_t place, Member* member) {
    plans_[place] = {member, nullptr};
    return guarded(*member, [&] {
      backends::Prepared prepared = backend_.prepare(member->tested.op, member->tested.version);
      if (auto* const plan = std::get_if<std::unique_ptr<backends::Executable>>(&prepared)) {
        plans_[place].made = std::move(*plan);
        member->was_accepted = true;
        return Judgement();
      }
      const auto& rejection = std::get<backends::Rejection>(prepared);
      const bool is_new = rejection.kind == backends::Rejection::Kind::kRejected &&
                          (member->was_accepted || member == members_.front().get());
      return is_new ? judge_rejection(member->expected, rejection, backend_.names_rules())
                    : Judgement();
    });
  }
  bool execute(std::size_t place) {
    Plan& plan = plans_[place];
    if (plan.made == nullptr) return true;
    Member& member = *plan.member;
    return guarded(member, [&] {
      member.buffers.prepare_outputs(member.expected, options_.seed);
      return judged(member, plan.made->execute(member.buffers.bindings()));
    });
  }

  bool passes_in_every_order(std::size_t count) {
    const std::string_view orders = every_order(count);
    return std::all_of(orders.begin(), orders.end(),
                       [&](char digit) { return execute(static_cast<std::size_t>(digit - '0')); });
  }
  bool passes_by_chance() {
    return each_by_chance([&](std::size_t place) { return execute(place); });
  }
  /// One of three is released, and the others go on; then others take their places.
  bool passes_renewed() {
    std::vector<std::size_t> released;
    for (std::size_t i = 0; i < plans_.size(); ++i)
      if (below(3) == 0) released.push_back(i);
    for (const std::size_t place : released) plans_[place].made.reset();
    if (!passes_by_chance()) return false;
    for (const std::size_t place : released)
      if (!prepare(place, next_member(below(members_.size())))) return false;
    return passes_by_chance();
  }
  /// After each release, one that is left is executed, and of few all.
  bool passes_while_released() {
    return each_by_chance([&](std::size_t place) {
      plans_[place].made.reset();
      if (plans_.size() <= kFewPlans) return passes_by_chance();
      return execute(below(plans_.size())) && execute(below(plans_.size()));
    });
  }

  /// Plans of different members, and one thread that makes its own of another.
  bool passes_at_once(unsigned threads) {
    if (threads <= 1 || backend_.at_once() == backends::AtOnce::kNothing) return true;
    constexpr unsigned kRounds = 4;
    std::vector<Member*> members;
    std::vector<Lane> lanes;
    for (const Plan& plan : plans_) {
      if (plan.made == nullptr || members.size() == threads ||
          std::find(members.begin(), members.end(), plan.member) != members.end())
        continue;
      Member& member = *plan.member;
      member.buffers.prepare_outputs(member.expected, options_.seed);
      members.push_back(&member);
      lanes.push_back({members.size() % 3 != 0 ? plan.made.get() : nullptr, member.tested.op,
                       member.tested.version, member.buffers.bindings(),
                       member.expected.kind == cases::Expectation::Kind::kError});
    }
    if (lanes.size() < 2) return true;
    execute_at_once(backend_, lanes, kRounds);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const bool pass = guarded(*members[i], [&] {
        if (lanes[i].thrown) std::rethrow_exception(lanes[i].thrown);
        return judged(*members[i], lanes[i].ending);
      });
      if (!pass) return false;
    }
    return true;
  }

  bool passes_alone(Member& member) {
    const std::optional<Judgement> first = std::move(failure_);
    plans_.clear();
    plans_.resize(1);
    const bool pass = prepare(0, &member) && execute(0) && execute(0);
    failure_ = first;
    return pass;
  }

  [[nodiscard]] Judgement judged(const Member& member, const backends::Ending& ending) const {
    if (const auto* const rejection = std::get_if<backends::Rejection>(&ending))
      return judge_rejection(member.expected, *rejection, backend_.names_rules());
    const std::vector<ObservedInput> inputs = member.buffers.observed_inputs();
    const std::vector<ObservedOutput> outputs = member.buffers.observed_outputs();
    const auto* const failed = std::get_if<backends::Failure>(&ending);
    for (Judgement one : {member.buffers.judge_canaries(), judge_inputs(inputs)})
      if (one.verdict != Verdict::kPass) return one;
    return failed != nullptr
               ? judge_failure(member.expected, *failed, backend_.names_rules(), outputs)
               : judge_outputs(member.expected, inputs, outputs, options_.strict_gaps);
  }
  /// False where `call` throws, or does not pass; then that is the failure, and of this member.
  template <class Call>
  bool guarded(Member& member, Call&& call) {
    Judgement judgement;
    try {
      judgement = call();
    } catch (const std::exception& error) {
      judgement.verdict = Verdict::kCrash;
      judgement.message = "ended by an exception: " + base::words_of_others(error.what());
    }
    if (!is_nonconformance(judgement.verdict)) return true;
    failure_ = std::move(judgement);
    culprit_ = &member;
    return false;
  }
  [[nodiscard]] Judgement failed(unsigned count) const {
    Judgement judgement = *failure_;
    judgement.message += " (with " + std::to_string(count) + " plans at once" +
                         (culprit_ == members_.front().get()
                              ? ")"
                              : ", in one whose descriptor differs from the case's in one field)");
    return judgement;
  }

  backends::Backend& backend_;
  CheckOptions options_;
  const std::uint64_t hash_;
  std::uint64_t position_ = 0;                    // of what chance says next
  std::vector<std::unique_ptr<Member>> members_;  // the case's own first
  std::vector<Plan> plans_;
  std::optional<Judgement> failure_;
  Member* culprit_ = nullptr;
};

}  // namespace

bool may_have_many_plans(const Operator& op, Version version) {
  const cases::TensorList tensors(op);
  if (tensors.inputs.size() + tensors.outputs.size() > kMostManyPlansTensors) return false;
  std::uint64_t size_bytes = 0;
  for (const auto* const some : {&tensors.inputs, &tensors.outputs})
    for (const NamedTensor& tensor : *some)
      size_bytes += buffer_size_bytes(tensor.desc, version.dialect());
  return size_bytes <= kMostManyPlansBytes;
}

unsigned plan_count(const CheckOptions& options, std::uint64_t hash) {
  if (options.plans > 0) return options.plans > 1 ? options.plans : 0;
  if (hash % kSampledManyPlans == 1) return kManyPlans;
  return hash % kSampledFewPlans == 2 ? kFewPlans : 0;
}

std::optional<Judgement> judge_many_plans(const cases::Case& tested, backends::Backend& backend,
                                          const CheckOptions& options, std::uint64_t hash,
                                          unsigned count, unsigned threads) {
  return ManyPlans(tested, backend, options, hash).run(count, threads);
}

}  // namespace opconform::judging
