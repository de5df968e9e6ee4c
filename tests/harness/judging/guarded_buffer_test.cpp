#include "harness/judging/guarded_buffer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <optional>
#include <set>
#include <vector>

namespace opconform::judging {
namespace {

TEST(GuardedBuffer, FindsEachChangedByteAround) {
  GuardedBuffer buffer(20, 4, base::Guard::kCanary, 9);
  EXPECT_FALSE(buffer.changed_canary());
  for (std::ptrdiff_t at = -4096; at < 20 + 4096; ++at) {
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

std::uintptr_t address_of(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }

TEST(GuardedBuffer, PagesAreAsCloseAsTheAlignmentAllows) {
  for (const std::size_t size : {0U, 1U, 4U, 12U, 4096U, 5000U}) {
    const GuardedBuffer behind(size, 8, base::Guard::kPages, 1, Base::kAtEnd);
    EXPECT_EQ(behind.bytes().size(), size);
    const std::uintptr_t end = address_of(behind.bytes().data()) + size;
    EXPECT_LT((4096 - end % 4096) % 4096, 8U);
    EXPECT_EQ(behind.guard_size_bytes(),
              2 * GuardPages::kGuardBytes + 4096 + (4096 - end % 4096) % 4096);
    const GuardedBuffer before(size, 8, base::Guard::kPages, 1, Base::kAtStart);
    EXPECT_EQ(address_of(before.bytes().data()) % 4096, 0U);
    EXPECT_EQ(before.guard_size_bytes(), 2 * GuardPages::kGuardBytes + 4096);
    for (const GuardedBuffer* const buffer : {&behind, &before}) {
      EXPECT_FALSE(buffer->changed_canary());
      EXPECT_FALSE(buffer->first_touch());
    }
    const GuardedBuffer odd(size, 8, base::Guard::kPages, 1, Base::kOdd);
    EXPECT_EQ(address_of(odd.bytes().data()) % 16, 8U);
    EXPECT_EQ(odd.guard_size_bytes(), 2 * (GuardPages::kGuardBytes + 4096));
  }
}

TEST(GuardedBuffer, OddBasesHaveWholeZonesOnBothSidesAtAnySize) {
  for (const std::size_t size : {8120U, 8128U, 8136U, 8184U, 8192U, 8193U})
    for (std::uint64_t seed = 0; seed < 40; ++seed)
      EXPECT_EQ(GuardedBuffer(size, 8, base::Guard::kPages, seed).guard_size_bytes(),
                2 * (GuardPages::kGuardBytes + 4096))
          << size;
}

std::byte read(const std::byte* at) { return *static_cast<const volatile std::byte*>(at); }
void write(std::byte* at) { *static_cast<volatile std::byte*>(at) = read(at) ^ std::byte{1}; }

TEST(GuardedBuffer, WhoTouchesPagesIsNotedAndGoesOn) {
  GuardPages::watch();
  for (const bool writes : {false, true}) {
    for (const std::ptrdiff_t at : {-65536, -4097, -1, 4096, 4096 + 65535}) {
      const Base base = at < 0 ? Base::kAtStart : Base::kAtEnd;
      const GuardedBuffer buffer(4096, 8, base::Guard::kPages, 1, base);
      std::byte* const place = buffer.bytes().data() + at;
      if (writes) {
        write(place);
      } else {
        EXPECT_EQ(read(place), std::byte{0}) << "nothing of others stands there";
      }
      ASSERT_TRUE(buffer.first_touch()) << at;
      EXPECT_EQ(buffer.first_touch()->at, at);
      EXPECT_EQ(buffer.first_touch()->is_write, writes);
    }
  }
}

TEST(GuardedBuffer, TheFirstWriteIsToldBeforeReads) {
  GuardPages::watch();
  const GuardedBuffer buffer(4096, 8, base::Guard::kPages, 1, Base::kAtEnd);
  for (const std::ptrdiff_t at : {5000, 4096}) {
    (void)read(buffer.bytes().data() + at);
    EXPECT_EQ(buffer.first_touch()->at, 5000);
    EXPECT_FALSE(buffer.first_touch()->is_write);
  }
  for (const std::ptrdiff_t at : {9000, 4096}) {
    write(buffer.bytes().data() + at);
    EXPECT_EQ(buffer.first_touch()->at, 9000);
    EXPECT_TRUE(buffer.first_touch()->is_write);
  }
}

TEST(GuardedBuffer, RefusedWritesAreNotedAndHappen) {
  GuardPages::watch();
  // The same pages again, and some that are not kept.
  for (const std::size_t size : {100U, 100U, 100U, 5U << 20}) {
    const GuardedBuffer buffer(size, 4, base::Guard::kPages, 1, Base::kOdd,
                               GuardPages::Rights::kRead);
    std::byte* const first = buffer.bytes().data();
    std::byte* const own = buffer.own_bytes().data();
    write(own + 10);
    const std::byte before = read(first + 10);
    EXPECT_EQ(read(own + 10), before);
    buffer.release();
    EXPECT_FALSE(buffer.first_touch());
    EXPECT_FALSE(buffer.changed_canary());
    write(first + 10);
    ASSERT_TRUE(buffer.first_touch());
    EXPECT_EQ(buffer.first_touch()->at, 10);
    EXPECT_TRUE(buffer.first_touch()->is_write);
    EXPECT_EQ(read(first + 10), before ^ std::byte{1});
    EXPECT_EQ(read(own + 10), before ^ std::byte{1});
  }
}

TEST(GuardedBuffer, WritesAreRefusedWhereNoFileMayBeLarge) {
  const auto refuses = [] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, 0};
    if (::setrlimit(RLIMIT_FSIZE, &none) != 0) return false;
    GuardPages::watch();
    for (int i = 0; i < 3; ++i) {  // the same pages again
      const GuardedBuffer buffer(3 << 20, 4, base::Guard::kPages, 1, Base::kOdd,
                                 GuardPages::Rights::kRead);
      write(buffer.own_bytes().data());
      buffer.release();
      if (buffer.first_touch()) return false;
      write(buffer.bytes().data());
      if (!buffer.first_touch()) return false;
    }
    return true;
  };
  const pid_t copy = ::fork();
  if (copy == 0) ::_exit(refuses() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(copy, &status, 0), copy);
  EXPECT_EQ(status, 0);
}

TEST(GuardedBuffer, WithoutPagesNothingIsRefused) {
  const GuardedBuffer buffer(20, 4, base::Guard::kCanary, 1, Base::kOdd, GuardPages::Rights::kRead);
  EXPECT_EQ(buffer.own_bytes().data(), buffer.bytes().data());
  write(buffer.bytes().data());
  EXPECT_FALSE(buffer.first_touch());
}

TEST(GuardedBuffer, ACopyOfTheProcessHasInputsOfItsOwn) {
  const auto make = [] {
    return GuardedBuffer(100, 4, base::Guard::kPages, 1, Base::kOdd, GuardPages::Rights::kRead);
  };
  const auto first = [](const GuardedBuffer& buffer) { return read(buffer.bytes().data()); };
  std::optional<GuardedBuffer> held(make());
  const std::byte held_before = first(*held);
  const std::byte kept_before = first(make());
  const pid_t copy = ::fork();
  if (copy == 0) {
    held.reset();
    std::vector<GuardedBuffer> others;
    for (int i = 0; i < 3; ++i) write(others.emplace_back(make()).own_bytes().data());
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(copy, nullptr, 0), copy);
  EXPECT_EQ(first(*held), held_before);
  EXPECT_EQ(first(make()), kept_before);
}

TEST(GuardedBuffer, MorePagesThanAProcessMayHaveBecomeCanaries) {
  std::vector<GuardedBuffer> all;
  for (int i = 0; i < 3000; ++i) all.emplace_back(1, 1, base::Guard::kPages, 1);
  EXPECT_GT(all.front().guard_size_bytes(), 2 * GuardPages::kGuardBytes);
  EXPECT_EQ(all.back().guard_size_bytes(), 2 * 4096U);
}

TEST(GuardedBuffer, PagesAreGivenBack) {
  // More mappings than a process may have.
  for (int i = 0; i < 40'000; ++i)
    ASSERT_NO_THROW(GuardedBuffer(5 << 20, 1, base::Guard::kPages, 1, Base::kAtEnd));
}

/// Of a case with many tensors, so that the next one has addresses left.
TEST(GuardedBuffer, MostPagesOfManyBuffersGoBackToTheSystem) {
  const auto mappings = [] {
    std::ifstream maps("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  };
  { GuardedBuffer(1, 1, base::Guard::kPages, 1); }
  const std::ptrdiff_t before = mappings();
  {
    std::vector<GuardedBuffer> all;
    for (int i = 0; i < 1500; ++i) all.emplace_back(1, 1, base::Guard::kPages, 1);
    EXPECT_GT(mappings(), before + 1500);
  }
  EXPECT_LT(mappings(), before + 1500);
}

using GuardPagesDeathTest = ::testing::Test;

TEST(GuardPagesDeathTest, OtherFaultsAreNotTaken) {
  GuardPages::watch();
  // By the signal, or by the exit code of a sanitizer that reports it.
  EXPECT_DEATH((void)read(nullptr), "");
  EXPECT_DEATH((void)::raise(SIGSEGV), "");
}

TEST(GuardPagesDeathTest, OthersHandlersAreCalled) {
  EXPECT_EXIT(
      {
        ::signal(SIGSEGV, [](int) { ::_exit(7); });
        GuardPages::watch();
        const GuardedBuffer buffer(8, 8, base::Guard::kPages, 1, Base::kAtEnd);
        (void)read(buffer.bytes().data() + 8);
        (void)read(nullptr);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST(GuardedBuffer, WhatCannotBeHadIsAnErrorThatLeavesNothingBehind) {
  for (const unsigned bits : {48U, 60U, 63U})
    EXPECT_THROW(GuardedBuffer(std::size_t{1} << bits, 8, base::Guard::kPages, 1), std::bad_alloc);
  EXPECT_THROW(GuardedBuffer(SIZE_MAX, 8, base::Guard::kPages, 1), std::bad_alloc);
  // There are addresses for a few of these, and memory for what is touched alone.
  constexpr std::size_t kHuge = std::size_t{1} << 44;
  for (int i = 0; i < 10; ++i) {
    GuardedBuffer buffer(kHuge, 8, base::Guard::kPages, 1, Base::kAtEnd);
    EXPECT_TRUE(buffer.is_sparse());
    EXPECT_EQ(read(&buffer.bytes().back()), std::byte{0});
  }
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

TEST(GuardedBuffer, ZonesAre4KibWithoutPages) {
  for (const Base base : {Base::kOdd, Base::kWide, Base::kAtEnd, Base::kAtStart})
    EXPECT_EQ(GuardedBuffer(20, 1, base::Guard::kCanary, 5, base).guard_size_bytes(), 2 * 4096U);
}

TEST(GuardedBuffer, GuardsHaveNames) {
  EXPECT_EQ(parse_guard("canary"), base::Guard::kCanary);
  EXPECT_EQ(parse_guard("pages"), base::Guard::kPages);
  EXPECT_EQ(parse_guard("pages-before"), base::Guard::kPages);
  EXPECT_EQ(parse_guard("none"), std::nullopt);
}

TEST(GuardedBuffer, NoneHasNoZones) {
  const GuardedBuffer buffer(20, 4, base::Guard::kNone, 9);
  EXPECT_EQ(buffer.guard_size_bytes(), 0U);
}

}  // namespace
}  // namespace opconform::judging
