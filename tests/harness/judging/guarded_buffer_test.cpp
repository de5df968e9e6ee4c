#include "harness/judging/guarded_buffer.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <new>
#include <set>

namespace opconform::judging {
namespace {

TEST(GuardedBuffer, FindsEachChangedByteAround) {
  GuardedBuffer buffer(20, 4, base::Guard::kCanary, 9);
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
      const GuardedBuffer buffer(64, alignment, base::Guard::kCanary, seed);
      const auto address = reinterpret_cast<std::uintptr_t>(buffer.bytes().data());
      EXPECT_EQ(address % (2 * alignment), alignment);
      remainders.insert(address % 64);
    }
    EXPECT_EQ(remainders.size(), std::min<std::size_t>(32 / alignment, 8));
  }
}

TEST(GuardedBuffer, WideBasesAreAlignedToALine) {
  for (const std::size_t alignment : {1U, 4U, 16U}) {
    const GuardedBuffer buffer(20, alignment, base::Guard::kCanary, 5, Base::kWide);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % 64, 0U);
  }
}

TEST(GuardedBuffer, PagesLeaveAtMostAnAlignmentOfSlack) {
  for (const std::size_t size : {0U, 1U, 4U, 12U, 4096U, 5000U}) {
    const GuardedBuffer behind(size, 8, base::Guard::kPagesBehind, 1);
    EXPECT_EQ(behind.bytes().size(), size);
    const auto end = reinterpret_cast<std::uintptr_t>(behind.bytes().data()) + size;
    EXPECT_LT((4096 - end % 4096) % 4096, 8U);
    const GuardedBuffer before(size, 8, base::Guard::kPagesBefore, 1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(before.bytes().data()) % 4096, 0U);
    EXPECT_FALSE(before.changed_canary());
    EXPECT_GT(before.guard_size_bytes(), 0U);
  }
}

TEST(GuardedBuffer, PagesAreOnePageOnEitherSideAndTheSlack) {
  for (const std::size_t size : {0U, 1U, 4095U, 4096U, 4097U, 8192U}) {
    const std::size_t pages = (size + 4095) / 4096 * 4096;
    for (const base::Guard guard : {base::Guard::kPagesBehind, base::Guard::kPagesBefore})
      EXPECT_EQ(GuardedBuffer(size, 8, guard, 1).guard_size_bytes(), 2 * 4096 + pages - size);
  }
}

TEST(GuardedBuffer, PagesAreGivenBack) {
  // More mappings than a process may have.
  for (int i = 0; i < 40'000; ++i)
    ASSERT_NO_THROW(GuardedBuffer(1, 1, base::Guard::kPagesBehind, 1));
}

TEST(GuardedBuffer, WhatCannotBeHadIsAnErrorThatLeavesNothingBehind) {
  EXPECT_THROW(GuardedBuffer(std::size_t{1} << 60, 8, base::Guard::kPagesBehind, 1),
               std::bad_alloc);
  // There are addresses for a few of these, and no memory.
  constexpr std::size_t kHuge = std::size_t{1} << 44;
  for (int i = 0; i < 10; ++i)
    EXPECT_THROW(GuardedBuffer(kHuge, 8, base::Guard::kPagesBehind, 1), std::bad_alloc);
  void* const addresses =
      ::mmap(nullptr, kHuge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT_NE(addresses, MAP_FAILED);
  ::munmap(addresses, kHuge);
}

TEST(GuardedBuffer, CanariesAreOfEveryValue) {
  for (unsigned value = 0; value < 256; ++value) {
    GuardedBuffer buffer(20, 4, base::Guard::kCanary, 9);
    std::memset(buffer.bytes().data() + 20, static_cast<int>(value), 64);
    EXPECT_TRUE(buffer.changed_canary()) << value;
  }
}

TEST(GuardedBuffer, TellsTheFirstChangedCanary) {
  GuardedBuffer buffer(20, 4, base::Guard::kCanary, 9);
  for (const std::ptrdiff_t at : {30, 20, -5, -7}) {
    buffer.bytes().data()[at] ^= std::byte{1};
    EXPECT_EQ(buffer.changed_canary(), at);
  }
}

TEST(GuardedBuffer, ZonesAre64BytesBesideWhatABaseIsShiftedBy) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::size_t odd =
        GuardedBuffer(20, 1, base::Guard::kCanary, seed, Base::kOdd).guard_size_bytes();
    EXPECT_EQ(odd % 2, 1U);
    EXPECT_LE(odd, 128U + 15U);
    EXPECT_GE(odd, 128U + 1U);
    const GuardedBuffer wide(20, 1, base::Guard::kCanary, seed, Base::kWide);
    EXPECT_EQ(wide.guard_size_bytes(), 128U);
  }
}

TEST(GuardedBuffer, GuardsHaveNames) {
  EXPECT_EQ(parse_guard("canary"), base::Guard::kCanary);
  EXPECT_EQ(parse_guard("pages"), base::Guard::kPagesBehind);
  EXPECT_EQ(parse_guard("pages-before"), base::Guard::kPagesBefore);
  EXPECT_EQ(parse_guard("none"), std::nullopt);
}

TEST(GuardedBuffer, NoneHasNoZones) {
  const GuardedBuffer buffer(20, 4, base::Guard::kNone, 9);
  EXPECT_EQ(buffer.guard_size_bytes(), 0U);
}

}  // namespace
}  // namespace opconform::judging
