#include "bench/measure.h"
#include "bench/operators/slice1.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "opconform/optimized.h"

namespace opconform::bench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Operator some_op() { return layout_copy(DataType::kUint8, {4, 3}, {}, {5, 1}); }

/// Two contenders that write the outputs, and one that does what the test says.
std::vector<Contender> contenders(const Buffers& buffers, Role role, std::function<void()> run) {
  const auto write = [&buffers] { std::memset(buffers.output(0), 1, 18); };
  return {{"optimized", Role::kOptimized, write},
          {"scalar", Role::kScalar, write},
          {"other", role, std::move(run)}};
}

TEST(CompareOutputs, EqualOutputsPass) {
  Buffers buffers(some_op(), 1);
  compare_outputs(contenders(buffers, Role::kPeer, [&] { std::memset(buffers.output(0), 1, 18); }),
                  buffers);
}

TEST(CompareOutputs, OneWrongByteIsAMismatch) {
  Buffers buffers(some_op(), 1);
  const auto all = contenders(buffers, Role::kPeer, [&] {
    std::memset(buffers.output(0), 1, 18);
    buffers.output(0)[17] = std::byte{2};
  });
  EXPECT_THAT([&] { compare_outputs(all, buffers); },
              ThrowsMessage<Mismatch>(HasSubstr("the output of other is not that of scalar")));
}

TEST(CompareOutputs, NothingWrittenIsAMismatch) {
  Buffers buffers(some_op(), 1);
  EXPECT_THROW(compare_outputs(contenders(buffers, Role::kPeer, [] {}), buffers), Mismatch);
}

TEST(CompareOutputs, TheReferenceIsTheOracle) {
  Buffers buffers(some_op(), 1);
  const auto all =
      contenders(buffers, Role::kReference, [&] { std::memset(buffers.output(0), 3, 18); });
  EXPECT_THAT([&] { compare_outputs(all, buffers); },
              ThrowsMessage<Mismatch>(HasSubstr("the output of optimized is not that of other")));
}

TEST(Rounds, GiveAFigureToEveryContender) {
  const Cell cell{"some", "family", some_op(), {}};
  Rounds rounds(cell.op, {});
  for (int i = 0; i < 3; ++i) EXPECT_GT(rounds.run(), 0);
  const Result result = rounds.result(cell);
  for (const Role role : {Role::kOptimized, Role::kScalar, Role::kReference, Role::kCopy}) {
    ASSERT_NE(result.fastest(role), nullptr);
    EXPECT_GT(result.fastest(role)->ns.median, 0);
    EXPECT_GT(result.fastest(role)->wall_ns, 0);
    EXPECT_EQ(result.fastest(role)->samples, 3);
  }
  EXPECT_EQ(result.fastest(Role::kPeer), nullptr);
  EXPECT_EQ(result.gain(), 0);
}

TEST(Rounds, WhatIsUntimedIsComparedAlone) {
  const Cell cell{"some", "family", some_op(), {}};
  Rounds rounds(cell.op, {.untimed = {Role::kReference, Role::kScalar}});
  rounds.run();
  const Result result = rounds.result(cell);
  EXPECT_EQ(result.fastest(Role::kReference), nullptr);
  EXPECT_EQ(result.fastest(Role::kScalar), nullptr);
  EXPECT_NE(result.fastest(Role::kOptimized), nullptr);
}

/// A sample is as many calls as an uninterrupted one says, which is not always the first.
TEST(Rounds, OneInterruptedCallLeavesSamplesLong) {
  static int calls = 0;
  const Peer peers[] = {{"peer", "1", [](const Operator& op, const Buffers& buffers) {
                           const auto plan = std::make_shared<const optimized::Plan>(
                               optimized::prepare(op, version_of(op)));
                           // The first compares outputs, the second is untimed.
                           return std::optional(Contender{
                               "peer", Role::kPeer, [plan, to = buffers.bindings()] {
                                 if (++calls == 3)
                                   std::this_thread::sleep_for(std::chrono::milliseconds(5));
                                 EXPECT_FALSE(plan->execute(to));
                               }});
                         }}};
  Rounds rounds(some_op(), {.peers = peers});
  const int before = calls;
  EXPECT_GE(before, 3);
  rounds.run();
  EXPECT_GT(calls - before, 20);
}

TEST(Rounds, SmallCellsArePlannedAnewToo) {
  const auto once = [](const Operator& op) {
    Rounds rounds(op, {});
    rounds.run();
    const Result result = rounds.result({"some", "family", op, {}});
    EXPECT_EQ(result.fastest(Role::kOnce) == nullptr, result.fastest(Role::kKept) == nullptr);
    return result.fastest(Role::kOnce) != nullptr;
  };
  EXPECT_TRUE(once(some_op()));
  EXPECT_FALSE(once(layout_copy(DataType::kUint8, {1U << 20}, {}, {})));
}

TEST(Result, RatiosAreAgainstTheFastest) {
  Result result;
  result.traffic = {.read_bytes = 640, .written_bytes = 320};
  const auto add = [&](const char* name, Role role, double ns) {
    result.times.push_back({name, role, {ns, ns, ns}, 2 * ns, 1});
  };
  add("optimized", Role::kOptimized, 30);
  add("memcpy", Role::kCopy, 40);
  add("streaming copy", Role::kCopy, 20);
  add("one", Role::kPeer, 60);
  add("another", Role::kPeer, 45);
  EXPECT_EQ(result.over_limit(), 1.5);
  EXPECT_EQ(result.gain(), 1.5);
  EXPECT_EQ(result.gain_once(), 0);
  add("planned anew", Role::kOnce, 90);
  EXPECT_EQ(result.gain_once(), 0.5);
  EXPECT_EQ(result.gain_kept(), 0);
  add("plan kept", Role::kKept, 36);
  EXPECT_EQ(result.gain_kept(), 1.25);
  EXPECT_EQ(result.gb_per_s(), 32);
}

}  // namespace
}  // namespace opconform::bench
