#include "harness/running/least_at_once.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <set>

#include "tests/harness/fake_backend.h"

namespace opconform::running {
namespace {

/// Ends the process as soon as so many threads have executed.
class EndsAfterThreads : public test::FakeBackend {
 public:
  explicit EndsAfterThreads(std::size_t most) {
    execute = [this, most](const Operator& op, Version version, const Bindings& bound) {
      if (::gettid() != ::getpid()) {
        const std::lock_guard lock(mutex_);
        threads_.insert(::gettid());
        if (threads_.size() == most) ::raise(SIGKILL);
      }
      return honest(op, version, bound);
    };
  }
  [[nodiscard]] backends::AtOnce at_once() const override { return backends::AtOnce::kExecutions; }

 private:
  std::mutex mutex_;
  std::set<::pid_t> threads_;
};

judging::CaseResult least_of(EndsAfterThreads& backend, const RunOptions& options) {
  const std::atomic<bool> stop = false;
  judging::CaseResult crash;
  crash.verdict = judging::Verdict::kCrash;
  return with_least_at_once(
      test::padded_copy(), backend, options, crash, [] { return false; }, stop);
}

TEST(LeastAtOnce, ACrashIsTriedWithAsManyThreadsAsARunHas) {
  for (const unsigned threads : {2U, 5U, judging::kManyThreads}) {
    EndsAfterThreads backend(threads);
    const judging::CaseResult least = least_of(backend, {});
    EXPECT_EQ(least.verdict, judging::Verdict::kCrash);
    EXPECT_EQ(least.threads, threads);
  }
}

TEST(LeastAtOnce, OfWhatNeedsMoreNoNumberIsTold) {
  EndsAfterThreads backend(judging::kManyThreads + 1);
  EXPECT_EQ(least_of(backend, {}).threads, 0U);
  RunOptions options;
  options.check.threads = {2, judging::kManyThreads + 1};
  EXPECT_EQ(least_of(backend, options).threads, judging::kManyThreads + 1) << "as was asked for";
}

}  // namespace
}  // namespace opconform::running
