#include "harness/running/repeat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>

#include "tests/harness/fake_backend.h"

namespace opconform::running {
namespace {

using Outcome = std::optional<backends::Failure>;

struct Repeated {
  std::vector<judging::CaseResult> first;
  Repetitions repetitions;
};

Repeated run_again(std::unique_ptr<backends::Backend> backend, std::uint64_t count,
                   bool stop_at_once = false) {
  static const cases::Case one = test::padded_copy();
  static const cases::Case other = test::overlapping_scatter();
  const std::vector<const cases::Case*> cases{&one, &other};
  std::vector<std::unique_ptr<backends::Backend>> backends;
  backends.push_back(std::move(backend));
  const std::atomic<bool> never = false;
  Repeated result;
  result.first = run(cases, backends, {}, nullptr, never).results;
  const std::atomic<bool> stop = stop_at_once;
  result.repetitions = repeat(
      cases, backends, {}, count, result.first, [] {}, stop);
  return result;
}

TEST(Repeat, ASteadyBackendChangesNoVerdict) {
  const Repeated result = run_again(backends::make_backend("reference"), 20);
  EXPECT_EQ(result.repetitions.done, 20U);
  EXPECT_THAT(result.repetitions.changed, ::testing::IsEmpty());
  EXPECT_FALSE(result.repetitions.interrupted);
}

TEST(Repeat, AVerdictThatChangesIsToldOnce) {
  auto backend = std::make_unique<test::FakeBackend>();
  std::atomic<int> calls = 0;
  backend->execute = [&, fake = backend.get()](const Operator& op, Version version,
                                               const Bindings& bound) -> Outcome {
    Outcome outcome = fake->honest(op, version, bound);
    if (++calls > 8) bound.outputs[0][0] ^= std::byte{1};
    return outcome;
  };
  const Repeated result = run_again(std::move(backend), 20);
  ASSERT_THAT(result.repetitions.changed, ::testing::SizeIs(2));
  const ChangedVerdict& changed = result.repetitions.changed.front();
  EXPECT_EQ(changed.first, judging::Verdict::kPass);
  EXPECT_EQ(changed.later, judging::Verdict::kMismatch);
  EXPECT_EQ(changed.backend, "fake");
}

TEST(Repeat, EachTimeTheMemoryIsAnother) {
  auto backend = std::make_unique<test::FakeBackend>();
  std::set<std::byte> gaps;
  std::mutex mutex;
  backend->execute = [&, fake = backend.get()](const Operator& op, Version version,
                                               const Bindings& bound) {
    const std::lock_guard lock(mutex);
    gaps.insert(bound.outputs[0][0]);  // what stands there before it is written
    return fake->honest(op, version, bound);
  };
  (void)run_again(std::move(backend), 30);
  EXPECT_GT(gaps.size(), 1U);
}

TEST(Repeat, EndsWhenItIsTold) {
  const Repeated result = run_again(backends::make_backend("reference"), 1'000'000, true);
  EXPECT_TRUE(result.repetitions.interrupted);
  EXPECT_EQ(result.repetitions.done, 0U);
}

}  // namespace
}  // namespace opconform::running
