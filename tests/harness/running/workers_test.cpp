// Workers that crash, hang, lie and leave things behind: each costs the number at hand, and no
// more.

#include "harness/running/workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/base/kept_process.h"
#include "harness/base/shared_memory.h"

namespace opconform::running {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Cause = WorkerDeath::Cause;

/// What the parent heard of numbers.
struct Heard {
  std::map<std::uint64_t, std::string> words;
  std::set<std::uint64_t> done;  // of ranges, with those before a death
  struct Death {
    std::uint64_t number;
    WorkerDeath death;
  };
  std::vector<Death> deaths;
};

/// Does `act` for each of `count` numbers, which then says its square.
Heard run(const std::function<void(std::uint64_t)>& act, std::uint64_t count,
          WorkerOptions options = {}, bool again = false) {
  options.room_bytes = std::uint64_t{1} << 30;
  options.all_speak = true;
  Heard heard;
  const auto add = [&](NumberRange range) {
    for (std::uint64_t n = range.first; n < range.last; ++n)
      EXPECT_TRUE(heard.done.insert(n).second) << n << " is done twice";
  };
  WorkerEvents events;
  events.on_word = [&](std::size_t, std::uint64_t number, std::string_view text,
                       std::string_view /*printed*/) {
    EXPECT_TRUE(heard.words.emplace(number, text).second) << number << " speaks twice";
  };
  events.on_done = [&](std::size_t, NumberRange done, std::string_view) { add(done); };
  events.on_death = [&](std::size_t, NumberRange done, std::uint64_t number,
                        const WorkerDeath& death) {
    add(done);
    heard.deaths.push_back({number, death});
    return again && death.ran_before > 0;
  };
  const RangeWork work = [&](NumberRange range, WorkerChannel& channel) {
    for (std::uint64_t n = range.first; n < range.last && !channel.is_stopped(); ++n) {
      channel.begin(n);
      act(n);
      channel.say(std::to_string(n * n));
    }
    return std::string();
  };
  run_in_workers(options, ranges_of(count, options.workers), work, events);
  return heard;
}

void nothing(std::uint64_t /*number*/) {}

TEST(Workers, DoEachNumberOnce) {
  for (const unsigned workers : {1U, 2U, 7U}) {
    const Heard heard = run(nothing, 1000, {.workers = workers});
    EXPECT_THAT(heard.words, SizeIs(1000));
    EXPECT_EQ(heard.words.at(31), "961");
    EXPECT_THAT(heard.done, SizeIs(1000));
    EXPECT_THAT(heard.deaths, IsEmpty());
  }
  EXPECT_THAT(run(nothing, 0).words, IsEmpty());
  EXPECT_THAT(run(nothing, 1).words, SizeIs(1));
}

TEST(Workers, ADeathCostsTheNumberAtHand) {
  for (const unsigned workers : {1U, 3U}) {
    const Heard heard = run(
        [](std::uint64_t n) {
          if (n % 100 == 7) ::raise(SIGKILL);
        },
        1000, {.workers = workers});
    std::set<std::uint64_t> died;
    for (const Heard::Death& one : heard.deaths) {
      died.insert(one.number);
      EXPECT_EQ(one.death.cause, Cause::kEnded);
      EXPECT_TRUE(WIFSIGNALED(one.death.status));
    }
    EXPECT_THAT(died, ElementsAre(7, 107, 207, 307, 407, 507, 607, 707, 807, 907));
    EXPECT_THAT(heard.words, SizeIs(990));
    EXPECT_FALSE(heard.words.contains(107));
  }
}

TEST(Workers, WhatIsTriedAgainIsFirstInItsProcess) {
  const Heard heard = run(
      [executed = 0](std::uint64_t n) mutable {
        if (++executed > 1 && n == 20) ::_exit(3);
        if (n == 30) ::_exit(4);
      },
      64, {}, /*again=*/true);
  ASSERT_THAT(heard.deaths, SizeIs(3));
  EXPECT_EQ(heard.deaths[0].number, 20U);
  EXPECT_GT(heard.deaths[0].death.ran_before, 0U);
  EXPECT_EQ(heard.words.at(20), "400") << "alone, it comes to an end";
  EXPECT_EQ(heard.deaths[1].number, 30U);
  EXPECT_EQ(heard.deaths[1].death.ran_before, 10U);
  EXPECT_EQ(heard.deaths[2].number, 30U);
  EXPECT_EQ(heard.deaths[2].death.ran_before, 0U);
  EXPECT_EQ(WEXITSTATUS(heard.deaths[2].death.status), 4);
  EXPECT_THAT(heard.words, SizeIs(63));
}

TEST(Workers, AHangIsATimeout) {
  const Heard heard = run(
      [](std::uint64_t n) {
        while (n == 3) ::pause();
      },
      6, {.timeout = std::chrono::milliseconds(1)});
  ASSERT_THAT(heard.deaths, SizeIs(1));
  EXPECT_EQ(heard.deaths[0].number, 3U);
  EXPECT_EQ(heard.deaths[0].death.cause, Cause::kTimedOut);
  EXPECT_THAT(heard.words, SizeIs(5));
}

TEST(Workers, TheLimitGrowsWithTheElementsThatAreExecuted) {
  using std::chrono::milliseconds;
  EXPECT_EQ(limit_of(milliseconds(10), 1000), milliseconds(10));
  EXPECT_NEAR(static_cast<double>(limit_of(milliseconds(10), 1 << 24).count()), 16'010.0, 100.0);
  EXPECT_EQ(limit_of(milliseconds(10), ~std::uint64_t{0}), milliseconds(10));
}

TEST(Workers, WhoeverWritesIntoTheChannelIsFound) {
  for (const std::string_view garbage :
       {"x", "a line\n", "longer than what a message begins with\n"}) {
    const Heard heard = run(
        [&](std::uint64_t n) {
          if (n != 40) return;
          for (int file = 3; file < 1024; ++file)
            (void)!::write(file, garbage.data(), garbage.size());
        },
        200);
    ASSERT_THAT(heard.deaths, SizeIs(1)) << garbage;
    EXPECT_EQ(heard.deaths[0].number, 40U);
    EXPECT_EQ(heard.deaths[0].death.cause, Cause::kSpoiled);
    EXPECT_THAT(heard.words, SizeIs(199));
  }
}

TEST(Workers, WhoeverClosesTheChannelIsFound) {
  const Heard heard = run(
      [](std::uint64_t n) {
        for (int file = 0; file < 1024 && n == 40; ++file) ::close(file);
      },
      200);
  ASSERT_THAT(heard.deaths, SizeIs(1));
  EXPECT_EQ(heard.deaths[0].number, 40U);
  EXPECT_EQ(heard.deaths[0].death.cause, Cause::kSpoiled);
  EXPECT_THAT(heard.words, SizeIs(199));
}

TEST(Workers, ACopyOfAProcessDoesNotGoOnWithItsWork) {
  const Heard heard = run(
      [](std::uint64_t n) {
        if (n % 10 == 0) (void)::fork();
      },
      100);
  EXPECT_THAT(heard.deaths, IsEmpty());
  EXPECT_THAT(heard.words, SizeIs(100));
}

TEST(Workers, TheirLastWordsAreKept) {
  const Heard heard = run(
      [](std::uint64_t n) {
        if (n != 2) return;
        (void)std::fputs("first line\nwhy it ends\n\n", stderr);
        ::raise(SIGKILL);
      },
      5);
  ASSERT_THAT(heard.deaths, SizeIs(1));
  EXPECT_EQ(heard.deaths[0].death.last_words, "why it ends");
}

TEST(Workers, AFloodOfWordsHoldsNobody) {
  const std::string line(4096, 'w');
  const Heard heard = run(
      [&](std::uint64_t) {
        for (int i = 0; i < 100; ++i) (void)std::fputs(line.c_str(), stderr);
      },
      30);
  EXPECT_THAT(heard.deaths, IsEmpty());
  EXPECT_THAT(heard.words, SizeIs(30));
}

/// Engines of WebAssembly reserve addresses by the gigabyte that they never touch.
TEST(Workers, TheLimitIsOnMemoryAndNotOnAddresses) {
  constexpr std::size_t kReserved = std::size_t{64} << 30;
  constexpr std::size_t kBeyond = std::size_t{2}
                                  << 30;  // what a worker of these tests may not have
  const Heard heard = run(
      [&](std::uint64_t n) {
        const bool is_reserved =
            ::mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0) != MAP_FAILED;
        const bool is_writable = ::mmap(nullptr, kBeyond, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
        if (n == 0 && (!is_reserved || is_writable)) ::_exit(1);
      },
      1);
  EXPECT_THAT(heard.deaths, IsEmpty());
}

TEST(Workers, ASpoiledProcessIsReplacedAndNothingIsLost) {
  const base::SharedMemory<std::atomic<pid_t>> ran_in(20);
  const Heard heard = run(
      [&](std::uint64_t n) {
        ran_in[n] = ::getpid();
        if (n % 5 == 0) backends::spoil_process();
      },
      20);
  EXPECT_THAT(heard.deaths, IsEmpty());
  EXPECT_THAT(heard.words, SizeIs(20));
  for (std::size_t n = 0; n + 1 < 20; ++n)
    EXPECT_TRUE(n % 5 != 0 || ran_in[n] != ran_in[n + 1]) << n;
}

TEST(Workers, WhoeverLosesItsPeerSaysWhatBecameOfIt) {
  const Heard heard = run(
      [](std::uint64_t n) {
        if (n != 3) return;
        (void)std::fputs("the peer's own words", stderr);
        throw backends::Lost{"the program replied with garbage"};
      },
      10);
  ASSERT_THAT(heard.deaths, SizeIs(1));
  EXPECT_EQ(heard.deaths[0].number, 3U);
  EXPECT_EQ(heard.deaths[0].death.cause, Cause::kLost);
  EXPECT_EQ(heard.deaths[0].death.lost, "the program replied with garbage");
  EXPECT_EQ(heard.deaths[0].death.last_words, "the peer's own words");
  EXPECT_THAT(heard.words, SizeIs(9));
}

TEST(Workers, ASanitizersSummaryIsWhatCounts) {
  const Heard heard = run(
      [](std::uint64_t) {
        (void)std::fputs(
            "==7==ERROR\nSUMMARY: AddressSanitizer: heap-buffer-overflow mine.c:7\n==7==ABORTING\n",
            stderr);
        ::_exit(1);
      },
      1);
  ASSERT_THAT(heard.deaths, SizeIs(1));
  EXPECT_EQ(heard.deaths[0].death.last_words,
            "SUMMARY: AddressSanitizer: heap-buffer-overflow mine.c:7");
  EXPECT_THAT(heard.deaths[0].death.printed, testing::HasSubstr("==7==ERROR"));
}

TEST(Workers, WhateverTheyStartEndsWithThem) {
  const base::SharedMemory<std::atomic<pid_t>> started(2);
  (void)run(
      [&](std::uint64_t n) {
        if (n > 1) return;
        const pid_t child = ::fork();
        if (child != 0) {
          started[n] = child;
          return;
        }
        if (n == 1) ::setsid();
        while (true) ::pause();
      },
      10);
  for (const pid_t child : {started[0].load(), started[1].load()}) {
    ASSERT_GT(child, 0);
    EXPECT_NE(::kill(child, 0), 0);
    EXPECT_EQ(errno, ESRCH);
  }
}

TEST(Workers, WhoeverKillsTheirKeeperDiesWithIt) {
  const Heard heard = run(
      [](std::uint64_t n) {
        if (n != 5) return;
        ::kill(::getppid(), SIGKILL);
        while (true) ::pause();
      },
      50);
  ASSERT_THAT(heard.deaths, SizeIs(1));
  EXPECT_EQ(heard.deaths[0].number, 5U);
  EXPECT_THAT(heard.words, SizeIs(49));
}

TEST(Workers, StopEndsThemAndWhatHangsIsKilled) {
  std::uint64_t ticks = 0;
  Heard heard;
  WorkerEvents events;
  events.on_death = [&](std::size_t, NumberRange, std::uint64_t number, const WorkerDeath& death) {
    heard.deaths.push_back({number, death});
    return true;  // nobody asks for it any more
  };
  events.on_tick = [&](std::uint64_t) { return ++ticks < 2; };
  const RangeWork work = [](NumberRange range, WorkerChannel& channel) {
    for (std::uint64_t n = range.first; n < range.last && !channel.is_stopped(); ++n) {
      channel.begin(n);
      while (n == 0) ::pause();
      channel.say("");
    }
    return std::string();
  };
  run_in_workers({.workers = 2, .timeout = std::chrono::hours(1), .room_bytes = 1U << 30},
                 ranges_of(1'000'000'000, 2), work, events);
  EXPECT_EQ(ticks, 2U);
  ASSERT_THAT(heard.deaths, SizeIs(1));
  EXPECT_EQ(heard.deaths[0].number, 0U);
  EXPECT_EQ(heard.deaths[0].death.cause, Cause::kStopped);
}

}  // namespace
}  // namespace opconform::running
