#include "planted/plain.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <tuple>
#include <utility>

#include "spec/validate.h"

namespace opconform::planted {
namespace {

using backends::Executable;
using backends::Failure;
using backends::Prepared;
using backends::Rejection;

class PlainExecutable : public Executable {
 public:
  PlainExecutable(std::shared_ptr<const Seams> seams, const Operator& op, Version version)
      : seams_(std::move(seams)), callers_(op), op_(op), version_(version) {
    last_prepared = op;
    since_ = ++clock;
    if (seams_->descriptor == Seams::Descriptor::kGrown && alive.size() >= seams_->plans)
      for (std::size_t i = 0; i + 1 < alive.size(); ++i) alive[i]->moved_ = alive[i + 1]->op_;
    if (seams_->descriptor == Seams::Descriptor::kSlot) {
      slot_ = free_slot();
      slots[slot_] = op;
    }
    alive.push_back(this);
  }
  PlainExecutable(const PlainExecutable&) = delete;
  PlainExecutable& operator=(const PlainExecutable&) = delete;

  ~PlainExecutable() override {
    last_released = {op_, ++clock};
    if (seams_->descriptor == Seams::Descriptor::kHole && alive.size() > seams_->plans &&
        alive.back() != this)
      alive.back()->moved_ = op_;
    std::erase(alive, this);
  }
  /// Is a plan of this descriptor there, of this thread?
  static bool is_there(const Operator& op, Version version) {
    return std::any_of(alive.begin(), alive.end(), [&](const PlainExecutable* one) {
      return one->op_ == op && one->version_ == version;
    });
  }

  backends::Ending execute(const Bindings& bound) override {
    const Operator& op = in_force();
    model::Execution execution{op, version_};
    begin(bound, execution);
    model::bind(bound, *seams_, execution);
    const std::optional<std::string> rule = model::run(*seams_, execution);
    if (rule) has_failed_ = true;
    if (!rule) return backends::Done();
    return Failure{*rule, "an index is out of range"};
  }

 private:
  /// A descriptor, and when it was put there.
  struct Left {
    Operator op;
    std::uint64_t at = 0;
  };

  /// The first that no plan has; where there is none, the first of all.
  [[nodiscard]] std::size_t free_slot() const {
    for (std::size_t slot = 0; slot < seams_->plans; ++slot)
      if (std::none_of(alive.begin(), alive.end(),
                       [&](const PlainExecutable* one) { return one->slot_ == slot; }))
        return slot;
    return 0;
  }
  /// Counts the execution. Several may begin at once.
  void begin(const Bindings& bound, model::Execution& execution) {
    const std::lock_guard lock(mutex_);
    execution.number = ++executions_;
    if (executions_ == 1) {
      first_inputs_.assign(bound.inputs.begin(), bound.inputs.end());
      // What is larger is executed once, and may be larger than the memory.
      constexpr std::size_t kMostKept = std::size_t{64} << 20;
      for (const std::span<const std::byte> input : bound.inputs)
        first_values_.emplace_back(input.begin(),
                                   input.size() > kMostKept ? input.begin() : input.end());
      first_outputs_.assign(bound.outputs.begin(), bound.outputs.end());
    }
    execution.first_inputs = first_inputs_;
    execution.first_values = first_values_;
    execution.first_outputs = first_outputs_;
    execution.has_failed = has_failed_;
    if (seams_->descriptor != Seams::Descriptor::kLastExecuted) return;
    since_ = ++clock;
    last_executed = {op_, since_};
  }
  /// It was left behind since, and asks for no more tensors than there are.
  [[nodiscard]] bool fits(const Left& left) const { return left.at > since_ && fits(left.op); }
  [[nodiscard]] bool fits(const Operator& op) const {
    return op.index() == op_.index() &&
           model::tensors_of(op).size() <= model::tensors_of(op_).size();
  }
  [[nodiscard]] const Operator& in_force() const {
    if (seams_->descriptor == Seams::Descriptor::kLastReleased && fits(last_released))
      return last_released.op;
    if (seams_->descriptor == Seams::Descriptor::kLastExecuted && executions_ > 0 &&
        fits(last_executed))
      return last_executed_copy();
    if (seams_->descriptor == Seams::Descriptor::kCallers) return callers_;
    if (seams_->descriptor == Seams::Descriptor::kSlot && fits(slots[slot_])) return slots[slot_];
    if (moved_ && fits(*moved_)) return *moved_;
    if (seams_->descriptor == Seams::Descriptor::kLastPrepared &&
        last_prepared.index() == op_.index())
      return last_prepared;
    return op_;
  }

  /// The execution at hand puts its own there.
  [[nodiscard]] static const Operator& last_executed_copy() {
    static thread_local Operator copy;
    copy = last_executed.op;
    return copy;
  }

  static thread_local Operator last_prepared;
  static thread_local Left last_released;
  static thread_local Left last_executed;
  static thread_local std::uint64_t clock;
  static thread_local std::vector<PlainExecutable*> alive;  // the oldest first
  static constexpr std::size_t kMostSlots = 32;
  static thread_local std::array<Operator, kMostSlots> slots;
  std::shared_ptr<const Seams> seams_;
  const Operator& callers_;
  Operator op_;
  Version version_;
  std::uint64_t since_ = 0;
  std::size_t slot_ = 0;
  std::optional<Operator> moved_;
  std::mutex mutex_;
  unsigned executions_ = 0;
  std::vector<std::span<const std::byte>> first_inputs_;
  std::vector<std::vector<std::byte>> first_values_;
  std::vector<std::span<std::byte>> first_outputs_;
  std::atomic<bool> has_failed_ = false;
};
thread_local Operator PlainExecutable::last_prepared;
thread_local PlainExecutable::Left PlainExecutable::last_released;
thread_local PlainExecutable::Left PlainExecutable::last_executed;
thread_local std::uint64_t PlainExecutable::clock = 0;
thread_local std::vector<PlainExecutable*> PlainExecutable::alive;
thread_local std::array<Operator, PlainExecutable::kMostSlots> PlainExecutable::slots;

/// Plans by their keys, or what of them is needed to make them again.
class PlanCache {
 public:
  explicit PlanCache(std::shared_ptr<const Seams> seams) : seams_(std::move(seams)) {}

  /// Makes them those of the plan with that key, where there is one.
  bool find(Operator& op, Version& version) {
    const std::lock_guard lock(mutex_);
    const Plan wanted = key_of(op, version);
    const auto is_it = [&](const Entry& entry) { return entry.key == wanted; };
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(), is_it);
    if (found == entries_.rend()) return false;
    std::tie(op, version) = found->plan;
    return true;
  }
  void add(const Operator& op, Version version) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() == seams_->cached) entries_.pop_front();
    entries_.push_back({key_of(op, version), {op, version}});
  }

 private:
  using Plan = std::pair<Operator, Version>;
  struct Entry {
    Plan key;
    Plan plan;
  };
  [[nodiscard]] Plan key_of(Operator op, Version version) const {
    seams_->cache_key(op, version);
    return {std::move(op), version};
  }

  std::shared_ptr<const Seams> seams_;
  std::mutex mutex_;
  std::deque<Entry> entries_;
};

class PlainBackend : public backends::Backend {
 public:
  PlainBackend(std::string name, const SeamsByOperator& seams) : name_(std::move(name)) {
    for (const Seams& one : seams) {
      seams_.push_back(std::make_shared<const Seams>(one));
      caches_.push_back(one.cache_key ? std::make_unique<PlanCache>(seams_.back()) : nullptr);
      at_once_ = std::max(at_once_, one.at_once);
    }
  }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool names_rules() const override {
    return std::all_of(seams_.begin(), seams_.end(),
                       [](const auto& seams) { return seams->names_rules; });
  }
  [[nodiscard]] bool needs_isolation() const override { return true; }
  [[nodiscard]] backends::AtOnce at_once() const override { return at_once_; }

  Prepared prepare(const Operator& op, Version version) override {
    const std::shared_ptr<const Seams>& seams = seams_[op.index()];
    if (seams->lacks && seams->lacks(op, version))
      return Rejection{Rejection::Kind::kNotOffered, {}, "not offered"};
    if (seams->cache_comes_first)
      if (auto plan = cached(op, version)) return plan;
    const Violations violations = validate(op, version);
    Rejection rejection;
    for (const std::string_view rule : violations.rules()) rejection.rules.emplace_back(rule);
    if (!violations.list().empty()) rejection.message = violations.list().front().message;
    if (rejection.rules.empty() && !violations.empty()) return rejection;  // undecided
    if (seams->judge) seams->judge(op, version, rejection);
    if (seams->rejects_equal && rejection.rules.empty() && PlainExecutable::is_there(op, version))
      return Rejection{Rejection::Kind::kRejected, {}, "there is a plan of this"};
    if (rejection.rules.empty()) {
      if (auto plan = cached(op, version)) return plan;
      if (PlanCache* const cache = caches_[op.index()].get()) cache->add(op, version);
      return std::make_unique<PlainExecutable>(seams, op, version);
    }
    if (!seams->names_rules) rejection.rules.clear();
    return rejection;
  }

 private:
  [[nodiscard]] std::unique_ptr<Executable> cached(Operator op, Version version) const {
    PlanCache* const cache = caches_[op.index()].get();
    if (cache == nullptr || !cache->find(op, version)) return nullptr;
    return std::make_unique<PlainExecutable>(seams_[op.index()], op, version);
  }

  std::string name_;
  // In the order of all_operators().
  std::vector<std::shared_ptr<const Seams>> seams_;
  std::vector<std::unique_ptr<PlanCache>> caches_;  // null where it has none
  backends::AtOnce at_once_ = backends::AtOnce::kNothing;
};

}  // namespace

std::unique_ptr<backends::Backend> make_plain(std::string name, const SeamsByOperator& seams) {
  return std::make_unique<PlainBackend>(std::move(name), seams);
}

}  // namespace opconform::planted
