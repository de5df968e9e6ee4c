// Executions from several threads at once, of what this project has and of what is wrong with it.
#include "harness/judging/at_once.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "harness/base/random.h"
#include "harness/cases/case.h"
#include "harness/judging/check.h"

namespace opconform::judging {
namespace {

using backends::AtOnce;

/// By default a million bytes, so that each of several workers has something to do.
cases::Case reversed_rows(std::uint32_t rows = 501, std::uint32_t columns = 503) {
  Slice1 op;
  op.input = packed_tensor(DataType::kFloat32, {1, 1, rows, columns});
  op.output = op.input;
  op.window_offsets = {0, 0, 0, 0};
  op.window_sizes = {1, 1, rows, columns};
  op.window_strides = {1, 1, 1, -1};
  cases::Case one;
  one.id = "threads/reversed-rows";
  one.op = op;
  one.version = FeatureLevel::k6_4;
  one.inputs = {{cases::Contents::Kind::kRandom, {}, 7}};
  one.strings = std::make_shared<cases::StringPool>();
  return one;
}

/// What `reference` does, with something around an execution.
class Around : public backends::Backend {
 public:
  using Executes = std::function<backends::Ending(backends::Executable& plan, const Bindings&)>;
  Around(AtOnce at_once, Executes executes) : at_once_(at_once), executes_(std::move(executes)) {}
  [[nodiscard]] std::string name() const override { return "around"; }
  [[nodiscard]] bool names_rules() const override { return true; }
  [[nodiscard]] bool needs_isolation() const override { return false; }
  [[nodiscard]] AtOnce at_once() const override { return at_once_; }
  backends::Prepared prepare(const Operator& op, Version version) override {
    backends::Prepared honest = honest_->prepare(op, version);
    if (std::holds_alternative<backends::Rejection>(honest)) return honest;
    return std::make_unique<Plan>(
        std::get<std::unique_ptr<backends::Executable>>(std::move(honest)), executes_);
  }

 private:
  class Plan : public backends::Executable {
   public:
    Plan(std::unique_ptr<backends::Executable> honest, const Executes& executes)
        : honest_(std::move(honest)), executes_(executes) {}
    backends::Ending execute(const Bindings& bindings) override {
      return executes_(*honest_, bindings);
    }

   private:
    std::unique_ptr<backends::Executable> honest_;
    const Executes& executes_;
  };

  AtOnce at_once_;
  Executes executes_;
  std::unique_ptr<backends::Backend> honest_ = backends::make_backend("reference");
};

TEST(AtOnce, BuiltInImplementationsConformFromAnyNumberOfThreads) {
  const cases::Case one = reversed_rows();
  for (const char* name : {"reference", "optimized", "optimized,threads=3"}) {
    const auto backend = backends::make_backend(name);
    ASSERT_EQ(backend->at_once(), AtOnce::kExecutions);
    const CaseResult result = check_case(one, *backend, {.threads = {2, 3, 7}});
    EXPECT_EQ(result.verdict, Verdict::kPass) << name << ": " << result.message;
  }
}

TEST(AtOnce, BothStartsOfTheThreadsAreJudged) {
  constexpr unsigned kThreads = 3;
  for (const unsigned wrong : {0U, 1U}) {
    std::atomic<unsigned> started = 0;
    const std::thread::id alone = std::this_thread::get_id();
    Around backend(AtOnce::kExecutions, [&](backends::Executable& plan, const Bindings& bindings) {
      backends::Ending ending = plan.execute(bindings);
      if (std::this_thread::get_id() == alone) return ending;
      static thread_local const unsigned number = started++;
      if (number / kThreads == wrong) bindings.outputs[0][0] ^= std::byte{1};
      return ending;
    });
    const CaseResult result = check_case(reversed_rows(3, 5), backend, {.threads = {kThreads}});
    EXPECT_EQ(result.verdict, Verdict::kMismatch) << "in start " << wrong;
    EXPECT_EQ(result.threads, kThreads);
  }
}

/// The executions under way. One in a thread of its own waits until there were two, however busy
/// the machine is: alone, a plan executes in the thread of the test.
class Meeting {
 public:
  backends::Ending execute(backends::Executable& plan, const Bindings& bindings) {
    std::unique_lock lock(mutex_);
    under_way_.insert(&plan);
    most_ = std::max(most_, under_way_.size());
    is_shared_ = is_shared_ || under_way_.count(&plan) > 1;
    changed_.notify_all();
    if (std::this_thread::get_id() != alone_)
      changed_.wait_for(lock, kPatience, [&] { return most_ > 1; });
    lock.unlock();
    backends::Ending ending = plan.execute(bindings);
    lock.lock();
    under_way_.erase(under_way_.find(&plan));
    return ending;
  }
  [[nodiscard]] std::size_t most() const { return most_; }
  /// Whether a plan was executed by two threads at once.
  [[nodiscard]] bool is_shared() const { return is_shared_; }

 private:
  static constexpr std::chrono::seconds kPatience{10};
  const std::thread::id alone_ = std::this_thread::get_id();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::multiset<const backends::Executable*> under_way_;
  std::size_t most_ = 0;
  bool is_shared_ = false;
};

Around::Executes at(Meeting& meeting) {
  return [&](backends::Executable& plan, const Bindings& bindings) {
    return meeting.execute(plan, bindings);
  };
}

TEST(AtOnce, NothingIsWhereNothingIsOffered) {
  for (const auto& [offered, threads, least] :
       {std::tuple(AtOnce::kNothing, 3U, 1U), {AtOnce::kPlans, 1U, 1U}, {AtOnce::kPlans, 3U, 2U}}) {
    Meeting meeting;
    Around backend(offered, at(meeting));
    EXPECT_EQ(check_case(reversed_rows(), backend, {.threads = {threads}}).verdict, Verdict::kPass);
    EXPECT_EQ(std::min<std::size_t>(meeting.most(), 2), least);
  }
}

TEST(AtOnce, OneCaseInEightIsExecutedByThreeThreadsAndOneIn64ByEightAsWell) {
  constexpr unsigned kCases = 2048;
  std::map<std::size_t, unsigned> cases_by_threads;
  for (unsigned i = 0; i < kCases; ++i) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    Around backend(AtOnce::kPlans, [&](backends::Executable& plan, const Bindings& bindings) {
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      return plan.execute(bindings);
    });
    cases::Case one = reversed_rows(3, 5);
    one.id += std::to_string(i);
    EXPECT_EQ(check_case(one, backend, {.plans = 1}).verdict, Verdict::kPass);
    // Three threads that have ended may leave their ids to the eight behind them.
    const std::size_t started = threads.size() - 1;
    ++cases_by_threads[started == 0 ? 0 : started < kManyThreads ? kUsualThreads : kManyThreads];
  }
  EXPECT_NEAR(cases_by_threads[kUsualThreads] + cases_by_threads[kManyThreads],
              kCases / kSampledAtOnce, 50);
  EXPECT_NEAR(cases_by_threads[kManyThreads], kCases / kSampledByMany, 16);
  EXPECT_GT(cases_by_threads[0], kCases / 2);
}

TEST(AtOnce, NothingIsWhereAllBuffersWouldBeTooMuch) {
  const cases::Case one = reversed_rows();
  std::uint64_t size_bytes = 0;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    size_bytes += buffer_size_bytes(tensor.desc, one.version.dialect());
  });
  for (const auto& [limit_bytes, least] :
       {std::pair(2 * size_bytes, 2U), {2 * size_bytes - 1, 1U}, {size_bytes, 1U}}) {
    Meeting meeting;
    Around backend(AtOnce::kPlans, at(meeting));
    const CheckOptions options{.most_executed_again_bytes = limit_bytes, .threads = {2}};
    EXPECT_EQ(check_case(one, backend, options).verdict, Verdict::kPass);
    EXPECT_EQ(meeting.most(), least) << limit_bytes;
  }
}

TEST(AtOnce, OneOfSomeCasesIsWhereNoNumberOfThreadsIsAskedFor) {
  const std::thread::id main = std::this_thread::get_id();
  std::atomic<bool> is_elsewhere = false;
  Around backend(AtOnce::kPlans, [&](backends::Executable& plan, const Bindings& bindings) {
    if (std::this_thread::get_id() != main) is_elsewhere = true;
    return plan.execute(bindings);
  });
  std::size_t sampled = 0;
  for (int i = 0; i < 64; ++i) {
    cases::Case one = reversed_rows(3, 5);
    one.id += std::to_string(i);
    is_elsewhere = false;
    EXPECT_EQ(check_case(one, backend, {.plans = 1}).verdict, Verdict::kPass);
    EXPECT_EQ(is_elsewhere, base::hash_text(one.id) % kSampledAtOnce == 0) << one.id;
    sampled += is_elsewhere ? 1U : 0U;
  }
  EXPECT_GT(sampled, 2U);
}

TEST(AtOnce, OfThreeThreadsOneHasAPlanOfItsOwn) {
  std::mutex mutex;
  std::set<const backends::Executable*> plans;
  const std::thread::id main = std::this_thread::get_id();
  Around backend(AtOnce::kExecutions, [&](backends::Executable& plan, const Bindings& bindings) {
    if (std::this_thread::get_id() != main) {
      const std::lock_guard lock(mutex);
      plans.insert(&plan);
    }
    return plan.execute(bindings);
  });
  EXPECT_EQ(check_case(reversed_rows(), backend, {.threads = {2}}).verdict, Verdict::kPass);
  EXPECT_EQ(plans.size(), 1U);
  plans.clear();
  EXPECT_EQ(check_case(reversed_rows(), backend, {.threads = {3}}).verdict, Verdict::kPass);
  EXPECT_GE(plans.size(), 2U);
}

TEST(AtOnce, OneThreadHasAnOddBaseAndTheNextAWideOne) {
  std::mutex mutex;
  std::set<std::uintptr_t> beyond_lines;
  const std::thread::id main = std::this_thread::get_id();
  Around backend(AtOnce::kPlans, [&](backends::Executable& plan, const Bindings& bindings) {
    if (std::this_thread::get_id() != main) {
      const std::lock_guard lock(mutex);
      beyond_lines.insert(reinterpret_cast<std::uintptr_t>(bindings.outputs[0].data()) % 64);
    }
    return plan.execute(bindings);
  });
  EXPECT_EQ(check_case(reversed_rows(3, 5), backend, {.threads = {2}}).verdict, Verdict::kPass);
  ASSERT_EQ(beyond_lines.size(), 2U);
  EXPECT_EQ(*beyond_lines.begin(), 0U);
  EXPECT_EQ(*beyond_lines.rbegin() % 8, 4U) << "of FLOAT32";
}

/// Of small tensors two threads start twice, for four executions each, of larger ones once for one:
/// by bytes of all buffers. Threads are told apart by what is theirs alone: a later one may have
/// the id of one that has ended.
TEST(AtOnce, ExecutionsAreManyWhereTheyAreShort) {
  struct Expected {
    std::uint32_t columns;
    std::size_t threads;
    unsigned least;
  };
  for (const auto& [columns, threads, least] : {Expected{8192, 4, 4}, Expected{8193, 2, 1}}) {
    std::mutex mutex;
    std::deque<unsigned> executions;  // of each thread
    const std::thread::id main = std::this_thread::get_id();
    Around backend(AtOnce::kPlans, [&](backends::Executable& plan, const Bindings& bindings) {
      if (std::this_thread::get_id() != main) {
        thread_local unsigned* own = nullptr;
        const std::lock_guard lock(mutex);
        if (own == nullptr) own = &executions.emplace_back();
        ++*own;
      }
      return plan.execute(bindings);
    });
    const cases::Case one = reversed_rows(1, columns);
    EXPECT_EQ(check_case(one, backend, {.threads = {2}}).verdict, Verdict::kPass);
    ASSERT_EQ(executions.size(), threads) << columns;
    // Who is done waits for the others, executing: the last one is not.
    for (std::size_t start = 0; start < threads; start += 2)
      EXPECT_EQ(std::min(executions[start], executions[start + 1]), least) << columns;
  }
}

Lane lane(bool must_fail) {
  return {nullptr, reversed_rows(3, 5).op, FeatureLevel::k6_4, {}, must_fail};
}

/// Only the last execution of each is judged: it must not be one that had no others beside it.
TEST(AtOnce, WhoHasExecutedOftenEnoughGoesOnUntilAllHave) {
  for (const bool must_fail : {false, true}) {
    std::atomic<unsigned> slow_ones = 0;
    std::atomic<unsigned> quick_ones = 0;
    std::atomic<std::thread::id> slow;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    Around backend(AtOnce::kPlans, [&](backends::Executable&, const Bindings&) {
      std::thread::id nobody;
      const std::thread::id own = std::this_thread::get_id();
      if (slow.compare_exchange_strong(nobody, own) || nobody == own) {
        while (quick_ones < 100 && std::chrono::steady_clock::now() < end)
          std::this_thread::yield();
        ++slow_ones;
      } else {
        ++quick_ones;
      }
      return must_fail ? backends::Ending(backends::Failure{}) : backends::Ending();
    });
    std::vector<Lane> lanes(2, lane(must_fail));
    execute_at_once(backend, lanes, 5);
    EXPECT_GE(slow_ones, 5U);
    EXPECT_GE(quick_ones, 100U);
  }
}

TEST(AtOnce, WhoEndsInAnotherWayThanItMustStops) {
  std::atomic<unsigned> executions = 0;
  Around fails(AtOnce::kPlans, [&](backends::Executable&, const Bindings&) {
    ++executions;
    return backends::Ending(backends::Failure{});
  });
  std::vector<Lane> lanes(1, lane(false));
  execute_at_once(fails, lanes, 5);
  EXPECT_EQ(executions, 1U);
}

TEST(AtOnce, NoPlanIsSharedWherePlansAloneAreOffered) {
  Meeting meeting;
  Around backend(AtOnce::kPlans, at(meeting));
  EXPECT_EQ(check_case(reversed_rows(), backend, {.threads = {3}}).verdict, Verdict::kPass);
  EXPECT_GT(meeting.most(), 1U);
  EXPECT_FALSE(meeting.is_shared());
}

TEST(AtOnce, WrongWithThreeThreadsAloneIsNamedSo) {
  constexpr std::chrono::milliseconds kPatience{250};  // two wait in vain for a third, each time
  const std::thread::id alone = std::this_thread::get_id();
  std::mutex mutex;
  std::condition_variable changed;
  int under_way = 0;
  bool have_met = false;  // from then on each execution is wrong: which is the last differs
  const auto breaks_for_third = [&](backends::Executable& plan, const Bindings& bindings) {
    std::unique_lock lock(mutex);
    have_met |= ++under_way == 3;
    changed.notify_all();
    if (std::this_thread::get_id() != alone)
      changed.wait_for(lock, kPatience, [&] { return have_met; });
    const bool is_wrong = have_met;
    lock.unlock();
    backends::Ending ending = plan.execute(bindings);
    if (is_wrong) bindings.outputs[0][0] ^= std::byte{1};
    lock.lock();
    --under_way;
    return ending;
  };
  Around backend(AtOnce::kExecutions, breaks_for_third);
  const CaseResult two = check_case(reversed_rows(), backend, {.threads = {2}});
  EXPECT_EQ(two.verdict, Verdict::kPass) << two.message;
  const CaseResult three = check_case(reversed_rows(), backend, {.threads = {2, 3}});
  EXPECT_EQ(three.verdict, Verdict::kMismatch);
  EXPECT_EQ(three.threads, 3U);
  EXPECT_NE(three.message.find(" of 3 at once)"), std::string::npos) << three.message;
}

TEST(AtOnce, ExceptionsAndRejectionsOfAThreadAreVerdicts) {
  const std::thread::id main = std::this_thread::get_id();
  Around throws(AtOnce::kPlans, [&](backends::Executable& plan, const Bindings& bindings) {
    if (std::this_thread::get_id() != main) throw std::runtime_error("not from here");
    return plan.execute(bindings);
  });
  const CaseResult thrown = check_case(reversed_rows(), throws, {.threads = {2}});
  EXPECT_EQ(thrown.verdict, Verdict::kCrash);
  EXPECT_NE(thrown.message.find("not from here"), std::string::npos) << thrown.message;
  Around rejects(AtOnce::kPlans, [&](backends::Executable& plan, const Bindings& bindings) {
    if (std::this_thread::get_id() != main) return backends::Ending(backends::Rejection{});
    return plan.execute(bindings);
  });
  EXPECT_EQ(check_case(reversed_rows(), rejects, {.threads = {2}}).verdict,
            Verdict::kWrongRejection);
}

}  // namespace
}  // namespace opconform::judging
