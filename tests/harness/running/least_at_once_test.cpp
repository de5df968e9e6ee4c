#include "harness/running/least_at_once.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "tests/harness/fake_backend.h"

namespace opconform::running {
namespace {

/// A thread that executes, until it ends.
struct Executing {
  Executing() { ++count; }
  Executing(const Executing&) = delete;
  Executing& operator=(const Executing&) = delete;
  ~Executing() { --count; }
  static inline std::atomic<unsigned> count = 0;
};

/// Ends the process as soon as there are so many threads that execute.
class EndsAtThreads : public test::FakeBackend {
 public:
  explicit EndsAtThreads(unsigned most) {
    execute = [this, most](const Operator& op, Version version, const Bindings& bound) {
      if (::gettid() != ::getpid()) {
        static thread_local const Executing executing;
        if (executing.count >= most) ::raise(SIGKILL);
      }
      return honest(op, version, bound);
    };
  }
  [[nodiscard]] backends::AtOnce at_once() const override { return backends::AtOnce::kExecutions; }
};

judging::CaseResult least_of(EndsAtThreads& backend, const RunOptions& options) {
  const std::atomic<bool> stop = false;
  judging::CaseResult crash;
  crash.verdict = judging::Verdict::kCrash;
  return with_least_at_once(
      test::padded_copy(), backend, options, crash, [] { return false; }, stop);
}

TEST(LeastAtOnce, ACrashIsTriedWithAsManyThreadsAsARunHas) {
  for (const unsigned threads : {2U, 5U, judging::kManyThreads}) {
    EndsAtThreads backend(threads);
    const judging::CaseResult least = least_of(backend, {});
    EXPECT_EQ(least.verdict, judging::Verdict::kCrash);
    EXPECT_EQ(least.threads, threads);
  }
}

TEST(LeastAtOnce, OfWhatNeedsMoreNoNumberIsTold) {
  EndsAtThreads backend(judging::kManyThreads + 1);
  EXPECT_EQ(least_of(backend, {}).threads, 0U);
  RunOptions options;
  options.check.threads = {2, judging::kManyThreads + 1};
  EXPECT_EQ(least_of(backend, options).threads, judging::kManyThreads + 1) << "as was asked for";
}

}  // namespace
}  // namespace opconform::running
