#include "harness/guarded_buffer.h"

#include <gtest/gtest.h>

#include <set>

namespace opconform::harness {
namespace {

TEST(GuardedBuffer, FindsEachChangedByteAround) {
  GuardedBuffer buffer(20, 4, Guard::kCanary, 9);
  EXPECT_FALSE(buffer.changed_canary());
  for (std::ptrdiff_t at = -64; at < 20 + 64; ++at) {
    std::byte& byte = buffer.bytes().data()[at];
    byte ^= std::byte{0x40};
    if (at >= 0 && at < 20)
      EXPECT_FALSE(buffer.changed_canary());
    else
      EXPECT_EQ(buffer.changed_canary(), at);
    byte ^= std::byte{0x40};
  }
}

TEST(GuardedBuffer, OddBasesAreAlignedToTheElementAloneAndVary) {
  for (const std::size_t alignment : {1U, 2U, 4U, 8U, 16U}) {
    std::set<std::uintptr_t> remainders;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const GuardedBuffer buffer(64, alignment, Guard::kCanary, seed);
      const auto address = reinterpret_cast<std::uintptr_t>(buffer.bytes().data());
      EXPECT_EQ(address % (2 * alignment), alignment);
      remainders.insert(address % 64);
    }
    EXPECT_EQ(remainders.size(), std::min<std::size_t>(32 / alignment, 8));
  }
}

TEST(GuardedBuffer, WideBasesAreAlignedToALine) {
  for (const std::size_t alignment : {1U, 4U, 16U}) {
    const GuardedBuffer buffer(20, alignment, Guard::kCanary, 5, Base::kWide);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % 64, 0U);
  }
}

TEST(GuardedBuffer, PagesLeaveAtMostAnAlignmentOfSlack) {
  for (const std::size_t size : {0U, 1U, 4U, 12U, 4096U, 5000U}) {
    const GuardedBuffer behind(size, 8, Guard::kPagesBehind, 1);
    EXPECT_EQ(behind.bytes().size(), size);
    const auto end = reinterpret_cast<std::uintptr_t>(behind.bytes().data()) + size;
    EXPECT_LT((4096 - end % 4096) % 4096, 8U);
    const GuardedBuffer before(size, 8, Guard::kPagesBefore, 1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(before.bytes().data()) % 4096, 0U);
    EXPECT_FALSE(before.changed_canary());
    EXPECT_GT(before.guard_size_bytes(), 0U);
  }
}

TEST(GuardedBuffer, NoneHasNoZones) {
  const GuardedBuffer buffer(20, 4, Guard::kNone, 9);
  EXPECT_EQ(buffer.guard_size_bytes(), 0U);
}

}  // namespace
}  // namespace opconform::harness
